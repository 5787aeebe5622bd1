package promises;

import harrier.Final;
import harrier.Invariant;
import harrier.Parameter;
import harrier.vertx.VertxScenario;
import java.util.function.BiPredicate;

/**
 * What the reference manual of Vert.x promises of verticles, checked in all runs: each promise is of a few verticles, which tell a witness
 * of it. {@code make libraries} fetches the library; then:
 *
 * <pre>{@code
 * harrier check examples/vertx-promises --classpath 'examples/vertx-orders/lib/*'
 * }</pre>
 *
 * <p>Expected: verified.
 */
public class Promises extends VertxScenario {
    @Parameter("the number of the promise; all if it is less than 0")
    int only = -1;

    @Override protected void setUp() {
        registerDefaultCodec(Messages.Note.class, new Messages.Note.Codec());
        deploy("witness", new Witness("", only < 0 ? -Promised.all().size() : only));
    }

    /** Any number below that of all promises; each is explored. */
    static int anyPromise(int n) {
        return choice(n);
    }

    @Invariant("the witness is told what was promised, so far")
    boolean promised() {
        return told((promise, told) -> promise.outcomes().stream().anyMatch(o -> (o + " ").startsWith(told.isEmpty() ? "" : told + " ")));
    }

    @Final("in the end the witness was told all of it")
    boolean all() {
        return told((promise, told) -> promise.outcomes().contains(told));
    }

    private boolean told(BiPredicate<Promised, String> isAsPromised) {
        Witness w = verticle(Witness.class);
        return w.promise() < 0 || isAsPromised.test(Promised.all().get(w.promise()), w.told());
    }
}
