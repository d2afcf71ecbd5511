package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.servers.Java;
import id.kabar.localstack.servers.ServerFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Hands over to the benchmarks, which have a class path and servers of their own. */
@Command(
    name = "bench",
    description = {
      "Measures Kabar and its rivals on this machine, and writes one report: a subset of five"
          + " minutes,",
      "or with --full everything, which takes hours. `bench -- --help` shows what can be chosen."
    },
    mixinStandardHelpOptions = true)
final class Bench implements Callable<Integer> {

  @Parameters(paramLabel = "-- OPTIONS", description = "For the benchmarks.")
  private List<String> options = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path checkout = LocalStack.checkout();
    Path target = checkout.resolve("benchmarks/target");
    if (!Files.exists(target.resolve("benchmarks.jar"))) {
      throw new ServerFailed(
          "The benchmarks are not built: `./mvnw -pl benchmarks -am -Dmaven.test.skip=true package`"
              + " builds them.");
    }
    List<String> command = new ArrayList<>(List.of(Java.executable(), "-Xmx1g"));
    command.add("-Dlogback.configurationFile=id/kabar/localstack/command/logback.xml");
    command.add("-Dkabar.checkout=" + checkout);
    command.addAll(List.of("-cp", target.resolve("benchmarks.jar") + ":" + target + "/lib/*"));
    command.add("id.kabar.benchmarks.Benchmarks");
    command.addAll(options);
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }
}
