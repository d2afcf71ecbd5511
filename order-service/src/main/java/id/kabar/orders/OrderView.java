package id.kabar.orders;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An order as its readers see it. */
@JsonPropertyOrder({
  "id",
  "customerEmail",
  "totalAmount",
  "currency",
  "status",
  "createdAt",
  "paidAt"
})
record OrderView(
    UUID id,
    @Schema(type = "string", example = "ani@example.com") EmailAddress customerEmail,
    @Schema(description = "In the currency's minor unit", example = "15000000") long totalAmount,
    @Schema(description = "ISO 4217", example = "IDR") String currency,
    OrderStatus status,
    Instant createdAt,
    @Nullable Instant paidAt) {

  static OrderView of(Order order) {
    return new OrderView(
        order.id(),
        order.customerEmail(),
        order.totalAmount(),
        order.currency(),
        order.status(),
        order.createdAt(),
        order.paidAt());
  }
}
