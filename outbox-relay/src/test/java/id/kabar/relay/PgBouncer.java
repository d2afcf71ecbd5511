package id.kabar.relay;

import static org.awaitility.Awaitility.await;

import id.kabar.testservers.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A real PgBouncer in front of a database. */
final class PgBouncer implements AutoCloseable {

  private final Path program;
  private final Path folder;
  private final Database database;
  private final int port;
  private Process process;

  private PgBouncer(Path program, Database database) throws IOException {
    this.program = program;
    this.database = database;
    this.folder = Files.createTempDirectory("pgbouncer");
    try (ServerSocket socket = new ServerSocket(0)) {
      this.port = socket.getLocalPort();
    }
  }

  /** Debian's package puts it where not every PATH leads. */
  static Optional<Path> program() {
    return Stream.concat(
            Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin", "/usr/local/sbin"))
        .map(folder -> Path.of(folder, "pgbouncer"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * @param pooling {@code transaction} or {@code session}
   */
  static PgBouncer start(Path program, Database database, String pooling) {
    try {
      PgBouncer bouncer = new PgBouncer(program, database);
      bouncer.start(pooling);
      return bouncer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it and starts it anew on the same port, as its operator might. */
  void restart(String pooling) {
    stop();
    try {
      start(pooling);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A proxy that pools transactions knows no prepared statement of another connection. */
  String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:%d/through?prepareThreshold=0".formatted(port);
  }

  private void start(String pooling) throws IOException {
    URI server = URI.create(database.jdbcUrl().substring("jdbc:".length()));
    Path users = folder.resolve("users.txt");
    Files.writeString(users, "\"%s\" \"%s\"%n".formatted(database.user(), database.password()));
    Path config = folder.resolve("pgbouncer.ini");
    Files.writeString(
        config,
        """
        [databases]
        through = host=%s port=%d dbname=%s
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = trust
        auth_file = %s
        pool_mode = %s
        default_pool_size = 20
        ignore_startup_parameters = extra_float_digits
        """
            .formatted(
                server.getHost(),
                server.getPort(),
                server.getPath().substring(1),
                port,
                users,
                pooling));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> command = new ArrayList<>(List.of(program.toString()));
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("-u", "nobody")); // it refuses to run as root
    }
    command.add(config.toString());
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("pgbouncer.log").toFile())
            .start();
    await("pgbouncer, see " + folder)
        .atMost(Duration.ofSeconds(10))
        .until(() -> process.isAlive() && answers());
  }

  private boolean answers() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void stop() {
    process.destroy();
    await().atMost(Duration.ofSeconds(10)).until(() -> !process.isAlive());
  }

  @Override
  public void close() {
    stop();
  }
}
