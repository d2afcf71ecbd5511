package id.kabar.benchmarks.outbox;

import java.util.Map;

/** The relays that are compared. */
final class Arms {

  static final Arm KABAR = new Kabar("kabar", Map.of());
  static final Arm KABAR_NO_PAYLOAD =
      new Kabar("kabar-lean-archive", Map.of("RELAY_ARCHIVE_KEEP_PAYLOAD", "false"));
  static final Arm KABAR_NO_BELL =
      new Kabar("kabar-no-doorbell", Map.of("RELAY_DOORBELL_ENABLED", "false")) {
        @Override
        public boolean hasDoorbell() {
          return false;
        }
      };
  static final Arm DEBEZIUM = new Debezium();
  static final Arm NAMASTACK = new Namastack();
  static final Arm NAIVE = new Naive();
  static final Arm ROW_LOCKS = new RowLocks();

  private Arms() {}
}
