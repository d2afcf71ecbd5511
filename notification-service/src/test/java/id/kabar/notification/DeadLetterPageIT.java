package id.kabar.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** A person works on dead letters in a browser. */
class DeadLetterPageIT extends OperatedService {

  @TempDir static Path profile;
  private static Browser browser;

  @BeforeAll
  static void start() {
    browser = Browser.start(profile).orElse(null);
    if (browser == null) {
      System.out.println(
          "DeadLetterPageIT is skipped: chromium and chromedriver are not on the path"
              + " (Debian: apt-get install chromium chromium-driver)");
    }
    assumeTrue(browser != null, "chromium and chromedriver are not on the path");
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void nothingLeftOfOthers() {
    jdbc.sql("update dead_letter set state = 'DISCARDED', settled_at = now() where state = 'OPEN'")
        .update();
    jdbc.sql("update replay_job set ended_at = now() - interval '1 h' where ended_at is not null")
        .update();
    browser.size(1100, 900);
    browser.prefers("light");
  }

  @AfterEach
  void nothingWentWrongInThePage() {
    assertThat(browser.errors()).isEmpty();
  }

  @Test
  void lettersAreCountedListedAndTellTheirStory() {
    List<UUID> events = rejected(3);
    open();
    assertThat(browser.find("#cause-REJECTED .count").getText()).isEqualTo("3");
    assertThat(browser.find("#waiting").getText()).isEqualTo("3 open letters");
    assertThat(browser.all("#letters tr")).hasSize(3);

    long id = idOf(events.getFirst());
    browser.click("#letter-%d button".formatted(id));
    shows("#letter-body", "Attempt 1: rejected with 422");
    assertThat(text("#letter-body"))
        .contains("s***@pelanggan.example")
        .doesNotContain(OrderPaidRecords.ADDRESS);
    browser.photograph("letter");

    browser.click("#letter-full");
    browser.click("#act-do");
    shows("#letter-body", OrderPaidRecords.ADDRESS);
    assertThat(operator().get("/dead-letters/" + id).body()).contains("\"action\":\"SHOW\"");
  }

  @Test
  void aLetterIsReplayedAfterASecondLook() {
    UUID event = rejected(1).getFirst();
    open();
    browser.click("#letter-%d button".formatted(idOf(event)));
    browser.click("#letter-replay");
    assertThat(letterOf(event)).isEqualTo("OPEN REJECTED");
    browser.click("#act-do");
    shows("#news", "is on its way");
    awaitLetter(event, "RESOLVED REJECTED");
    eventually().until(() -> browser.find("#waiting").getText().equals("Nothing waits."));
  }

  @Test
  void whatMatchesTheFilterIsReplayedAtOnceAndWatched() {
    List<UUID> events = rejected(4);
    jdbc.sql("update dead_letter set replays = 5 where event_id = ?").param(events.get(3)).update();
    open();
    browser.click("#cause-REJECTED");
    eventually()
        .until(
            () -> browser.find("#cause-REJECTED").getDomAttribute("aria-pressed").equals("true"));
    browser.click("#replay-all");
    shows("#act-text", "Of 4 open letters of the cause “Rejected” 3 would be sent again.");
    shows("#act-refusals", "1 refused: too many replays");
    browser.photograph("replay");
    browser.click("#act-do");
    shows("#jobs", "4 of 4 letters, 1 of them refused, done");
    events.subList(0, 3).forEach(event -> awaitLetter(event, "RESOLVED REJECTED"));
    browser.photograph("replayed");
  }

  @Test
  void theKeyboardAloneIsEnough() {
    List<UUID> events = rejected(2);
    open();
    browser.tabTo("#letter-%d button".formatted(idOf(events.getFirst())));
    browser.press(Keys.ENTER);
    shows("#letter-title", "Letter " + idOf(events.getFirst()));
    browser.press(Keys.ESCAPE);
    eventually().until(() -> !browser.is("document.getElementById('letter').open"));

    browser.tabTo("#discard-all");
    browser.press(Keys.ENTER);
    shows("#act-text", "2 open letters would be closed.");
    browser.tabTo("#act-reason");
    browser.press(Keys.ENTER); // without a reason nothing happens
    assertThat(letterOf(events.getFirst())).isEqualTo("OPEN REJECTED");
    browser.press("customers were called", Keys.ENTER);
    shows("#news", "2 letters discarded.");
    assertThat(events)
        .allSatisfy(event -> assertThat(letterOf(event)).isEqualTo("DISCARDED REJECTED"));
  }

  @Test
  void aPhoneShowsAllOfIt() {
    List<UUID> events = rejected(3);
    browser.size(360, 740);
    open();
    assertThat(browser.all("#letters tr")).hasSize(3);
    fitsTheWidth();
    browser.photograph("phone");
    browser.click("#letter-%d button".formatted(idOf(events.getFirst())));
    shows("#letter-body", "rejected with 422");
    fitsTheWidth();
    browser.photograph("phone-letter");
    browser.prefers("dark");
    browser.photograph("phone-letter-dark");
    browser.size(1100, 900);
    browser.press(Keys.ESCAPE);
    browser.photograph("dark");
  }

  @Test
  void aProblemIsSaidInWords() {
    UUID event = rejected(1).getFirst();
    open();
    browser.click("#letter-%d button".formatted(idOf(event)));
    browser.click("#letter-replay");
    breakers.circuitBreaker("email").transitionToForcedOpenState();
    browser.click("#act-do");
    shows("#act-problem", "The provider is not called right now");
    assertThat(browser.errors()).singleElement().asString().contains("409");
  }

  private void open() {
    browser.open("http://operator:secret@localhost:%d/dead-letters/".formatted(port));
    browser.open("http://localhost:%d/dead-letters/".formatted(port)); // now it knows them
    browser.find("#cause-REJECTED");
  }

  private static String text(String css) {
    return browser.find(css).getText();
  }

  private static void shows(String css, String text) {
    eventually().untilAsserted(() -> assertThat(text(css)).contains(text));
  }

  private static void fitsTheWidth() {
    assertThat(browser.is("document.documentElement.scrollWidth <= window.innerWidth")).isTrue();
    for (WebElement dialog : browser.all("dialog[open]")) {
      assertThat(dialog.getSize().getWidth()).isLessThanOrEqualTo(360);
      assertThat(browser.is("document.querySelector('dialog[open]').scrollWidth <= 360")).isTrue();
    }
  }
}
