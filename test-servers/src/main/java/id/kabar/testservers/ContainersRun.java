package id.kabar.testservers;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Beans that only make sense where the servers are containers. */
class ContainersRun implements Condition {

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    return Mode.current() == Mode.CONTAINERS;
  }

  /** Its opposite. */
  static class Not extends ContainersRun {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return !super.matches(context, metadata);
    }
  }
}
