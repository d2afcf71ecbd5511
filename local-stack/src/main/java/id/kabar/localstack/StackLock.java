package id.kabar.localstack;

import id.kabar.localstack.servers.ServerFailed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * One command at a time changes a stack; the system frees the lock when its holder ends, however
 * that happens.
 */
final class StackLock implements LocalStack.Lock {

  private final FileChannel channel;

  private StackLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * @throws ServerFailed naming the process that has it
   */
  static StackLock take(StackFolder folder) {
    Path file = folder.lock();
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (lock(channel) == null) {
        String holder = StandardCharsets.UTF_8.decode(content(channel)).toString().strip();
        channel.close();
        throw new ServerFailed(
            "Another kabar command (process %s) is changing the stack in %s. Try again when it is done."
                .formatted(holder, folder.home()));
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)));
      return new StackLock(channel);
    } catch (IOException e) {
      throw new ServerFailed("%s cannot be locked: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // held by this very JVM
    }
  }

  private static ByteBuffer content(FileChannel channel) throws IOException {
    ByteBuffer content = ByteBuffer.allocate(64);
    channel.read(content, 0);
    return content.flip();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new ServerFailed("the lock could not be given back: " + e.getMessage(), e);
    }
  }
}
