package id.kabar.orders;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.orders.api.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DocumentsTest {

  private static final Pattern TEST_NAME = Pattern.compile("`([a-z]+[A-Z]\\w{20,})`");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)\\)");

  @Test
  void theReadmeNamesEveryProblem() throws IOException {
    String readme = Files.readString(Path.of("README.md"));

    for (Problem problem : Problem.values()) {
      String name = problem.type().getPath().replace("/problems/", "");
      assertThat(readme).contains("`" + name + "`");
    }
  }

  @Test
  void everyClaimOfWhyAnOutboxIsATest() throws IOException {
    String page = Files.readString(Path.of("../docs/why-an-outbox.md"));
    String tests = testSources();

    List<String> claims = TEST_NAME.matcher(page).results().map(m -> m.group(1)).toList();

    assertThat(claims).hasSizeGreaterThan(8);
    assertThat(claims).allSatisfy(claim -> assertThat(tests).contains("void " + claim + "("));
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    for (Path page : List.of(Path.of("README.md"), Path.of("../docs/why-an-outbox.md"))) {
      assertThat(LINK.matcher(Files.readString(page)).results().map(m -> m.group(1)))
          .isNotEmpty()
          .allSatisfy(link -> assertThat(page.resolveSibling(link)).exists());
    }
  }

  private static String testSources() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        all.append(Files.readString(file));
      }
    }
    return all.toString();
  }
}
