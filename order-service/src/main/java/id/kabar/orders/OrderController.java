package id.kabar.orders;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.time.Clock;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The life of an order, over HTTP. */
@Tag(name = "orders")
@RestController
@RequestMapping(path = "/orders", produces = MediaType.APPLICATION_JSON_VALUE)
class OrderController {

  private final Orders orders;
  private final OrderPayments payments;
  private final OrderCancellations cancellations;
  private final Supplier<UUID> ids;
  private final Clock clock;

  OrderController(
      Orders orders,
      OrderPayments payments,
      OrderCancellations cancellations,
      Supplier<UUID> ids,
      Clock clock) {
    this.orders = orders;
    this.payments = payments;
    this.cancellations = cancellations;
    this.ids = ids;
    this.clock = clock;
  }

  @Operation(summary = "Place an order")
  @ApiResponse(responseCode = "201", description = "Placed; Location is its address")
  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<OrderView> place(@RequestBody PlaceOrder request) {
    Order order = orders.saveAndFlush(new Order(ids.get(), request, clock));
    return ResponseEntity.created(URI.create("/orders/" + order.id())).body(OrderView.of(order));
  }

  @Operation(summary = "Look at an order")
  @ApiResponse(responseCode = "200", description = "The order")
  @ApiResponse(responseCode = "404", description = "There is no such order")
  @GetMapping("/{id}")
  OrderView show(@PathVariable UUID id) {
    return orders.findById(id).map(OrderView::of).orElseThrow(() -> new OrderNotFound(id));
  }

  @Operation(summary = "List orders, newest first")
  @ApiResponse(responseCode = "200", description = "A page of orders")
  @GetMapping
  OrderPage list(
      @Parameter(schema = @Schema(implementation = OrderStatus.class))
          @RequestParam(required = false)
          @Nullable String status,
      @Parameter(description = "The `next` of the page before") @RequestParam(required = false)
          @Nullable String after,
      @Parameter(
              schema =
                  @Schema(type = "integer", minimum = "1", maximum = "100", defaultValue = "20"))
          @RequestParam(required = false)
          @Nullable String limit) {
    return OrderQuery.of(status, after, limit).answer(orders);
  }

  @Operation(summary = "Pay an order", description = "Its customer gets one email.")
  @ApiResponse(responseCode = "200", description = "The order, PAID")
  @ApiResponse(responseCode = "404", description = "There is no such order")
  @ApiResponse(responseCode = "409", description = "The order is not PENDING")
  @PostMapping("/{id}/pay")
  OrderView pay(@PathVariable UUID id) {
    return OrderView.of(payments.pay(id));
  }

  @Operation(summary = "Cancel an order")
  @ApiResponse(responseCode = "200", description = "The order, CANCELLED")
  @ApiResponse(responseCode = "404", description = "There is no such order")
  @ApiResponse(responseCode = "409", description = "The order is not PENDING")
  @PostMapping("/{id}/cancel")
  OrderView cancel(@PathVariable UUID id) {
    return OrderView.of(cancellations.cancel(id));
  }
}
