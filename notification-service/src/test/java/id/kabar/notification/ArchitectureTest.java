package id.kabar.notification;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.RestController;

@AnalyzeClasses(
    packages = "id.kabar.notification",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("id.kabar.notification.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule theRestIsUsedByTheListenerNotTheOtherWayRound =
      noClasses()
          .that()
          .resideInAnyPackage("id.kabar.notification.*..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("id.kabar.notification");

  @ArchTest
  static final ArchRule sqlIsInTheLedgerOnly =
      noClasses()
          .that()
          .resideOutsideOfPackage("id.kabar.notification.ledger")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.springframework.jdbc..", "java.sql..", "javax.sql..");

  @ArchTest
  static final ArchRule theLedgerKnowsNeitherKafkaNorHttp =
      noClasses()
          .that()
          .resideInAPackage("id.kabar.notification.ledger")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.kafka..",
              "org.springframework.kafka..",
              "org.springframework.web..",
              "java.net.http..");

  @ArchTest
  static final ArchRule onlyTheEmailPackageCallsTheProvider =
      noClasses()
          .that()
          .resideOutsideOfPackage("id.kabar.notification.email")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.springframework.web.client..", "java.net.http..");

  @ArchTest
  static final ArchRule nobodyOutsideNeedsAControllerOrAConfiguration =
      classes()
          .that()
          .areAnnotatedWith(RestController.class)
          .or()
          .areAnnotatedWith(Configuration.class)
          .should()
          .notBePublic();
}
