package id.kabar.emailstub;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.standalone.MappingsSource;
import com.github.tomakehurst.wiremock.stubbing.StubMapping;
import com.github.tomakehurst.wiremock.stubbing.StubMappings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** The addresses the stub answers. As WireMock's own mappings they come back after a reset. */
class ProviderRoutes implements MappingsSource {

  private static final Answer NOTHING_HERE =
      Answer.problem(
          404,
          "not-found",
          "Nothing here",
          "Emails go to POST /v1/messages, people to GET /, and switches are under /__admin/.");

  @Override
  public void loadMappingsInto(StubMappings mappings) {
    mappings.addMapping(
        post(urlPathEqualTo("/v1/messages"))
            .willReturn(aResponse().withTransformers(EmailProvider.NAME))
            .build());
    mappings.addMapping(get(urlPathEqualTo("/")).willReturn(page()).build());
    mappings.addMapping(
        any(anyUrl())
            .atPriority(Integer.MAX_VALUE)
            .willReturn(ResponseDefinitionBuilder.like(NOTHING_HERE.asDefinition()))
            .build());
  }

  private static ResponseDefinitionBuilder page() {
    try (InputStream html = ProviderRoutes.class.getResourceAsStream("/page.html")) {
      return aResponse()
          .withHeader("Content-Type", "text/html; charset=utf-8")
          .withHeader("Cache-Control", "no-store")
          .withHeader(
              "Content-Security-Policy",
              "default-src 'none'; connect-src 'self'; img-src data:;"
                  + " style-src 'unsafe-inline'; script-src 'unsafe-inline'")
          .withBody(new String(Objects.requireNonNull(html).readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // The routes are code: there is no file to save a change to.

  @Override
  public void save(List<StubMapping> mappings) {}

  @Override
  public void save(StubMapping mapping) {}

  @Override
  @SuppressWarnings("removal") // deprecated by WireMock, and still abstract
  public void remove(StubMapping mapping) {}

  @Override
  public void removeAll() {}
}
