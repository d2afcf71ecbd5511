package id.kabar.localstack.chaos;

import id.kabar.localstack.history.Run.Disturbance;
import id.kabar.localstack.history.Run.Operation;
import id.kabar.localstack.history.Run.Sample;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What is written down while things break, by many at once. */
final class Notes {

  private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();
  private final Queue<Disturbance> disturbances = new ConcurrentLinkedQueue<>();
  private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();

  void add(Operation operation) {
    operations.add(operation);
  }

  void add(Disturbance disturbance) {
    disturbances.add(disturbance);
  }

  void add(Sample sample) {
    samples.add(sample);
  }

  List<Operation> operations() {
    return List.copyOf(operations);
  }

  List<Disturbance> disturbances() {
    return List.copyOf(disturbances);
  }

  List<Sample> samples() {
    return List.copyOf(samples);
  }
}
