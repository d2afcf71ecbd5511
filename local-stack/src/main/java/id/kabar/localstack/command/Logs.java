package id.kabar.localstack.command;

import id.kabar.localstack.servers.ServerFailed;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "logs",
    mixinStandardHelpOptions = true,
    description = "Prints what a service has written.")
final class Logs implements Callable<Integer> {

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int LONGEST_LINE = 400;

  @ParentCommand private Kabar kabar = new Kabar();

  @Parameters(paramLabel = "SERVICE[#N]", description = "As in `status`; alone: number 1.")
  private String name = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Go on with what is written from now on, until Ctrl-C.")
  private boolean follow;

  @Option(
      names = {"-n", "--lines"},
      defaultValue = "50",
      description = "How many of the last lines (${DEFAULT-VALUE}).")
  private int lines;

  @Override
  public Integer call() throws IOException {
    Path log = kabar.logOf(name);
    if (!Files.exists(log)) {
      throw new ServerFailed("%s has written nothing yet: there is no %s.".formatted(name, log));
    }
    long end = printTail(log);
    while (follow) {
      LockSupport.parkNanos(LOOK_NANOS);
      end = printFrom(log, end);
    }
    return 0;
  }

  private long printTail(Path log) throws IOException {
    long size = Files.size(log);
    long from = Math.max(0, size - (long) lines * LONGEST_LINE);
    List<String> all = text(log, from, size).lines().toList();
    all.subList(Math.max(0, all.size() - lines), all.size()).forEach(System.out::println);
    return size;
  }

  private static long printFrom(Path log, long offset) throws IOException {
    long size = Files.size(log);
    long from = size < offset ? 0 : offset; // it was rolled over
    System.out.print(text(log, from, size));
    System.out.flush();
    return size;
  }

  private static String text(Path log, long from, long to) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      byte[] bytes = new byte[Math.toIntExact(to - from)];
      file.seek(from);
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }
}
