package id.kabar.relay;

import static org.springframework.security.config.Customizer.withDefaults;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Health and metrics are open; all else on this port is the operator's, and shut without a
 * password.
 */
@Configuration(proxyBeanMethods = false)
class OperatorAccess {

  private static final Logger log = LoggerFactory.getLogger(OperatorAccess.class);

  /**
   * Who may act.
   *
   * @param password of the user {@code operator}; nobody may act while it is not given
   */
  @ConfigurationProperties("operator")
  record OperatorSettings(@Nullable String password) {}

  @Bean
  SecurityFilterChain operatorOnly(HttpSecurity http) {
    return http.authorizeHttpRequests(
            requests ->
                requests
                    .requestMatchers(EndpointRequest.to("health", "info", "prometheus"))
                    .permitAll()
                    .anyRequest()
                    .hasRole("OPERATOR"))
        .httpBasic(basic -> basic.authenticationEntryPoint(unauthorized()))
        .exceptionHandling(exceptions -> exceptions.authenticationEntryPoint(unauthorized()))
        .sessionManagement(
            session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .csrf(AbstractHttpConfigurer::disable) // no cookie, hence no request that forges one
        .requestCache(AbstractHttpConfigurer::disable)
        .anonymous(withDefaults())
        .build();
  }

  @Bean
  UserDetailsService operators(OperatorSettings settings) {
    InMemoryUserDetailsManager operators = new InMemoryUserDetailsManager();
    String password = settings.password();
    if (password == null || password.isBlank()) {
      log.warn("No operator can log in: set operator.password (OPERATOR_PASSWORD) to allow it");
    } else {
      operators.createUser(
          User.withUsername("operator").password("{noop}" + password).roles("OPERATOR").build());
    }
    return operators;
  }

  private static AuthenticationEntryPoint unauthorized() {
    return (request, response, exception) -> refuse(response, exception);
  }

  private static void refuse(HttpServletResponse response, AuthenticationException exception)
      throws java.io.IOException {
    log.debug("Refused: {}", exception.getMessage());
    response.setStatus(HttpStatus.UNAUTHORIZED.value());
    response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"operator\"");
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    response
        .getWriter()
        .write(
            """
            {"type":"https://kabar.id/problems/operator-credentials","title":"Operator credentials are needed",\
            "status":401,"detail":"Use HTTP Basic as user operator with the password of operator.password."}
            """);
  }
}
