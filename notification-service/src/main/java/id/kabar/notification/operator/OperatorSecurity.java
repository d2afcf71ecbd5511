package id.kabar.notification.operator;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import tools.jackson.databind.json.JsonMapper;

/** Health and metrics are open; everything else on this port asks for the operator. */
@Configuration(proxyBeanMethods = false)
class OperatorSecurity {

  private static final Logger log = LoggerFactory.getLogger(OperatorSecurity.class);

  /** Nothing but our own files, nothing inline, no frame around it. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  @Bean
  SecurityFilterChain operatorOnly(HttpSecurity http, JsonMapper json) {
    return http.authorizeHttpRequests(
            requests ->
                requests
                    .requestMatchers(
                        "/actuator/health/**", "/actuator/info", "/actuator/prometheus")
                    .permitAll()
                    .anyRequest()
                    .hasRole("OPERATOR"))
        .httpBasic(
            basic ->
                basic.authenticationEntryPoint(
                    (request, response, refused) -> askForCredentials(response, json)))
        .sessionManagement(
            sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        // no session that a token could belong to; but a browser sends Basic credentials by itself
        .csrf(AbstractHttpConfigurer::disable)
        .addFilterBefore(new OwnPagesOnly(json), BasicAuthenticationFilter.class)
        .headers(
            headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives(POLICY)))
        .logout(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .build();
  }

  private static void askForCredentials(HttpServletResponse response, JsonMapper json)
      throws IOException {
    ProblemDetail problem =
        ProblemDetail.forStatusAndDetail(
            HttpStatus.UNAUTHORIZED, "This needs the operator's credentials.");
    problem.setType(URI.create("https://kabar.id/problems/unauthorized"));
    response.setStatus(HttpStatus.UNAUTHORIZED.value());
    response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"notification-service\"");
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    response.getOutputStream().write(json.writeValueAsBytes(problem));
  }

  @Bean
  PasswordEncoder passwordEncoder() {
    return PasswordEncoderFactories.createDelegatingPasswordEncoder();
  }

  @Bean
  UserDetailsService operators(OperatorSettings settings, PasswordEncoder encoder) {
    if (settings.closed()) {
      log.warn(
          "No operator.password is set (OPERATOR_PASSWORD): every operator action answers 401");
      return new InMemoryUserDetailsManager();
    }
    return new InMemoryUserDetailsManager(
        User.withUsername("operator")
            .password(encoder.encode(settings.password()))
            .roles("OPERATOR")
            .build());
  }
}
