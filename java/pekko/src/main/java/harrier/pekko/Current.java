package harrier.pekko;

import java.util.List;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.internal.adapter.ComposedStoppingBehavior;

/** An actor's present behavior, with what people see of it. */
final class Current<T> {
    Behavior<T> behavior;

    /**
     * A behavior of the library's, made of functions of a program.
     *
     * @param state what the state of an FSM is called, or the method that made the functions, such as {@code Hakker.eating}
     * @param holds what they take along
     */
    record Made(String state, List<Object> holds) {}

    Current(Behavior<T> behavior) {
        this.behavior = behavior;
    }

    /** What counterexamples show: an object of the program's class, or where its functions are from. */
    public Object shown() {
        if (behavior instanceof ComposedStoppingBehavior) {
            return new Made("stopped", List.of());
        }
        Behavior<?> innermost = Held.innermost(behavior);
        List<Object> persistent = Held.persistent(behavior);
        if (!persistent.isEmpty()) {
            return new Made(innermost.getClass().getSimpleName(), persistent);
        }
        return Held.isPrograms(innermost) ? innermost : new Made(Held.state(innermost), Held.captured(innermost));
    }
}
