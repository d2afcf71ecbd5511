package id.kabar.localstack.site;

import java.util.Locale;

/** The ways in which all of Kabar runs on one machine. */
public enum Target {
  LOCAL("./kabar up"),
  COMPOSE("docker compose up -d --wait"),
  KIND("k8s/kind/up.sh");

  private final String startedBy;

  Target(String startedBy) {
    this.startedBy = startedBy;
  }

  String startedBy() {
    return startedBy;
  }

  /** The word people write after {@code --on}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
