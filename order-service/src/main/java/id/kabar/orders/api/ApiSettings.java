package id.kabar.orders.api;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The manners of the API.
 *
 * @param maxBody the largest body that is read
 */
@ConfigurationProperties("orders.api")
record ApiSettings(@DefaultValue("64KB") DataSize maxBody) {

  ApiSettings {
    if (maxBody.toBytes() < 1 || maxBody.toBytes() > DataSize.ofMegabytes(16).toBytes()) {
      throw new IllegalArgumentException("orders.api.max-body must be between 1B and 16MB");
    }
  }
}
