package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClaimTest {

  @Test
  void heavyBucketYieldsNoMoreThanItsShareOfTheBytes() {
    Claim.Builder claim = new Claim.Builder(100, 1000);

    assertThat(claim.takes(1, 600)).isTrue();
    assertThat(claim.takes(1, 600)).isFalse();
    assertThat(claim.takes(1, 10)).as("nothing may overtake what was left").isFalse();
    assertThat(claim.takes(2, 600)).isTrue();
    assertThat(claim.build(false).full()).isTrue();
  }

  @Test
  void eventLargerThanTheWholeBatchIsStillTaken() {
    Claim.Builder claim = new Claim.Builder(100, 1000);

    assertThat(claim.takes(1, 5000)).isTrue();
    assertThat(claim.takes(1, 1)).isFalse();
  }

  @Test
  void claimIsFullWhenABucketHitItsShare() {
    Claim.Builder claim = new Claim.Builder(2, 1000);
    claim.takes(1, 1);
    claim.takes(1, 1);

    assertThat(claim.build(false).full()).isTrue();
  }

  @Test
  void claimIsFullWhenEveryBucketAskedForWasFound() {
    Claim.Builder claim = new Claim.Builder(10, 1000);
    claim.takes(1, 1);

    assertThat(claim.build(true).full()).isTrue();
  }

  @Test
  void claimIsNotFullWhenAllThereWasIsIn() {
    Claim.Builder claim = new Claim.Builder(10, 1000);
    claim.takes(1, 1);
    claim.takes(2, 1);

    assertThat(claim.build(false).full()).isFalse();
  }
}
