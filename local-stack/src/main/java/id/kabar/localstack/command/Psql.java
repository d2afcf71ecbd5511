package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.Service;
import id.kabar.localstack.servers.Programs;
import id.kabar.localstack.servers.ServerFailed;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "psql",
    mixinStandardHelpOptions = true,
    description = {
      "Opens a database as the service that owns it, with psql where that is installed.",
      "Elsewhere a small prompt reads statements that end with ;"
    })
final class Psql implements Callable<Integer> {

  private static final Map<String, String> OWNERS =
      Map.of("orders", "order_service", "notifications", "notification_service");

  @ParentCommand private Kabar kabar = new Kabar();

  @Parameters(paramLabel = "orders|notifications", description = "Which database.")
  private String database = "";

  @Option(
      names = {"-c", "--command"},
      paramLabel = "SQL",
      description = "Run this and end.")
  private @Nullable String sql;

  @Option(names = "--built-in", description = "The small prompt even where psql is installed.")
  private boolean builtIn;

  @Override
  public Integer call() throws Exception {
    String owner = OWNERS.get(database);
    if (owner == null) {
      throw new IllegalArgumentException(
          "There is no database '%s'. There are: orders, notifications.".formatted(database));
    }
    LocalStack stack = kabar.runningStack();
    if (!builtIn && isInstalled()) {
      int port = stack.instance(Service.POSTGRES.label()).ports().getFirst();
      return psql(port, owner);
    }
    return prompt(stack.jdbcUrl(database), owner);
  }

  private int psql(int port, String owner) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("psql", "-h", "localhost", "-p", Integer.toString(port)));
    command.addAll(List.of("-U", owner, "-d", database));
    if (sql != null) {
      command.addAll(List.of("-c", sql));
    }
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().put("PGPASSWORD", owner);
    Process psql = builder.start();
    // Ctrl-C means a statement of psql's, not us: wait for it even while this JVM is asked to end.
    Thread patient = new Thread(() -> Runtime.getRuntime().halt(exitCode(psql)), "psql");
    Runtime.getRuntime().addShutdownHook(patient);
    int code = psql.waitFor();
    Runtime.getRuntime().removeShutdownHook(patient);
    return code;
  }

  private static int exitCode(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private int prompt(String jdbcUrl, String owner) throws IOException {
    try (Connection connection = DriverManager.getConnection(jdbcUrl, owner, owner)) {
      SqlPrompt prompt = new SqlPrompt(connection, System.out, System.err);
      if (sql != null) {
        return prompt.run(sql) ? 0 : 1;
      }
      boolean interactive =
          Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
      return prompt.runAll(
              new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
              interactive ? database + "=> " : "")
          ? 0
          : 1;
    } catch (SQLException e) {
      throw new ServerFailed(
          "PostgreSQL does not answer (%s). `./kabar start postgres` if it is down."
              .formatted(e.getMessage()),
          e);
    }
  }

  private static boolean isInstalled() {
    return Programs.isInstalled("psql");
  }
}
