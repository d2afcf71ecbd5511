package id.kabar.localstack.servers;

import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/**
 * Formats the data folder if it is new, then is a Kafka broker; one JVM for both saves a second.
 */
final class KafkaMain {

  private KafkaMain() {}

  static void main(String[] args) {
    String configuration = args[0];
    String[] format = {
      "format",
      "--cluster-id",
      Uuid.randomUuid().toString(),
      "--config",
      configuration,
      "--ignore-formatted"
    };
    int code = StorageTool.execute(format, System.out);
    if (code != 0) {
      throw new IllegalStateException("Kafka's data folder could not be formatted, see above");
    }
    Kafka.main(new String[] {configuration});
  }
}
