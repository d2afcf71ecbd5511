package id.kabar.localstack.servers;

import java.nio.file.Path;
import java.util.List;

/** A server that is a line of shell; ready when its log has the word "ready". */
class ShellServer extends ServerProcess {

  private final String script;

  ShellServer(Path folder, String script) {
    super("shell", List.of(), folder.resolve("shell.log"));
    this.script = script;
  }

  @Override
  protected void prepare() {}

  @Override
  protected List<String> command() {
    return List.of("sh", "-c", script);
  }

  @Override
  protected boolean isReady(OsProcess process) {
    return LogTail.textFrom(log(), 0).contains("ready");
  }
}
