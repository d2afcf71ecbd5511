package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.chaos.ChaosRun;
import id.kabar.localstack.history.Sources;
import id.kabar.localstack.site.Site;
import id.kabar.localstack.site.Sites;
import id.kabar.localstack.site.Target;

/** Reaches the stack of a run as commands reach any Kabar on this machine. */
final class OfSite implements ChaosRun.Access {

  @Override
  public Sources sources(LocalStack stack) {
    try (Site site = site(stack)) {
      return site.sources();
    }
  }

  @Override
  public int replay(LocalStack stack) {
    try (Site site = site(stack)) {
      return new Operator(site).replay(null);
    }
  }

  private static Site site(LocalStack stack) {
    return new Sites(stack, LocalStack.checkout()).reach(Target.LOCAL);
  }
}
