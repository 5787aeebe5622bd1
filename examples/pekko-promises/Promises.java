package promises;

import harrier.Allow;
import harrier.Final;
import harrier.Invariant;
import harrier.Parameter;
import harrier.pekko.PekkoScenario;
import java.util.function.BiPredicate;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * What the reference documentation of Pekko's typed actors promises, checked in all runs: each is of a few actors, one of which
 * tells a witness of it. {@code make libraries} fetches the library; then:
 *
 * <pre>{@code
 * harrier check examples/pekko-promises --scenario Promises --classpath 'examples/pekko-cart/lib/*'
 * }</pre>
 *
 * <p>Expected: verified.
 */
@Allow("randomness=seed:1") // by which a restart with backoff takes a little longer
public class Promises extends PekkoScenario {
    @Parameter("the number of the promise; all if it is less than 0")
    int only = -1;

    ActorRef<Object> witness;

    @Override protected void setUp() {
        withReceptionist();
        witness = spawn(Witness.create(), "witness");
        int first = only < 0 ? first() : only;
        int last = only < 0 ? end() - 1 : only;
        spawn(chooser(witness, first, last), "chooser").tell("choose");
    }

    /** The number of the first promise that is checked. */
    int first() {
        return 0;
    }

    /** The number after the last. */
    int end() {
        return Promise.all().size() - Persistence.PROMISES.size();
    }

    private static Behavior<String> chooser(ActorRef<Object> witness, int first, int last) {
        return Behaviors.receiveMessage(m -> {
            witness.tell(new Witness.Begin(first + choice(last - first + 1)));
            return Behaviors.stopped();
        });
    }

    @Invariant("the witness is told what was promised, so far")
    boolean promised() {
        return told((promise, told) -> promise.outcomes().stream().anyMatch(o -> (o + " ").startsWith(told.isEmpty() ? "" : told + " ")));
    }

    @Final("in the end the witness was told all of it")
    boolean all() {
        return told((promise, told) -> promise.outcomes().contains(told));
    }

    private boolean told(BiPredicate<Promise, String> isAsPromised) {
        Witness w = state(witness, Witness.class);
        return w.promise() < 0 || isAsPromised.test(Promise.all().get(w.promise()), w.told());
    }
}
