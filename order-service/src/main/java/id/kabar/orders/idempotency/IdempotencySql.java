package id.kabar.orders.idempotency;

/** Every statement of the stored answers. */
final class IdempotencySql {

  // Two keys of one hash at one moment: the second is asked to come back, no more. The word before
  // the key sets these
  // locks apart from others of this database.
  static final String CLAIM =
      """
      select pg_try_advisory_xact_lock(hashtextextended('idempotent_answer ' || :key, 0))
      """;

  // A statement of its own after the claim: it sees what the claim's previous holder committed.
  static final String FIND =
      """
      select fingerprint, status, content_type, location, body
      from idempotent_answer
      where key = :key
        and expires_at > clock_timestamp()
      """;

  // On conflict: the earlier answer has expired and is not cleaned yet.
  static final String STORE =
      """
      insert into idempotent_answer (key, fingerprint, status, content_type, location, body, expires_at)
      values (:key, :fingerprint, :status, :contentType, :location, :body,
        clock_timestamp() + make_interval(secs => :keepSeconds))
      on conflict (key) do update
      set fingerprint = excluded.fingerprint,
        status = excluded.status,
        content_type = excluded.content_type,
        location = excluded.location,
        body = excluded.body,
        expires_at = excluded.expires_at
      """;

  // Skip locked: several replicas clean side by side.
  static final String CLEAN =
      """
      delete from idempotent_answer
      where key = any (array(
        select key
        from idempotent_answer
        where expires_at <= clock_timestamp()
        order by expires_at
        limit :batch
        for update skip locked))
      """;

  private IdempotencySql() {}
}
