/** Turns the samples of one run into one report: Markdown, CSV and charts. Measures nothing. */
@NullMarked
package id.kabar.benchmarks.report;

import org.jspecify.annotations.NullMarked;
