package id.kabar.orders;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.ArraySchema;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What all operations of the API have in common: their problems, and the key of the three POSTs.
 */
@Configuration(proxyBeanMethods = false)
class ApiDescription {

  private static final String PROBLEM = "Problem";

  @Bean
  OpenAPI description() {
    return new OpenAPI()
        .info(
            new Info()
                .title("order-service")
                .version("v1")
                .description(
                    "Orders are placed, and paid or cancelled. A paid order's customer gets one email."));
  }

  @Bean
  OpenApiCustomizer conventions() {
    return api -> {
      // Here and not before: springdoc drops a schema that its own operations do not refer to.
      api.getComponents().addSchemas(PROBLEM, problem());
      api.getPaths()
          .values()
          .forEach(
              path -> {
                path.readOperations().forEach(ApiDescription::describeProblems);
                if (path.getPost() != null) {
                  path.getPost().addParametersItem(idempotencyKey());
                }
              });
    };
  }

  private static void describeProblems(Operation operation) {
    Content content =
        new Content()
            .addMediaType(
                "application/problem+json",
                new MediaType().schema(new Schema<>().$ref("#/components/schemas/" + PROBLEM)));
    operation
        .getResponses()
        .forEach(
            (status, response) -> {
              if (!status.startsWith("2")) {
                response.setContent(content);
              }
            });
    operation
        .getResponses()
        .addApiResponse(
            "default",
            new ApiResponse().description("Refused, for the reason it says").content(content));
  }

  private static HeaderParameter idempotencyKey() {
    HeaderParameter key = new HeaderParameter();
    key.name("Idempotency-Key")
        .description(
            "Your own name for this request: sent again under it, it takes effect once and is answered alike")
        .required(false)
        .schema(new StringSchema().minLength(1).maxLength(255));
    return key;
  }

  private static Schema<?> problem() {
    Schema<?> error =
        new ObjectSchema()
            .addProperty("field", new StringSchema())
            .addProperty("message", new StringSchema());
    return new ObjectSchema()
        .description("RFC 9457")
        .addProperty("type", new StringSchema().format("uri"))
        .addProperty("title", new StringSchema())
        .addProperty("status", new IntegerSchema())
        .addProperty("detail", new StringSchema())
        .addProperty("instance", new StringSchema())
        .addProperty("errors", new ArraySchema().items(error));
  }
}
