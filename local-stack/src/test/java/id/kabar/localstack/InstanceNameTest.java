package id.kabar.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class InstanceNameTest {

  @Test
  void serviceAloneMeansItsFirstInstance() {
    assertThat(InstanceName.parse("outbox-relay"))
        .isEqualTo(new InstanceName(Service.OUTBOX_RELAY, 1))
        .hasToString("outbox-relay#1");
  }

  @Test
  void numberNamesOneOfSeveral() {
    assertThat(InstanceName.parse("notification-service#12"))
        .isEqualTo(new InstanceName(Service.NOTIFICATION_SERVICE, 12));
  }

  @Test
  void whatRunsOnceIsShownWithoutANumber() {
    assertThat(InstanceName.parse("kafka#1")).hasToString("kafka");
  }

  @Test
  void unknownServiceIsAnsweredWithThoseThereAre() {
    assertThatThrownBy(() -> InstanceName.parse("relay"))
        .isInstanceOf(UnknownName.class)
        .hasMessage(
            "There is no service 'relay'. There are: postgres, kafka, email-stub, order-service,"
                + " outbox-relay, notification-service.");
  }

  @Test
  void secondOfWhatRunsOnceIsRefused() {
    assertThatThrownBy(() -> InstanceName.parse("kafka#2")).hasMessage("There is only one kafka.");
  }

  @Test
  void numberOutOfRangeIsRefused() {
    assertThatThrownBy(() -> InstanceName.parse("outbox-relay#0"))
        .hasMessage("outbox-relay#0 cannot be: instances are numbered from 1 to 32.");
    assertThatThrownBy(() -> InstanceName.parse("outbox-relay#33")).isInstanceOf(UnknownName.class);
  }

  @Test
  void whatIsNoNameIsAnsweredWithAnExample() {
    assertThatThrownBy(() -> InstanceName.parse("outbox-relay #2"))
        .hasMessageContaining("like outbox-relay#2");
  }
}
