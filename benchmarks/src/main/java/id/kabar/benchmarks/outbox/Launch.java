package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.JavaProcess;
import id.kabar.localstack.servers.Java;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Starts relays in processes of their own, all on the same Java with the same flags. */
final class Launch {

  private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xshare:auto");

  private Launch() {}

  static List<JavaProcess> processes(int replicas, IntFunction<JavaProcess> make) {
    return IntStream.rangeClosed(1, replicas).mapToObj(make).toList();
  }

  static Path log(Bench bench, String arm, String topic, int number) {
    return bench.servers().folder().resolve("%s-%s-%d.log".formatted(arm, topic, number));
  }

  static List<String> java(Arm.Size size, String... arguments) {
    List<String> command = new ArrayList<>(List.of(Java.executable()));
    command.addAll(FLAGS);
    command.add("-Xmx" + size.heap());
    String extra = System.getProperty("kabar.bench.flags", "");
    if (!extra.isBlank()) {
      command.addAll(List.of(extra.split(" ", -1)));
    }
    command.addAll(List.of(arguments));
    return command;
  }
}
