package id.kabar.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortPlanTest {

  @Test
  void portsAreTheDocumentedOnes() {
    PortPlan plan = PortPlan.shifted(0);

    assertThat(plan.of(Service.POSTGRES.number(1))).containsExactly(15432);
    assertThat(plan.of(Service.KAFKA.number(1))).containsExactly(19092, 19093);
    assertThat(plan.of(Service.EMAIL_STUB.number(1))).containsExactly(8089);
    assertThat(plan.of(Service.ORDER_SERVICE.number(1))).containsExactly(8080, 9080);
    assertThat(plan.of(Service.OUTBOX_RELAY.number(1))).containsExactly(9081);
    assertThat(plan.of(Service.OUTBOX_RELAY.number(2))).containsExactly(9181);
    assertThat(plan.of(Service.OUTBOX_RELAY.number(3))).containsExactly(9182);
    assertThat(plan.of(Service.NOTIFICATION_SERVICE.number(1))).containsExactly(9082);
    assertThat(plan.of(Service.NOTIFICATION_SERVICE.number(2))).containsExactly(9282);
  }

  @Test
  void offsetShiftsAllOfThem() {
    assertThat(PortPlan.shifted(1000).of(Service.ORDER_SERVICE.number(1)))
        .containsExactly(9080, 10080);
  }

  @Test
  void offsetThatLeavesNoRoomIsRefused() {
    assertThatThrownBy(() -> PortPlan.shifted(50_000))
        .hasMessage("The port offset must be between 0 and 40000, not 50000.");
  }

  @Test
  void noTwoInstancesShareAPort() {
    assertNoneTwice(PortPlan.shifted(0));
    assertNoneTwice(PortPlan.free());
  }

  @Test
  void instanceComesBackWhereItWas() {
    PortPlan plan = PortPlan.free();

    assertThat(plan.of(Service.KAFKA.number(1))).isEqualTo(plan.of(Service.KAFKA.number(1)));
  }

  @Test
  void rememberedPortsWinOverTheOffset() {
    PortPlan plan = PortPlan.shifted(0);
    plan.remember(Service.KAFKA.number(1), List.of(1, 2));

    assertThat(plan.of(Service.KAFKA.number(1))).containsExactly(1, 2);
  }

  private static void assertNoneTwice(PortPlan plan) {
    List<Integer> all = new ArrayList<>();
    for (Service service : Service.values()) {
      for (int number = 1; number <= (service.scalable() ? InstanceName.MOST : 1); number++) {
        all.addAll(plan.of(service.number(number)));
      }
    }
    assertThat(all).doesNotHaveDuplicates();
  }
}
