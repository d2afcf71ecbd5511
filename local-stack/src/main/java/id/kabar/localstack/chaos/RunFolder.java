package id.kabar.localstack.chaos;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.servers.ServerFailed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a run keeps its stack: a new folder, or the one of an earlier run, which is emptied. */
final class RunFolder {

  private static final String MARK = "chaos-run";

  private RunFolder() {}

  /**
   * Takes the stack's folder.
   *
   * @throws ServerFailed if it holds what somebody may want to keep
   */
  static void claim(LocalStack stack) {
    Path mark = stack.home().resolve(MARK);
    if (Files.exists(stack.home()) && !Files.exists(mark)) {
      throw new ServerFailed(
          "%s is there, and is not of an earlier run, which would be deleted. Choose another folder with --data."
              .formatted(stack.home()));
    }
    stack.wipe();
    stack.claim();
    try {
      Files.writeString(mark, "The next run here deletes all of this.\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
