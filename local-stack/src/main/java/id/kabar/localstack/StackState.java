package id.kabar.localstack;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a stack remembers between two commands.
 *
 * @param processes every instance the stack is meant to have, also one that was stopped or killed
 */
record StackState(List<Remembered> processes) {

  static final StackState EMPTY = new StackState(List.of());

  /**
   * @param pid of its latest life, with its birth, because ids are used again
   */
  record Remembered(
      String service, int number, List<Integer> ports, @Nullable Long pid, @Nullable String birth) {

    InstanceName name() {
      return new InstanceName(Service.named(service), number);
    }
  }
}
