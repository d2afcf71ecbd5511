package id.kabar.orders;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.orders.Shop.Answer;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@WholeService
class ApiDescriptionIT {

  @Autowired Shop shop;

  @Test
  void theDocumentedExampleWorks() {
    JsonNode properties = description().at("/components/schemas/PlaceOrder/properties");
    Map<String, Object> example =
        properties
            .propertyStream()
            .collect(Collectors.toMap(Map.Entry::getKey, p -> p.getValue().get("example")));

    Answer placed = shop.post("/orders", JsonMapper.shared().writeValueAsString(example));

    assertThat(example).containsOnlyKeys("customerEmail", "totalAmount", "currency");
    assertThat(placed.status()).isEqualTo(201);
    assertThat(shop.get(placed.header("Location").orElseThrow()).json()).isEqualTo(placed.json());
  }

  @Test
  void everyOperationIsDescribedWithItsProblems() {
    JsonNode paths = description().get("paths");

    assertThat(paths.propertyNames())
        .containsExactlyInAnyOrder(
            "/orders", "/orders/{id}", "/orders/{id}/pay", "/orders/{id}/cancel");
    List<JsonNode> operations = paths.valueStream().flatMap(JsonNode::valueStream).toList();
    assertThat(operations)
        .hasSize(5)
        .allSatisfy(
            operation -> {
              assertThat(operation.path("summary").asString("")).isNotBlank();
              assertThat(
                      operation.at("/responses/default/content/application~1problem+json/schema"))
                  .isNotEmpty();
            });
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    JsonNode description = description();
    List<String> references =
        Pattern.compile("\"\\$ref\":\"#([^\"]+)\"")
            .matcher(description.toString())
            .results()
            .map(reference -> reference.group(1))
            .distinct()
            .toList();

    assertThat(references).contains("/components/schemas/Problem");
    assertThat(references)
        .allSatisfy(to -> assertThat(description.at(to).isMissingNode()).isFalse());
  }

  @Test
  void thePostsTakeAnIdempotencyKey() {
    JsonNode paths = description().get("paths");

    for (String path : List.of("/orders", "/orders/{id}/pay", "/orders/{id}/cancel")) {
      assertThat(
              paths
                  .get(path)
                  .at("/post/parameters")
                  .valueStream()
                  .map(p -> p.get("name").stringValue()))
          .contains("Idempotency-Key");
    }
  }

  @Test
  void anOrderIsDescribedAsItIsAnswered() {
    String id = shop.placeOrder();

    assertThat(description().at("/components/schemas/OrderView/properties").propertyNames())
        .containsExactlyInAnyOrderElementsOf(shop.get("/orders/" + id).json().propertyNames());
    assertThat(description().at("/components/schemas/OrderView/properties/customerEmail/type"))
        .hasToString("\"string\"");
  }

  @Test
  void aPageShowsItToPeople() {
    Answer page = shop.get("/swagger-ui/index.html", "Accept", "text/html");

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.body()).contains("Swagger UI");
    assertThat(shop.get("/v3/api-docs/swagger-config").json().get("url").stringValue())
        .isEqualTo("/v3/api-docs");
  }

  private JsonNode description() {
    return shop.get("/v3/api-docs").json();
  }
}
