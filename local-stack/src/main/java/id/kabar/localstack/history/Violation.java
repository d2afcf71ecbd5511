package id.kabar.localstack.history;

import java.util.List;

/**
 * One broken promise.
 *
 * @param subject the id of the order or event it happened to
 * @param sentence what is wrong with it
 * @param story everything known about that order, in the order of time
 */
public record Violation(Kind kind, String subject, String sentence, List<Moment> story) {}
