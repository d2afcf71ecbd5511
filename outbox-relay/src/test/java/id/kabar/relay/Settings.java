package id.kabar.relay;

import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The relay's settings as a test wants them, bound as the application binds them. */
final class Settings {

  private Settings() {}

  static RelaySettings defaults() {
    return of();
  }

  /**
   * @param pairs names without their prefix, each followed by its value
   */
  static RelaySettings of(String... pairs) {
    Map<String, String> properties = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      properties.put("relay." + pairs[i], pairs[i + 1]);
    }
    return new Binder(new MapConfigurationPropertySource(properties))
        .bindOrCreate("relay", RelaySettings.class);
  }
}
