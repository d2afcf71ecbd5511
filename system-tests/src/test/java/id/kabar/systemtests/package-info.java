/**
 * Journeys and crashes on the real processes of the local stack. Each test leaves a whole stack and
 * a clean history behind.
 */
@NullMarked
package id.kabar.systemtests;

import org.jspecify.annotations.NullMarked;
