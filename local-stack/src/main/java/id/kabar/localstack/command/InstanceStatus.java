package id.kabar.localstack.command;

import id.kabar.localstack.InstanceName;
import id.kabar.localstack.LocalStack;
import id.kabar.localstack.servers.OsProcess;
import id.kabar.localstack.servers.ServerProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One line of the status.
 *
 * @param startedAt when its process started
 * @param memoryMegabytes what it occupies right now, with the processes it has started
 * @param log where its output goes
 */
record InstanceStatus(
    String name,
    String service,
    int instance,
    @Nullable Long pid,
    List<Integer> ports,
    Health health,
    @Nullable Instant startedAt,
    @Nullable Long memoryMegabytes,
    String log) {

  static List<InstanceStatus> all(LocalStack stack) {
    // In parallel, because one that is not well keeps the asker waiting.
    return stack.instances().entrySet().parallelStream()
        .map(entry -> of(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static InstanceStatus of(InstanceName name, ServerProcess server) {
    Optional<OsProcess> process = server.process();
    OptionalLong memory = process.map(OsProcess::memory).orElse(OptionalLong.empty());
    return new InstanceStatus(
        name.toString(),
        name.service().label(),
        name.number(),
        process.map(OsProcess::pid).orElse(null),
        server.ports(),
        Health.of(server),
        process.flatMap(OsProcess::startedAt).orElse(null),
        memory.isPresent() ? memory.getAsLong() / 1_000_000 : null,
        server.log().toString());
  }

  String upFor() {
    if (startedAt == null) {
      return "-";
    }
    Duration up = Duration.between(startedAt, Instant.now());
    if (up.toHours() > 0) {
      return "%d h %02d min".formatted(up.toHours(), up.toMinutesPart());
    }
    return up.toMinutes() > 0
        ? "%d min %02d s".formatted(up.toMinutes(), up.toSecondsPart())
        : "%d s".formatted(up.toSeconds());
  }
}
