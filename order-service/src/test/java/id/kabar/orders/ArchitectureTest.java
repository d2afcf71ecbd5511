package id.kabar.orders;

import static com.tngtech.archunit.lang.conditions.ArchConditions.bePackagePrivate;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@AnalyzeClasses(packages = "id.kabar.orders", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  // The start of a statement, in a text block or in quotes.
  private static final Pattern SQL =
      Pattern.compile("(.*\")?(select|insert into|update \\w+|delete from|notify) ?.*");

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("id.kabar.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule outboxKnowsNoOrders =
      noClasses()
          .that()
          .resideInAPackage("id.kabar.orders.outbox")
          .should()
          .dependOnClassesThat(inOrdersOutside("id.kabar.orders.outbox"));

  @ArchTest
  static final ArchRule idempotencyKnowsNoOrders =
      noClasses()
          .that()
          .resideInAPackage("id.kabar.orders.idempotency")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("id.kabar.orders", "id.kabar.orders.outbox");

  @ArchTest
  static final ArchRule nothingKnowsKafka =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.kafka..", "org.springframework.kafka..");

  @ArchTest
  static final ArchRule typesArePackagePrivateUnlessAnotherPackageUsesThem =
      classes()
          .that(areUsedOnlyInTheirPackage())
          .should(bePackagePrivate())
          .because("a package is closed by default");

  @Test
  void sqlHasOneHomePerFeature() throws IOException {
    try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
      assertThat(
              sources
                  .filter(file -> file.toString().endsWith(".java"))
                  .filter(file -> !file.toString().endsWith("Sql.java"))
                  .filter(ArchitectureTest::quotesSql))
          .isEmpty();
    }
  }

  private static boolean quotesSql(Path file) {
    try {
      return Files.readString(file)
          .lines()
          .map(String::strip)
          .anyMatch(line -> SQL.matcher(line).matches());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static DescribedPredicate<JavaClass> inOrdersOutside(String home) {
    return DescribedPredicate.describe(
        "are Kabar's, outside of " + home,
        type ->
            type.getPackageName().startsWith("id.kabar") && !type.getPackageName().equals(home));
  }

  private static DescribedPredicate<JavaClass> areUsedOnlyInTheirPackage() {
    return DescribedPredicate.describe(
        "are used only in their package",
        type ->
            type.isTopLevelClass()
                && !type.getSimpleName().equals("package-info")
                && type.getDirectDependenciesToSelf().stream()
                    .allMatch(
                        use ->
                            use.getOriginClass().getPackageName().equals(type.getPackageName())));
  }
}
