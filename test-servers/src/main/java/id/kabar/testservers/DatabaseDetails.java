package id.kabar.testservers;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** Tells Spring Boot how to reach a database. */
record DatabaseDetails(Database database) implements JdbcConnectionDetails {

  @Override
  public String getUsername() {
    return database.user();
  }

  @Override
  public String getPassword() {
    return database.password();
  }

  @Override
  public String getJdbcUrl() {
    return database.jdbcUrl();
  }
}
