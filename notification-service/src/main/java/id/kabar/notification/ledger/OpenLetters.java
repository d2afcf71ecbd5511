package id.kabar.notification.ledger;

import java.time.Duration;

/** How many letters wait for somebody, and how long the oldest has. */
public record OpenLetters(long count, Duration oldest) {}
