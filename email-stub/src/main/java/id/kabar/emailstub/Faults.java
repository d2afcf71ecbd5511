package id.kabar.emailstub;

import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The faults in force. */
class Faults {

  private final RandomGenerator random;
  private volatile List<Fault> inForce = List.of();

  /** The random generator decides on shares; calls use it in parallel. */
  Faults(RandomGenerator random) {
    this.random = random;
  }

  List<Fault> inForce() {
    return inForce;
  }

  void replaceWith(List<Fault> faults) {
    inForce = faults;
  }

  /** The first fault that concerns a call to this address, and has drawn it into its share. */
  Optional<Fault> striking(String address) {
    return inForce.stream()
        .filter(fault -> fault.concerns(address))
        .filter(fault -> random.nextDouble() < fault.share())
        .findFirst();
  }
}
