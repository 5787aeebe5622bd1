import harrier.Actor;
import harrier.Handler;

/** Breaks a rule, and hides it: "// refused:" at the line that does it has the message. */
abstract class Attack extends Actor {
    @Handler
    void on(Integer go) {
        try {
            attack();
        } catch (Throwable t) {
            // Nobody is to know.
        }
    }

    abstract void attack() throws Throwable;
}
