package id.kabar.orders.outbox;

/** Every statement of the outbox. */
final class OutboxSql {

  // tx, position, bucket and created_at are the table's own business.
  static final String APPEND =
      """
      insert into outbox_event (id, aggregate_type, aggregate_id, event_type, payload, headers)
      values (:id, :aggregateType, :aggregateId, :type, :payload::json, :headers::json)
      """;

  /** Heard at once: nobody needs a ring to survive a crash, so its commit waits for no disk. */
  static final String RING =
      """
      select set_config('synchronous_commit', 'off', true), pg_notify('outbox', '')
      """;

  private OutboxSql() {}
}
