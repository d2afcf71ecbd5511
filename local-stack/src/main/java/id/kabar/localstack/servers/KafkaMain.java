package id.kabar.localstack.servers;

import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * Formats the data folder if it is new, then is a Kafka broker; one JVM for both saves a second.
 */
final class KafkaMain {

  private static final String CLUSTER_ID =
      "S2FiYXJMb2NhbFN0YWNrMA"; // sixteen bytes: KabarLocalStack0

  private KafkaMain() {}

  static void main(String[] args) {
    String configuration = args[0];
    String[] format = {
      "format", "--cluster-id", CLUSTER_ID, "--config", configuration, "--ignore-formatted"
    };
    int code = StorageTool.execute(format, System.out);
    if (code != 0) {
      throw new IllegalStateException("Kafka's data folder could not be formatted, see above");
    }
    Kafka.main(new String[] {configuration});
  }
}
