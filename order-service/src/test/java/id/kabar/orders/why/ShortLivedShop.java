package id.kabar.orders.why;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A shop that pays an order and dies right after the commit, in a process of its own. The file it
 * publishes to stands for the broker: it outlives the process.
 */
final class ShortLivedShop {

  static final int DIED = 137;

  private ShortLivedShop() {}

  /**
   * Arguments: the database's address, user and password, the way to publish, and the broker's
   * file.
   */
  static void main(String[] args) throws SQLException, IOException {
    try (Connection database = DriverManager.getConnection(args[0], args[1], args[2])) {
      database.setAutoCommit(false);
      switch (args[3]) {
        case "after-commit" -> payAndPublishAfterCommit(database, Path.of(args[4]));
        case "outbox" -> payWithOutbox(database);
        default -> throw new IllegalArgumentException(args[3]);
      }
    }
  }

  private static void payAndPublishAfterCommit(Connection database, Path broker)
      throws SQLException, IOException {
    execute(database, "update shop_order set paid = true");
    database.commit();
    die();
    Files.writeString(broker, "paid\n", StandardOpenOption.APPEND);
  }

  private static void payWithOutbox(Connection database) throws SQLException {
    execute(database, "update shop_order set paid = true");
    execute(database, "insert into shop_outbox (event) values ('paid')");
    database.commit();
    die();
  }

  /** As kill -9 does it: no hook runs, nothing is flushed. */
  private static void die() {
    Runtime.getRuntime().halt(DIED);
  }

  private static void execute(Connection database, String sql) throws SQLException {
    try (Statement statement = database.createStatement()) {
      statement.execute(sql);
    }
  }
}
