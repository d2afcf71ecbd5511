package id.kabar.localstack.command;

/** How a word stands out on a terminal. */
enum Style {
  BOLD("1"),
  RED("31"),
  GREEN("32"),
  YELLOW("33"),
  CYAN("36");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  String on(String text) {
    return "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
