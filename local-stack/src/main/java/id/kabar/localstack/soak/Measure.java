package id.kabar.localstack.soak;

/** What is read again and again, and how much more of it at the end is still called flat. */
enum Measure {
  /** Private memory of a process and those it has started: what they share is not counted. */
  MEMORY("memory, MB", 0.05, 6),
  /** What a JVM's heap holds right after a full collection. */
  HEAP("heap after GC, MB", 0.01, 0.5),
  HANDLES("open files", 0.05, 6),
  THREADS("threads", 0.05, 4),
  /** A table with its indexes. */
  SIZE("table and indexes, KB", 0.10, 256),
  /** Likewise divided by the rows that live in it, where rows are kept on purpose. */
  ROW("bytes per row", 0.10, 40),
  /** Rows that were changed or deleted and are still there. */
  DEAD("dead rows", 0.25, 2_000);

  private final String title;
  private final double share;
  private final double least;

  /**
   * @param share of the level, by which it may grow
   * @param least what it may grow by in any case
   */
  Measure(String title, double share, double least) {
    this.title = title;
    this.share = share;
    this.least = least;
  }

  /** With its unit. */
  String title() {
    return title;
  }

  /** By how much it may grow, from such a level, over the time that is judged. */
  double allowance(double level) {
    return Math.max(least, share * level);
  }
}
