package id.kabar.benchmarks.relays;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** What the relays here are given: database, role, broker and topic, in this order. */
record Plumbing(String jdbcUrl, String role, String broker, String topic) {

  static Plumbing of(String[] args) {
    return new Plumbing(args[0], args[1], args[2], args[3]);
  }

  Connection connect() throws SQLException {
    Connection connection =
        DriverManager.getConnection(jdbcUrl + "?prepareThreshold=1", role, role);
    connection.setAutoCommit(false);
    return connection;
  }

  /** With acks=all and idempotence, which are the defaults, and what else is given. */
  Producer<String, byte[]> producer(Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker);
    return new KafkaProducer<>(all, new StringSerializer(), new ByteArraySerializer());
  }
}
