package id.kabar.benchmarks.outbox;

/** Batch of 100, each row sent and awaited, then marked; a second's sleep after each batch. */
final class Naive extends OwnRival {

  Naive() {
    super("naive", Table.OUTBOX, "id.kabar.benchmarks.relays.NaiveRelay");
  }

  @Override
  public int events(int asked) {
    return Math.min(asked, Math.max(300, asked / 333));
  }

  @Override
  public int rate(int asked) {
    return asked / 10;
  }

  @Override
  public int warmUp() {
    return 200;
  }
}
