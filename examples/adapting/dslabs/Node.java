import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.time.Duration;

/**
 * The glue: a node as the DSLabs framework has it, on top of an actor. A node sends messages, sets timers that are never
 * cancelled, and has a method for each kind of both.
 */
abstract class Node extends Actor {
    /** Marks what nodes send. */
    interface Message {}

    /** Marks what nodes set. */
    interface Timer {}

    /** What DSLabs finds by the names of methods. */
    protected abstract void handle(Message message, ActorName sender);

    protected abstract void fired(Timer timer);

    protected abstract void init();

    @Override
    protected final void start() {
        init();
    }

    protected final void set(Timer timer, int milliseconds) {
        setTimer(timer, Duration.ofMillis(milliseconds));
    }

    @Handler
    final void on(Message message, ActorName sender) {
        handle(message, sender);
    }

    @Handler
    final void on(Timer timer) {
        fired(timer);
    }
}
