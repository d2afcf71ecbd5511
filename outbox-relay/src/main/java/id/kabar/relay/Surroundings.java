package id.kabar.relay;

/**
 * What the outbox depends on beside itself, as it was when last measured.
 *
 * @param oldestXminAge how many transactions ago the oldest one or the oldest snapshot began that
 *     this role may know of; published rows younger than that cannot be cleaned
 * @param archiveDaysAhead days after today whose partition of the archive is made
 */
record Surroundings(long oldestXminAge, int archiveDaysAhead) {}
