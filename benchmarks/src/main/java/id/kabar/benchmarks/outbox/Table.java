package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Random;
import org.apache.commons.codec.digest.MurmurHash3;

/** Where the writers of an arm put their events. */
enum Table {

  /** The product's own; Debezium and the relay without order read the same. */
  OUTBOX_EVENT(
      "outbox_event",
      "",
      """
      insert into outbox_event (id, aggregate_type, aggregate_id, event_type, payload)
      select id::uuid, 'Order', key, 'OrderPaid', payload::json from (%s) e order by n
      """,
      """
      insert into outbox_event (id, aggregate_type, aggregate_id, event_type, payload)
      values (?::uuid, 'Order', ?, 'OrderPaid', ?::json)
      """),

  /** As the articles have it, with the partial index that the better ones add. */
  OUTBOX(
      "outbox",
      """
      create table outbox (
        position bigint generated always as identity primary key,
        id uuid not null,
        aggregate_id text not null,
        event_type text not null,
        payload text not null,
        created_at timestamptz not null default now(),
        published_at timestamptz);
      create index outbox_unpublished on outbox (position) where published_at is null;
      """,
      """
      insert into outbox (id, aggregate_id, event_type, payload)
      select id::uuid, key, 'OrderPaid', payload from (%s) e order by n
      """,
      """
      insert into outbox (id, aggregate_id, event_type, payload) values (?::uuid, ?, 'OrderPaid', ?)
      """),

  /** namastack-outbox's own; its application makes it. */
  OUTBOX_RECORD(
      "outbox_record",
      "",
      """
      insert into outbox_record (id, status, record_key, record_type, payload, created_at,
        failure_count, next_retry_at, partition_no, handler_id)
      select id, 'NEW', key, 'java.lang.String', to_json(payload)::text,
        now() + n * interval '1 microsecond', 0, now(), (?::integer[])[1 + n %% %d],
        'id.kabar.benchmarks.namastack.Handler#handle(java.lang.String,io.namastack.outbox.handler.OutboxRecordMetadata)'
      from (%s) e order by n
      """,
      """
      insert into outbox_record (id, status, record_key, record_type, payload, created_at,
        failure_count, next_retry_at, handler_id, partition_no)
      values (?, 'NEW', ?, 'java.lang.String', to_json(?)::text, clock_timestamp(), 0, now(),
        'id.kabar.benchmarks.namastack.Handler#handle(java.lang.String,io.namastack.outbox.handler.OutboxRecordMetadata)', ?)
      """);

  private static final int NAMASTACK_PARTITIONS = 256;

  private final String table;
  private final String make;
  private final String fill;
  private final String insert;

  Table(String table, String make, String fill, String insert) {
    this.table = table;
    this.make = make;
    this.fill = fill;
    this.insert = insert;
  }

  String table() {
    return table;
  }

  /** Makes it, where no migration and no application does. */
  void make(Database database) throws SQLException {
    if (!make.isEmpty()) {
      try (Connection owner = database.connect();
          PreparedStatement statement = owner.prepareStatement(make)) {
        statement.execute();
      }
    }
  }

  /** Writes the events in one transaction. */
  void fill(Database database, Shape shape, int first, int last) throws SQLException {
    try (Connection owner = database.connect()) {
      String sql =
          this == OUTBOX_RECORD
              ? fill.formatted(shape.keys(), shape.rows())
              : fill.formatted(shape.rows());
      try (PreparedStatement statement = owner.prepareStatement(sql)) {
        int parameter = 1;
        if (this == OUTBOX_RECORD) {
          statement.setObject(parameter++, partitions(shape));
        }
        statement.setInt(parameter++, first);
        statement.setInt(parameter++, last);
        statement.setString(parameter, noise(shape));
        statement.executeUpdate();
      }
    }
    database.execute("vacuum analyze " + table);
  }

  PreparedStatement insertion(Connection connection) throws SQLException {
    return connection.prepareStatement(insert);
  }

  /** One event, in a transaction of its own. */
  void insert(PreparedStatement insertion, Shape shape, int event, String noise)
      throws SQLException {
    insertion.setString(1, shape.id(event));
    insertion.setString(2, shape.key(event));
    insertion.setString(3, shape.payload(event, noise));
    if (this == OUTBOX_RECORD) {
      insertion.setInt(4, partition(shape.key(event)));
    }
    insertion.executeUpdate();
  }

  /** Text that does not compress well, twice as long as a payload's filling. */
  static String noise(Shape shape) {
    Random random = new Random(42);
    StringBuilder noise = new StringBuilder();
    while (noise.length() < 2 * shape.pad()) {
      noise.append(Long.toString(random.nextLong() >>> 1, 36));
    }
    return noise.toString();
  }

  private static int[] partitions(Shape shape) {
    int[] partitions = new int[shape.keys()];
    for (int key = 0; key < partitions.length; key++) {
      partitions[key] = partition(shape.key(key));
    }
    return partitions;
  }

  private static int partition(String key) {
    byte[] bytes = key.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    return (MurmurHash3.hash32x86(bytes, 0, bytes.length, 0) & Integer.MAX_VALUE)
        % NAMASTACK_PARTITIONS;
  }
}
