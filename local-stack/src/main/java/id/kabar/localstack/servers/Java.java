package id.kabar.localstack.servers;

import java.nio.file.Path;

/** The Java that runs this, for processes that are to run on the same. */
public final class Java {

  private Java() {}

  public static String executable() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** The class path of this JVM; under Surefire the real one, not its jar that only names it. */
  public static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
