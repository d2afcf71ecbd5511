package id.kabar.orders.idempotency;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The answers that were given, by key. All but {@code clean} belong in the transaction of the
 * request.
 */
@Component
class StoredAnswers {

  private final JdbcClient jdbc;
  private final IdempotencySettings settings;

  StoredAnswers(JdbcClient jdbc, IdempotencySettings settings) {
    this.jdbc = jdbc;
    this.settings = settings;
  }

  /** Claims the key until the end of the transaction; false: another request holds it. */
  boolean claim(String key) {
    return jdbc.sql(IdempotencySql.CLAIM).param("key", key).query(Boolean.class).single();
  }

  Optional<StoredAnswer> find(String key) {
    return jdbc.sql(IdempotencySql.FIND)
        .param("key", key)
        .query(
            (row, n) ->
                new StoredAnswer(
                    row.getBytes("fingerprint"),
                    row.getInt("status"),
                    row.getString("content_type"),
                    row.getString("location"),
                    row.getBytes("body")))
        .optional();
  }

  void store(String key, StoredAnswer answer) {
    jdbc.sql(IdempotencySql.STORE)
        .param("key", key)
        .param("fingerprint", answer.fingerprint())
        .param("status", answer.status())
        .param("contentType", answer.contentType())
        .param("location", answer.location())
        .param("body", answer.body())
        .param("keepSeconds", settings.keep().toSeconds())
        .update();
  }

  /** Deletes one batch of forgotten answers; returns how many there were. */
  int clean() {
    return jdbc.sql(IdempotencySql.CLEAN).param("batch", settings.cleanBatch()).update();
  }
}
