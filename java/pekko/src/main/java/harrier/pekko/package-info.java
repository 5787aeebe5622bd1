/**
 * Runs actors of Apache Pekko as actors of harrier: {@link harrier.pekko.PekkoScenario} spawns them. Each typed one is one actor
 * ({@code TypedActor}), whose state is its present behavior, which the library's own code interprets. What a behavior
 * reaches besides ({@code Context}, {@code Ref}, {@code Timers}, {@code LocalSystem}) is implemented here by what harrier's
 * actors can do. A classic actor is a {@code ClassicActor}, whose {@code Cell} the library's own code runs; in checks it finds our
 * versions of some of the library's classes (src/checks).
 */
package harrier.pekko;
