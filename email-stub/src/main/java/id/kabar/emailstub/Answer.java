package id.kabar.emailstub;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.HttpHeader;
import com.github.tomakehurst.wiremock.http.HttpHeaders;
import com.github.tomakehurst.wiremock.http.Response;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a call is told. */
record Answer(int status, HttpHeaders headers, String body) {

  static Answer json(int status, Object value) {
    return new Answer(status, contentType("application/json"), Json.write(value));
  }

  static Answer lines(String body) {
    return new Answer(200, contentType("application/x-ndjson"), body);
  }

  static Answer nothing(int status) {
    return new Answer(status, HttpHeaders.noHeaders(), "");
  }

  static Answer problem(int status, String type, String title, String detail) {
    Map<String, Object> problem = new LinkedHashMap<>();
    problem.put("type", "https://kabar.id/problems/" + type);
    problem.put("title", title);
    problem.put("status", status);
    problem.put("detail", detail);
    return new Answer(status, contentType("application/problem+json"), Json.write(problem));
  }

  Answer with(String header, String value) {
    return new Answer(status, headers.plus(new HttpHeader(header, value)), body);
  }

  /** Built upon the response to this very call: that of an earlier one would bring its delay. */
  Response upon(Response current) {
    return Response.Builder.like(current).but().status(status).headers(headers).body(body).build();
  }

  ResponseDefinition asDefinition() {
    return new ResponseDefinitionBuilder()
        .withStatus(status)
        .withHeaders(headers)
        .withBody(body)
        .build();
  }

  private static HttpHeaders contentType(String type) {
    return new HttpHeaders(new HttpHeader("Content-Type", type));
  }
}
