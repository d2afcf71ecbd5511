package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "topic",
    mixinStandardHelpOptions = true,
    description = "Prints a topic's records; customers' addresses are masked.")
final class Topic implements Callable<Integer> {

  private static final Duration POLL = Duration.ofMillis(200);
  private static final Pattern ADDRESS =
      Pattern.compile("[^\\s\"<>,:;@\\\\]+@([^\\s\"<>,:;@\\\\]+)");

  @ParentCommand private Kabar kabar = new Kabar();

  @Parameters(paramLabel = "TOPIC", description = "order.paid or order.paid.DLT")
  private String topic = "";

  @Option(
      names = {"-n", "--last"},
      paramLabel = "N",
      defaultValue = "20",
      description = "How many of the latest records of each partition (${DEFAULT-VALUE}).")
  private int last;

  @Option(names = "--full", description = "Do not mask addresses.")
  private boolean full;

  @Option(
      names = {"-f", "--follow"},
      description = "Go on with what arrives from now on, until Ctrl-C.")
  private boolean follow;

  @Override
  public Integer call() {
    LocalStack stack = kabar.runningStack();
    try (KafkaConsumer<String, byte[]> consumer = Records.consumer(stack.bootstrapServers())) {
      List<TopicPartition> partitions = Records.partitions(consumer, topic);
      List<Records.Span> spans = Records.spans(consumer, partitions);
      consumer.assign(partitions);
      for (Records.Span span : spans) {
        consumer.seek(span.partition(), Math.max(span.beginning(), span.end() - Math.max(0, last)));
      }
      List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
      while (spans.stream().anyMatch(s -> consumer.position(s.partition()) < s.end())) {
        consumer.poll(POLL).forEach(records::add);
      }
      records.sort(Comparator.comparingLong(ConsumerRecord::timestamp));
      records.forEach(this::print);
      while (follow) {
        consumer.poll(POLL).forEach(this::print);
      }
      long all = spans.stream().mapToLong(Records.Span::size).sum();
      kabar.terminal().say("%d of %d records in %s".formatted(records.size(), all, topic));
    }
    return 0;
  }

  private void print(ConsumerRecord<String, byte[]> each) {
    Terminal terminal = kabar.terminal();
    terminal.say(
        "%s  key %s"
            .formatted(
                Terminal.styled(Style.BOLD, "%d@%d".formatted(each.partition(), each.offset())),
                each.key()));
    terminal.say("  %s".formatted(headers(each)));
    terminal.say("  %s".formatted(shown(each.value())));
  }

  private String headers(ConsumerRecord<?, ?> each) {
    return StreamSupport.stream(each.headers().spliterator(), false)
        .map((Header header) -> header.key() + "=" + shown(header.value()))
        .collect(Collectors.joining("  "));
  }

  private String shown(byte @Nullable [] bytes) {
    if (bytes == null) {
      return "null";
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    return full ? text : masked(text);
  }

  /** Keeps an address's domain, which tells a tester enough. */
  static String masked(String text) {
    return ADDRESS.matcher(text).replaceAll("***@$1");
  }
}
