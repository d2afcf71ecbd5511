package id.kabar.containertests;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** An authority for one test, and what it has signed; everything as PEM. */
final class Certificates {

  private static final String PASSWORD = "changeit";
  private static final Base64.Encoder BASE64 = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII));

  private final Path file;

  Certificates(Path folder) {
    file = folder.resolve("certificates.p12");
    keytool("ca", "-ext", "bc:c");
  }

  /** A certificate, and its key in PKCS #8. */
  record Identity(String certificate, String key) {}

  /** The authority's own certificate. */
  String authority() {
    return identity("ca").certificate();
  }

  /**
   * @param hosts the names that a client may know its owner by
   */
  Identity issue(String name, String... hosts) {
    List<String> options = new ArrayList<>(List.of("-signer", "ca"));
    if (hosts.length > 0) {
      options.add("-ext");
      options.add("san=" + String.join(",", Arrays.stream(hosts).map("dns:"::concat).toList()));
    }
    keytool(name, options.toArray(String[]::new));
    return identity(name);
  }

  private void keytool(String alias, String... options) {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-dname",
                "CN=" + alias,
                "-keyalg",
                "EC",
                "-validity",
                "2",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD));
    line.addAll(List.of(options));
    Command.of(line).run();
  }

  private Identity identity(String alias) {
    try (InputStream stream = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(stream, PASSWORD.toCharArray());
      return new Identity(
          pem("CERTIFICATE", store.getCertificate(alias).getEncoded()),
          pem("PRIVATE KEY", store.getKey(alias, PASSWORD.toCharArray()).getEncoded()));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("the certificate of %s is not readable".formatted(alias), e);
    }
  }

  private static String pem(String what, byte[] content) {
    return "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n"
        .formatted(what, BASE64.encodeToString(content));
  }
}
