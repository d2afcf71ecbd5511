package id.kabar.orders;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.orders.Shop.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@WholeService
class OrderListIT {

  @Autowired Shop shop;
  private List<String> newestFirst;

  @BeforeEach
  void tenOrders() {
    shop.sql().sql("delete from orders").update();
    newestFirst = IntStream.range(0, 10).mapToObj(n -> shop.placeOrder()).toList().reversed();
  }

  @Test
  void goesThroughAllOrdersNewestFirstAndEndsWithNull() {
    List<String> seen = new ArrayList<>();
    List<Integer> pages = new ArrayList<>();
    String next = "";
    while (next != null) {
      Answer page = shop.get("/orders?limit=3" + (next.isEmpty() ? "" : "&after=" + next));
      assertThat(page.status()).isEqualTo(200);
      seen.addAll(ids(page));
      pages.add(ids(page).size());
      next = page.json().get("next").stringValue(null);
    }

    assertThat(seen).isEqualTo(newestFirst);
    assertThat(pages).containsExactly(3, 3, 3, 1);
  }

  @Test
  void neitherSkipsNorRepeatsOrdersOfOneMoment() {
    shop.sql().sql("update orders set created_at = '2026-11-30T12:00:00Z'").update();

    Answer first = shop.get("/orders?limit=5");
    Answer second = shop.get("/orders?limit=5&after=" + first.json().get("next").stringValue());

    List<String> seen = new ArrayList<>(ids(first));
    seen.addAll(ids(second));
    assertThat(seen).isEqualTo(newestFirst);
    assertThat(second.json().get("next").isNull()).isTrue();
  }

  @Test
  void isNotDisturbedByOrdersPlacedMeanwhile() {
    Answer first = shop.get("/orders?limit=5");
    shop.placeOrder();
    Answer second = shop.get("/orders?limit=5&after=" + first.json().get("next").stringValue());

    assertThat(ids(second)).isEqualTo(newestFirst.subList(5, 10));
  }

  @Test
  void keepsToAStatus() {
    shop.pay(newestFirst.get(2));
    shop.pay(newestFirst.get(7));
    shop.cancel(newestFirst.get(4));

    assertThat(ids(shop.get("/orders?status=PAID")))
        .containsExactly(newestFirst.get(2), newestFirst.get(7));
    assertThat(ids(shop.get("/orders?status=CANCELLED"))).containsExactly(newestFirst.get(4));
    Answer first = shop.get("/orders?status=PENDING&limit=6");
    Answer rest =
        shop.get("/orders?status=PENDING&limit=6&after=" + first.json().get("next").stringValue());
    assertThat(ids(first)).hasSize(6);
    assertThat(ids(rest)).containsExactly(newestFirst.get(9));
  }

  @Test
  void showsAnOrderAsItIsShownAlone() {
    String id = newestFirst.getFirst();
    Answer paid = shop.pay(id);

    assertThat(shop.get("/orders/" + id).json()).isEqualTo(paid.json());
    assertThat(shop.get("/orders?limit=1").json().get("orders").get(0)).isEqualTo(paid.json());
    assertThat(paid.json().propertyNames())
        .containsExactly(
            "id", "customerEmail", "totalAmount", "currency", "status", "createdAt", "paidAt");
  }

  @Test
  void isEmptyWhereThereIsNothing() {
    shop.sql().sql("delete from orders").update();

    assertThat(shop.get("/orders").body()).isEqualTo("{\"orders\":[],\"next\":null}");
  }

  private static List<String> ids(Answer page) {
    return page.json().get("orders").valueStream().map(o -> o.get("id").stringValue()).toList();
  }
}
