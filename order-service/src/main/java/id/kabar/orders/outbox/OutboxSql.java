package id.kabar.orders.outbox;

/** Every statement of the outbox. */
final class OutboxSql {

  // tx, position, bucket and created_at are the table's own business.
  static final String APPEND =
      """
      insert into outbox_event (id, aggregate_type, aggregate_id, event_type, payload, headers)
      values (:id, :aggregateType, :aggregateId, :type, :payload::json, :headers::json)
      """;

  static final String RING = "notify outbox";

  private OutboxSql() {}
}
