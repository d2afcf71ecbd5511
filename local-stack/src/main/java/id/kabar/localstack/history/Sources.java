package id.kabar.localstack.history;

/**
 * Where a history is collected from.
 *
 * @param orders JDBC URL of the database with orders and outbox
 * @param notifications JDBC URL of the database with processed events and dead letters
 * @param user who may read both, with this password
 * @param kafka bootstrap servers
 * @param provider base URL of the email stub
 */
public record Sources(
    String orders,
    String notifications,
    String user,
    String password,
    String kafka,
    String provider) {}
