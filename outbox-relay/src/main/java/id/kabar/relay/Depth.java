package id.kabar.relay;

import java.time.Duration;

/**
 * How much waits in the outbox.
 *
 * @param pending events not yet published, parked ones included; an estimate when there are many
 * @param parked events that wait for an operator; 10,000 stands for that many or more
 * @param oldestDue how long the first due event has waited; zero when there is none
 */
record Depth(long pending, long parked, Duration oldestDue) {}
