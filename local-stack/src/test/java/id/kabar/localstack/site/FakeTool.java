package id.kabar.localstack.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A shell script in the place of a program; it notes how it was called. */
record FakeTool(Path folder) {

  /**
   * @param answers what the script does, given its arguments
   */
  Tool answering(String answers) throws IOException {
    Path script = folder.resolve("fake");
    Files.writeString(script, "#!/bin/sh\necho \"$@\" >>\"%s\"\n%s\n".formatted(calls(), answers));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return new Tool(folder, script.toString());
  }

  List<String> heard() throws IOException {
    return Files.readAllLines(calls());
  }

  private Path calls() {
    return folder.resolve("calls");
  }
}
