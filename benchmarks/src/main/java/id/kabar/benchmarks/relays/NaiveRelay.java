package id.kabar.benchmarks.relays;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The relay of the articles: every second up to a hundred rows, each sent, awaited and marked
 * before the next. The producer has its defaults.
 */
final class NaiveRelay {

  private static final int BATCH = 100;
  private static final long SLEEP = 1_000;

  private record Row(long position, String key, String payload) {}

  private NaiveRelay() {}

  // The sleep is what is measured.
  @SuppressWarnings("BusyWait")
  public static void main(String[] args) throws Exception {
    Plumbing plumbing = Plumbing.of(args);
    try (Connection connection = plumbing.connect();
        Producer<String, byte[]> producer = plumbing.producer(Map.of())) {
      System.out.println("relaying");
      while (true) {
        round(connection, producer, plumbing.topic());
        Thread.sleep(SLEEP);
      }
    }
  }

  private static void round(Connection connection, Producer<String, byte[]> producer, String topic)
      throws SQLException, ExecutionException, InterruptedException {
    try (PreparedStatement mark =
        connection.prepareStatement("update outbox set published_at = now() where position = ?")) {
      for (Row row : read(connection)) {
        producer.send(new ProducerRecord<>(topic, row.key(), row.payload().getBytes(UTF_8))).get();
        mark.setLong(1, row.position());
        mark.executeUpdate();
      }
    }
    connection.commit();
  }

  private static List<Row> read(Connection connection) throws SQLException {
    List<Row> rows = new ArrayList<>();
    try (PreparedStatement select =
        connection.prepareStatement(
            """
            select position, aggregate_id, payload
            from outbox
            where published_at is null
            order by position
            limit ?
            for update skip locked
            """)) {
      select.setInt(1, BATCH);
      try (ResultSet result = select.executeQuery()) {
        while (result.next()) {
          rows.add(new Row(result.getLong(1), result.getString(2), result.getString(3)));
        }
      }
    }
    return rows;
  }
}
