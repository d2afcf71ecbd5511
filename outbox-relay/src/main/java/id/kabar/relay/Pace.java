package id.kabar.relay;

/** What a round says about the next one. */
enum Pace {
  /** There is likely more: go on, and let another worker help. */
  GO_ON,
  /** Published all there was: listen for the bell, look again soon. */
  CAUGHT_UP,
  /** Found nothing: listen for the bell, look again ever later. */
  IDLE,
  /** A server does not answer: leave it alone for a while. */
  BACK_OFF
}
