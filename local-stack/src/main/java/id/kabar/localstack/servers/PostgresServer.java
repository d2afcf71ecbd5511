package id.kabar.localstack.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * PostgreSQL on loopback, with the durability of production: what it has committed survives
 * SIGKILL.
 */
public final class PostgresServer extends ServerProcess {

  public static final String SUPERUSER = "postgres";
  private static final String SUPERUSER_PASSWORD = "postgres";

  private final Path data;
  private final int port;
  private final Map<String, String> settings;
  private final Map<String, String> environment;

  /**
   * A server that is not started yet.
   *
   * @param home a folder of its own; its cluster is created at the first start and kept
   * @param log where its output is appended
   */
  public PostgresServer(Path home, int port, Path log) {
    this(home, port, log, Map.of());
  }

  /** With further settings, such as {@code wal_level}, or others than ours. */
  public PostgresServer(Path home, int port, Path log, Map<String, String> settings) {
    this(home, port, log, settings, Map.of());
  }

  /** With further settings, and environment variables for its processes. */
  public PostgresServer(
      Path home,
      int port,
      Path log,
      Map<String, String> settings,
      Map<String, String> environment) {
    super("postgres", List.of(port), log);
    this.environment = Map.copyOf(environment);
    this.data = home.toAbsolutePath().resolve("data");
    this.port = port;
    this.settings = Map.copyOf(settings);
  }

  public int port() {
    return port;
  }

  public String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, database);
  }

  /** A connection of the superuser. */
  public Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(database), SUPERUSER, SUPERUSER_PASSWORD);
  }

  public String superuserPassword() {
    return SUPERUSER_PASSWORD;
  }

  // A server, or workers of one, left behind on this data by a JVM that was killed.
  @Override
  protected void endLeftovers() throws IOException {
    leftOver().ifPresent(OsProcess::killTree);
    workersInDataFolder().forEach(OsProcess::killTree);
    Files.deleteIfExists(data.resolve("postmaster.pid"));
  }

  @Override
  protected void prepare() throws IOException {
    if (!Files.exists(data.resolve("PG_VERSION"))) {
      initialise();
    }
  }

  @Override
  protected List<String> command() {
    List<String> command = new ArrayList<>(program("postgres"));
    command.addAll(List.of("-D", data.toString()));
    setting(command, "port", port);
    // One address only: with several, PostgreSQL starts even if one of them is somebody else's.
    setting(command, "listen_addresses", "127.0.0.1");
    setting(command, "unix_socket_directories", ""); // their paths are limited to 107 bytes
    setting(command, "fsync", "on");
    setting(command, "synchronous_commit", "on");
    setting(command, "max_connections", 200);
    setting(command, "shared_buffers", "64MB");
    setting(command, "log_line_prefix", "%m [%p] %q%u@%d ");
    setting(command, "timezone", "UTC");
    setting(command, "log_timezone", "UTC");
    settings.forEach((name, value) -> setting(command, name, value)); // the last one counts
    return command;
  }

  @Override
  protected Map<String, String> environment() {
    return environment;
  }

  @Override
  protected Signal stopSignal() {
    return Signal.INT; // "fast": SIGTERM would wait for all clients to leave
  }

  @Override
  protected boolean isReady(OsProcess process) {
    List<String> pidFile = pidFile();
    return pidFile.size() >= 8
        && pidFile.getFirst().equals(Long.toString(process.pid()))
        && pidFile.get(7).strip().equals("ready");
  }

  private Optional<OsProcess> leftOver() {
    List<String> pidFile = pidFile();
    return pidFile.isEmpty()
        ? Optional.empty()
        : OsProcess.find(Long.parseLong(pidFile.getFirst().strip()))
            .filter(process -> process.description().contains("(postgres)"));
  }

  // Each of PostgreSQL's processes works in the data folder; they hold its shared memory, which a
  // new server refuses.
  private List<OsProcess> workersInDataFolder() throws IOException {
    Path proc = Path.of("/proc");
    if (!Files.isDirectory(proc)) {
      return List.of();
    }
    Path folder = Files.exists(data) ? data.toRealPath() : data;
    return ProcessHandle.allProcesses()
        .filter(
            process -> {
              try {
                return Files.readSymbolicLink(proc.resolve(process.pid() + "/cwd")).equals(folder);
              } catch (IOException e) {
                return false; // another user's, or gone meanwhile
              }
            })
        .map(OsProcess::of)
        .toList();
  }

  private List<String> pidFile() {
    try {
      return Files.readAllLines(data.resolve("postmaster.pid"));
    } catch (IOException e) {
      return List.of();
    }
  }

  private void initialise() throws IOException {
    Folders.delete(data); // an initdb that was interrupted
    Files.createDirectories(data.getParent());
    Path password =
        Files.createTempFile(
            data.getParent(),
            "password",
            "",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      Files.writeString(password, SUPERUSER_PASSWORD);
      List<String> command = new ArrayList<>(program("initdb"));
      command.addAll(List.of("-D", data.toString(), "-U", SUPERUSER, "-E", "UTF8"));
      command.addAll(List.of("-A", "scram-sha-256", "--pwfile", password.toString()));
      command.addAll(List.of("--locale=C", "--locale-provider=builtin"));
      command.add("--builtin-locale=C.UTF-8");
      run(command);
    } finally {
      Files.delete(password);
    }
  }

  private void run(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
    try {
      if (process.waitFor() != 0) {
        throw new ServerFailed(
            "PostgreSQL could not create its data folder %s. %s%s"
                .formatted(data, isRoot() ? ROOT_HINT : "", LogTail.quote(log())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while PostgreSQL created its data folder", e);
    }
  }

  private static final String ROOT_HINT =
      "As root it needs `unshare -U`; where that is not permitted, run this as an ordinary user. ";

  // PostgreSQL refuses to run as root; in a user namespace without a mapping it is nobody, and owns
  // its files still.
  private static List<String> program(String name) {
    try {
      String path = PostgresBinaries.unpacked().resolve("bin").resolve(name).toString();
      return isRoot() ? List.of("unshare", "-U", path) : List.of(path);
    } catch (IOException e) {
      throw new ServerFailed("PostgreSQL could not be unpacked: " + e.getMessage(), e);
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static void setting(List<String> command, String name, Object value) {
    command.addAll(List.of("-c", name + "=" + value));
  }
}
