package id.kabar.notification.operator;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The operator's account.
 *
 * @param password of the user {@code operator}; without one nobody is let in
 */
@ConfigurationProperties("operator")
record OperatorSettings(@DefaultValue("") String password) {

  boolean closed() {
    return password.isBlank();
  }

  /** Without the password: this text may end up in a log. */
  @Override
  public String toString() {
    return "OperatorSettings[password=***]";
  }
}
