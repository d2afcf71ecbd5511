package id.kabar.localstack;

import id.kabar.localstack.servers.OsProcess;
import id.kabar.localstack.servers.ServerProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a stack remembers between two commands.
 *
 * @param processes every instance the stack is meant to have, also one that was stopped or killed
 */
record StackState(List<Remembered> processes) {

  static final StackState EMPTY = new StackState(List.of());

  static StackState of(Map<InstanceName, ServerProcess> instances) {
    List<Remembered> processes = new ArrayList<>();
    instances.forEach(
        (name, server) -> {
          Optional<OsProcess> process = server.process();
          processes.add(
              new Remembered(
                  name.service().label(),
                  name.number(),
                  server.ports(),
                  process.map(OsProcess::pid).orElse(null),
                  process.map(OsProcess::birth).orElse(null)));
        });
    return new StackState(processes);
  }

  /** Whether any of the processes is still there. */
  boolean runs() {
    return processes.stream().anyMatch(each -> each.process().isPresent());
  }

  /**
   * @param pid of its latest life, with its birth, because ids are used again
   */
  record Remembered(
      String service, int number, List<Integer> ports, @Nullable Long pid, @Nullable String birth) {

    InstanceName name() {
      return new InstanceName(Service.named(service), number);
    }

    Optional<OsProcess> process() {
      return pid == null || birth == null ? Optional.empty() : OsProcess.find(pid, birth);
    }
  }
}
