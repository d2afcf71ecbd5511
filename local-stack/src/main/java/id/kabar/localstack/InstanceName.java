package id.kabar.localstack;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One process of a service: {@code outbox-relay#2}. A service alone means its first instance; one
 * that is never scaled is shown without a number.
 */
public record InstanceName(Service service, int number) implements Comparable<InstanceName> {

  public static final int MOST = 32;

  private static final Pattern FORM = Pattern.compile("([a-z-]+)(?:#(\\d{1,3}))?");
  private static final Comparator<InstanceName> ORDER =
      Comparator.comparing(InstanceName::service).thenComparingInt(InstanceName::number);

  public InstanceName {
    int most = service.scalable() ? MOST : 1;
    if (number < 1 || number > most) {
      throw new UnknownName(
          most == 1
              ? "There is only one %s.".formatted(service)
              : "%s#%d cannot be: instances are numbered from 1 to %d."
                  .formatted(service, number, most));
    }
  }

  /**
   * Reads what people write.
   *
   * @throws UnknownName saying what a name looks like
   */
  public static InstanceName parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new UnknownName(
          "'%s' names no instance. Say a service, or one of its instances like outbox-relay#2."
              .formatted(text));
    }
    String number = matcher.group(2);
    return new InstanceName(
        Service.named(matcher.group(1)), number == null ? 1 : Integer.parseInt(number));
  }

  /** For files: without the #, which shells take for a comment. */
  public String fileName() {
    return service.scalable() ? service.label() + "-" + number : service.label();
  }

  @Override
  public int compareTo(InstanceName other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return service.scalable() ? service.label() + "#" + number : service.label();
  }
}
