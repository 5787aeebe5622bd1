package harrier.junit;

import harrier.Scenario;
import java.nio.file.Path;
import java.util.List;

/** Checks scenarios and replays traces: {@code Harrier.check(Paxos.class).set("acceptors", 5).assertVerified()}. */
public final class Harrier {
    private Harrier() {}

    /** A check of a scenario, with no options yet. */
    public static Check check(Class<? extends Scenario> scenario) {
        return new Check(scenario);
    }

    /**
     * Replays a trace against the program of the class path.
     *
     * @throws AssertionError if its violation comes about again
     */
    public static void assertGone(Path trace) {
        var json = Json.object(Binary.read(trace), trace.toString());
        var scenario = String.valueOf(json.get("scenario"));
        try {
            var type = Class.forName(scenario, false, Thread.currentThread().getContextClassLoader());
            var path = ClassPath.of(type);
            var run = Binary.run(path.with(List.of("replay", trace.toString(), "--program", path.program())));
            if (run.code() == 1) {
                throw new AssertionError("the violation of " + trace + " came about again:\n\n" + run.out());
            }
            run.require(0);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(trace + " is of " + scenario + ", which is not on the class path", e);
        }
    }
}
