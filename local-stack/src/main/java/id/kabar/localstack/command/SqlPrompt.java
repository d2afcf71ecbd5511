package id.kabar.localstack.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Runs SQL and prints what comes back, for machines without psql. */
final class SqlPrompt {

  private static final int MOST_ROWS = 1_000;

  private final Connection connection;
  private final PrintStream out;
  private final PrintStream err;

  SqlPrompt(Connection connection, PrintStream out, PrintStream err) {
    this.connection = connection;
    this.out = out;
    this.err = err;
  }

  /**
   * Reads statements, each up to a line that ends with a semicolon; false if one of them failed.
   */
  boolean runAll(BufferedReader input, String prompt) throws IOException {
    boolean good = true;
    StringBuilder statement = new StringBuilder();
    ask(prompt);
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      if (statement.isEmpty() && List.of("\\q", "quit", "exit").contains(line.strip())) {
        return good;
      }
      statement.append(line).append('\n');
      if (line.stripTrailing().endsWith(";")) {
        good &= run(statement.toString());
        statement.setLength(0);
      }
      ask(statement.isEmpty() || prompt.isEmpty() ? prompt : "-> ");
    }
    return statement.toString().isBlank() ? good : run(statement.toString()) && good;
  }

  /** Runs one text of one or several statements; false, and the reason printed, if it failed. */
  boolean run(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.setMaxRows(MOST_ROWS + 1);
      boolean rows = statement.execute(sql);
      while (rows || statement.getUpdateCount() >= 0) {
        if (rows) {
          print(statement.getResultSet());
        } else {
          out.printf("rows changed: %d%n", statement.getUpdateCount());
        }
        rows = statement.getMoreResults();
      }
      return true;
    } catch (SQLException e) {
      err.println(e.getMessage());
      return false;
    }
  }

  private void ask(String prompt) {
    if (!prompt.isEmpty()) {
      out.print(prompt);
      out.flush();
    }
  }

  private void print(ResultSet result) throws SQLException {
    ResultSetMetaData columns = result.getMetaData();
    List<List<String>> rows = new ArrayList<>();
    rows.add(new ArrayList<>());
    for (int column = 1; column <= columns.getColumnCount(); column++) {
      rows.getFirst().add(columns.getColumnLabel(column));
    }
    while (result.next() && rows.size() <= MOST_ROWS) {
      List<String> row = new ArrayList<>();
      for (int column = 1; column <= columns.getColumnCount(); column++) {
        String value = result.getString(column);
        row.add(value == null ? "" : value.replace('\n', ' '));
      }
      rows.add(row);
    }
    table(rows).forEach(out::println);
    boolean more = rows.size() > MOST_ROWS;
    out.printf("(rows: %d%s)%n", rows.size() - 1, more ? ", there may be more" : "");
  }

  /** Columns as wide as their widest value; the first row is the heading. */
  static List<String> table(List<List<String>> rows) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(i == 0 ? "" : " | ");
        line.append(row.get(i)).repeat(" ", widths[i] - row.get(i).length());
      }
      lines.add(line.toString().stripTrailing());
      if (lines.size() == 1) {
        lines.add("-".repeat(line.length()));
      }
    }
    return lines;
  }
}
