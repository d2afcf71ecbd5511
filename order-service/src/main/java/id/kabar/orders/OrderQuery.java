package id.kabar.orders;

import id.kabar.orders.api.InvalidField;
import id.kabar.orders.api.InvalidRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;

/**
 * A question for some orders, newest first: of one status or of all, older than a cursor, at most a
 * limit.
 */
record OrderQuery(@Nullable OrderStatus status, UUID before, int limit) {

  static final int DEFAULT_LIMIT = 20;
  static final int MAX_LIMIT = 100;

  private static final UUID NEWEST = new UUID(-1, -1);

  static OrderQuery of(@Nullable String status, @Nullable String after, @Nullable String limit) {
    List<InvalidField> errors = new ArrayList<>();
    Optional<OrderStatus> wantedStatus = status == null ? Optional.empty() : parseStatus(status);
    Optional<UUID> before = after == null ? Optional.of(NEWEST) : parseCursor(after);
    Optional<Integer> wantedLimit = limit == null ? Optional.of(DEFAULT_LIMIT) : parseLimit(limit);
    if (status != null && wantedStatus.isEmpty()) {
      errors.add(new InvalidField("status", "must be PENDING, PAID or CANCELLED"));
    }
    if (before.isEmpty()) {
      errors.add(new InvalidField("after", "must be the `next` of an earlier page"));
    }
    if (wantedLimit.isEmpty()) {
      errors.add(new InvalidField("limit", "must be an integer between 1 and " + MAX_LIMIT));
    }
    if (!errors.isEmpty()) {
      throw new InvalidRequest(errors);
    }
    return new OrderQuery(
        wantedStatus.orElse(null), before.orElseThrow(), wantedLimit.orElseThrow());
  }

  OrderPage answer(Orders orders) {
    Limit oneMore = Limit.of(limit + 1); // tells whether there is a next page
    List<Order> found =
        status == null
            ? orders.findByIdLessThanOrderByIdDesc(before, oneMore)
            : orders.findByStatusAndIdLessThanOrderByIdDesc(status, before, oneMore);
    List<Order> page = found.subList(0, Math.min(limit, found.size()));
    return new OrderPage(
        page.stream().map(OrderView::of).toList(),
        found.size() > limit ? cursor(page.getLast().id()) : null);
  }

  private static Optional<OrderStatus> parseStatus(String text) {
    return List.of(OrderStatus.values()).stream().filter(s -> s.name().equals(text)).findFirst();
  }

  private static Optional<Integer> parseLimit(String text) {
    return Optional.of(text)
        .filter(t -> t.matches("\\d{1,3}"))
        .map(Integer::valueOf)
        .filter(n -> n >= 1 && n <= MAX_LIMIT);
  }

  private static String cursor(UUID id) {
    byte[] bytes =
        ByteBuffer.allocate(16)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits())
            .array();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static Optional<UUID> parseCursor(String text) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
      return bytes.remaining() == 16
          ? Optional.of(new UUID(bytes.getLong(), bytes.getLong()))
          : Optional.empty();
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
  }
}
