package promises;

import harrier.Final;
import harrier.Invariant;
import harrier.Parameter;
import harrier.pekko.PekkoScenario;
import java.util.function.BiPredicate;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;

/**
 * What the reference documentation of Pekko's classic actors promises, checked in all runs: each is of a few actors, one of which
 * tells a witness of it. {@code make libraries} fetches the library; then:
 *
 * <pre>{@code
 * harrier check examples/pekko-classic-promises --scenario Promises --classpath 'examples/pekko-hakkers/lib/*'
 * }</pre>
 *
 * <p>Expected: verified.
 */
public class Promises extends PekkoScenario {
    @Parameter("the number of the promise; all if it is less than 0")
    int only = -1;

    ActorRef witness;

    @Override protected void setUp() {
        witness = actorOf(Props.create(Witness.class), "witness");
        actorOf(Props.create(Chooser.class, witness, only), "chooser").tell("choose", ActorRef.noSender());
    }

    /** Chooses a promise. */
    static final class Chooser extends AbstractActor {
        private final ActorRef witness;
        private final int only;

        Chooser(ActorRef witness, Integer only) {
            this.witness = witness;
            this.only = only;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder().matchAny(m -> {
                witness.tell(new Witness.Begin(only < 0 ? choice(Promise.all().size()) : only), getSelf());
                getContext().stop(getSelf());
            }).build();
        }
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
