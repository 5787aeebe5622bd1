import harrier.Actor;
import harrier.Handler;

/** Does what is refused, and hides it: "// refused:" says at the line that does it what is told. */
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
