package id.kabar.orders;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some orders, newest first, and where to go on. */
@JsonPropertyOrder({"orders", "next"})
record OrderPage(
    List<OrderView> orders,
    @Schema(description = "The next page's `after`; null on the last page")
        @Nullable String next) {}
