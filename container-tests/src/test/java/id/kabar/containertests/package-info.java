/**
 * Runs the images as {@code compose.yaml} and the manifests in {@code k8s} say, and holds the
 * manifests against what the services and Kubernetes really know. What needs a Docker engine or
 * kubectl is skipped where there is none, with a sentence that says so.
 */
@NullMarked
package id.kabar.containertests;

import org.jspecify.annotations.NullMarked;
