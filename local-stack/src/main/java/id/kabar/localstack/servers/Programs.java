package id.kabar.localstack.servers;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Programs that may or may not be on this machine. */
public final class Programs {

  private Programs() {}

  public static boolean isInstalled(String program) {
    String path = System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
