package id.kabar.relay;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Properties;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** Opens the relay's own database sessions, those that are no pool's. */
final class DatabaseSession {

  private DatabaseSession() {}

  /** With plans pinned and silence limited. */
  static Connection open(
      JdbcConnectionDetails database, RelaySettings.Timeouts timeouts, String name)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", database.getUsername());
    properties.setProperty("password", database.getPassword());
    properties.setProperty("ApplicationName", name);
    properties.setProperty("prepareThreshold", "1");
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty(
        "socketTimeout", Long.toString(timeouts.statement().plusSeconds(5).toSeconds()));
    Connection connection = DriverManager.getConnection(database.getJdbcUrl(), properties);
    try (PreparedStatement session = connection.prepareStatement(OutboxSql.SESSION)) {
      session.setString(1, Long.toString(timeouts.session().toMillis()));
      session.setString(2, Long.toString(timeouts.statement().toMillis()));
      session.execute();
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }
}
