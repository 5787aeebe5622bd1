package promises;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.pattern.Patterns;

/**
 * Runs the actors of all promises on the library's own ActorSystem, with its threads, many times, and prints what the witnesses were
 * told and how often. Fails if that is none of the outcomes that the promise declares.
 */
final class RealRuns {
    private static final Duration LONG = Duration.ofSeconds(30);
    /** How many of each promise run at the same time. */
    private static final int AT_ONCE = 50;

    private RealRuns() {}

    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[0]);
        ActorSystem system = ActorSystem.create("real");
        List<Map<String, Integer>> seen = new ArrayList<>();
        Promise.all().forEach(p -> seen.add(new TreeMap<>()));
        for (int round = 0; round < rounds; round++) {
            List<ActorRef> witnesses = new ArrayList<>();
            for (int i = 0; i < seen.size() * AT_ONCE; i++) {
                witnesses.add(system.actorOf(Props.create(Witness.class)));
                witnesses.get(i).tell(new Witness.Begin(i % seen.size()), ActorRef.noSender());
            }
            Thread.sleep(1000); // until nothing happens any more
            for (int i = 0; i < witnesses.size(); i++) {
                Object told = Patterns.ask(witnesses.get(i), new Witness.Report(), LONG).toCompletableFuture().get();
                seen.get(i % seen.size()).merge((String) told, 1, Integer::sum);
            }
        }
        system.terminate();
        boolean isExplored = true;
        for (int i = 0; i < seen.size(); i++) {
            Promise promise = Promise.all().get(i);
            System.out.println(promise.name());
            for (Map.Entry<String, Integer> e : seen.get(i).entrySet()) {
                boolean isOne = promise.outcomes().contains(e.getKey());
                isExplored &= isOne;
                System.out.printf("  %6d  %s%s%n", e.getValue(), e.getKey(), isOne ? "" : "   which is none of " + promise.outcomes());
            }
        }
        System.exit(isExplored ? 0 : 1);
    }
}
