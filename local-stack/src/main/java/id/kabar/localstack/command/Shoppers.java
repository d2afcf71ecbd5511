package id.kabar.localstack.command;

import picocli.CommandLine.Option;

/** Who buys while a stack is looked at. */
final class Shoppers {

  @Option(
      names = "--customers",
      paramLabel = "N",
      defaultValue = "6",
      description = "How many buy at once (${DEFAULT-VALUE}).")
  private int customers;

  @Option(
      names = "--per-second",
      paramLabel = "N",
      defaultValue = "12",
      description = "Orders of all of them in a second (${DEFAULT-VALUE}).")
  private double perSecond;

  int customers() {
    return customers;
  }

  double perSecond() {
    return perSecond;
  }
}
