package id.kabar.localstack.soak;

import java.time.Duration;

/**
 * One figure at one moment.
 *
 * @param at since the start
 * @param subject the process or table it is about
 */
record Reading(Duration at, String subject, Measure measure, double value) {}
