/**
 * What a typed actor of Akka or Pekko is: a function from a message to what is done with the next one. These few lines
 * stand in for the framework's classes of the same names, so that the code written for it compiles.
 */
@FunctionalInterface
interface Behavior<M> {
    Behavior<M> receive(Context<M> context, M message);

    /** What the framework's Behaviors has. */
    static <M> Behavior<M> same() {
        return null;
    }
}
