package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClaimTest {

  @Test
  void heavyBucketYieldsNoMoreThanItsShareOfTheBytes() {
    Claim.Builder claim = new Claim.Builder(100, 1000);

    assertThat(takes(claim, 1, 600)).isTrue();
    assertThat(takes(claim, 1, 600)).isFalse();
    assertThat(takes(claim, 1, 10)).as("nothing may overtake what was left").isFalse();
    assertThat(takes(claim, 2, 600)).isTrue();
    assertThat(claim.build(false).full()).isTrue();
    assertThat(claim.build(false).heavy()).isTrue();
  }

  @Test
  void eventLargerThanTheWholeBatchIsStillTaken() {
    Claim.Builder claim = new Claim.Builder(100, 1000);

    assertThat(takes(claim, 1, 5000)).isTrue();
    assertThat(takes(claim, 1, 1)).isFalse();
  }

  @Test
  void claimIsFullWhenABucketHitItsShare() {
    Claim.Builder claim = new Claim.Builder(2, 1000);
    takes(claim, 1, 1);
    takes(claim, 1, 1);

    assertThat(claim.build(false).full()).isTrue();
    assertThat(claim.build(false).heavy()).isFalse();
  }

  @Test
  void claimIsFullWhenEveryBucketAskedForWasFound() {
    Claim.Builder claim = new Claim.Builder(10, 1000);
    takes(claim, 1, 1);

    assertThat(claim.build(true).full()).isTrue();
  }

  @Test
  void claimIsNotFullWhenAllThereWasIsIn() {
    Claim.Builder claim = new Claim.Builder(10, 1000);
    takes(claim, 1, 1);
    takes(claim, 2, 1);

    assertThat(claim.build(false).full()).isFalse();
  }

  @Test
  void bucketWasSeenToItsLastEventOrAsFarAsTheDatabaseSays() {
    Claim.Builder claim = new Claim.Builder(2, 1000);
    claim.bucket(1, 7, 50);
    claim.takes(10, 1);
    claim.takes(20, 1);
    claim.bucket(2, 0, 50);
    claim.takes(10, 1);
    claim.bucket(3, 0, 50);
    claim.bucket(4, 0, 0);
    claim.takes(10, 600);
    claim.takes(20, 600);

    assertThat(claim.build(false).reaches())
        .containsEntry(1, new Claim.Reach(20, 7, false))
        .containsEntry(2, new Claim.Reach(50, 0, false))
        .containsEntry(3, new Claim.Reach(50, 0, true))
        .containsEntry(4, new Claim.Reach(10, 0, false));
  }

  private static boolean takes(Claim.Builder claim, int bucket, int payloadBytes) {
    claim.bucket(bucket, 0, 0);
    return claim.takes(1, payloadBytes);
  }
}
