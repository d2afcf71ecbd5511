package id.kabar.testservers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** One database, as one role sees it. */
public record Database(String jdbcUrl, String user, String password) {

  /** The same database as another of Kabar's roles. */
  public Database as(String role) {
    return new Database(jdbcUrl, role, role);
  }

  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl, user, password);
  }

  /** Runs one or several statements, for fixtures. */
  public void execute(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("%s failed as %s".formatted(sql, user), e);
    }
  }

  @Override
  public String toString() {
    return user + "@" + jdbcUrl;
  }
}
