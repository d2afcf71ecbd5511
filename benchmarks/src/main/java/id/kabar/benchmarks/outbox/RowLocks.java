package id.kabar.benchmarks.outbox;

/** Claims single rows with SKIP LOCKED, sends them and deletes them: fast, and without order. */
final class RowLocks extends OwnRival {

  RowLocks() {
    super("row-locks", Table.OUTBOX_EVENT, "id.kabar.benchmarks.relays.RowLockRelay");
  }

  @Override
  public boolean inOrder() {
    return false;
  }
}
