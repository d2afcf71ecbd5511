package id.kabar.emailstub;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a provider must not forget when its process dies: which key was delivered when, with which
 * body. Written before the answer is given, a line per delivery, and not synced: it survives
 * SIGKILL, not a power cut. Holds no address, only its hash.
 */
final class Journal {

  private static final int COLUMNS = 5;

  private final @Nullable FileChannel file;
  private final String run;
  private final String[] lines;

  private Journal(@Nullable FileChannel file, String run, String[] lines) {
    this.file = file;
    this.run = run;
    this.lines = lines;
  }

  /** Forgets everything at once. */
  static Journal none() {
    return new Journal(null, newRun(), new String[0]);
  }

  /**
   * The journal in that file, which is made if need be.
   *
   * @throws Unusable if it cannot be read and written, or is something else
   */
  static Journal in(Path path) {
    try {
      FileChannel file =
          FileChannel.open(
              path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      ByteBuffer content = ByteBuffer.allocate((int) file.size());
      while (content.hasRemaining() && file.read(content) >= 0) {}
      String text = UTF_8.decode(content.flip()).toString();
      String whole = text.substring(0, text.lastIndexOf('\n') + 1); // a last line may be torn
      file.truncate(whole.getBytes(UTF_8).length).position(file.size());
      Journal journal;
      if (whole.isEmpty()) {
        journal = new Journal(file, newRun(), new String[0]);
        journal.write(journal.run);
      } else {
        String[] all = whole.split("\n");
        if (!all[0].matches("[0-9a-f]{8}")) {
          throw new Unusable(path + " is no journal of a stub; choose another file", null);
        }
        journal = new Journal(file, all[0], all);
      }
      return journal;
    } catch (IOException e) {
      throw new Unusable("the journal %s cannot be used: %s".formatted(path, e.getMessage()), e);
    }
  }

  /** Differs from inbox to inbox, so that a message id never means two messages. */
  String run() {
    return run;
  }

  /** Tells of every delivery, in order. */
  void forEach(BiConsumer<String, KeyHistory> reader) {
    for (int number = 1; number < lines.length; number++) {
      String[] columns = lines[number].split(" ", COLUMNS);
      reader.accept(
          columns[4],
          new KeyHistory(
              Long.parseLong(columns[0]),
              Long.parseLong(columns[1]),
              Long.parseLong(columns[2]),
              Sha256.ofHex(columns[3]),
              1,
              0));
    }
  }

  void delivered(String key, KeyHistory history) {
    if (file == null) {
      return;
    }
    write(
        "%d %d %d %s %s"
            .formatted(
                history.message(),
                history.acceptedAt(),
                history.address(),
                history.body().hex(),
                key));
  }

  /** From now on it tells of nothing that was before. */
  void clear() {
    if (file == null) {
      return;
    }
    try {
      file.truncate(0).position(0);
    } catch (IOException e) {
      throw new UncheckedIOException("the journal could not be emptied", e);
    }
    write(run);
  }

  private void write(String line) {
    if (file == null) {
      return;
    }
    try {
      ByteBuffer bytes = UTF_8.encode(line + "\n");
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the journal could not be written", e);
    }
  }

  private static String newRun() {
    return UUID.randomUUID().toString().substring(0, 8);
  }

  /** The file cannot be a journal; the message says why. */
  static final class Unusable extends RuntimeException {

    private Unusable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
