/**
 * Runs typed actors of Apache Pekko as actors of harrier: {@link harrier.pekko.PekkoScenario} spawns them. Each is one actor
 * ({@code TypedActor}), whose state is its present behavior, which the library's own code interprets. What a behavior
 * reaches besides ({@code Context}, {@code Ref}, {@code Timers}, {@code LocalSystem}) is implemented here by what harrier's
 * actors can do.
 */
package harrier.pekko;
