/**
 * Where a running Kabar is reached from this machine: as processes of the local stack, under docker
 * compose, or in the kind cluster. It finds and asks; it starts and breaks nothing.
 */
@NullMarked
package id.kabar.localstack.site;

import org.jspecify.annotations.NullMarked;
