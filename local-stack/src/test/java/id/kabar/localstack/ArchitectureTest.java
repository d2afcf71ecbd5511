package id.kabar.localstack;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "id.kabar.localstack", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("id.kabar.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule serversKnowNothingOfTheStack =
      noClasses()
          .that()
          .resideInAPackage("..servers")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "id.kabar.localstack",
              "id.kabar.localstack.command",
              "id.kabar.localstack.site",
              "id.kabar.localstack.history");

  @ArchTest
  static final ArchRule onlyTheCommandReadsArguments =
      noClasses()
          .that()
          .resideOutsideOfPackage("..command")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("picocli..");
}
