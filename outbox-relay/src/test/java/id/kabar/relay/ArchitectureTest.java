package id.kabar.relay;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.sql.PreparedStatement;
import java.sql.Statement;

@AnalyzeClasses(packages = "id.kabar.relay", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule nothingIsPublicBecauseNobodyElseCallsIt = classes().should().notBePublic();

  @ArchTest
  static final ArchRule statementsAreRunByTheOutboxAlone =
      noClasses()
          .that()
          .haveSimpleNameNotEndingWith("Sql")
          .and()
          .doNotHaveSimpleName("Outbox")
          .and()
          .doNotHaveSimpleName("Upkeep")
          .and()
          .doNotHaveSimpleName("DatabaseSession")
          .and()
          .doNotHaveSimpleName("DoorbellLine")
          .and()
          .doNotHaveSimpleName("ParkedEvents")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(PreparedStatement.class, Statement.class, OutboxSql.class);

  @ArchTest
  static final ArchRule relayKnowsNoOtherService =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "id.kabar.orders..", "id.kabar.notification..", "id.kabar.emailstub..");
}
