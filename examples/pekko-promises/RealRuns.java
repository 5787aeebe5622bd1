package promises;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.SpawnProtocol;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/**
 * Runs the actors of all promises on the library's own ActorSystem, with its threads, many times, and prints what the witnesses were
 * told and how often. Fails if that is none of the outcomes that the promise declares.
 */
final class RealRuns {
    private static final Duration LONG = Duration.ofSeconds(30);
    /** How many of each promise run at the same time. */
    private static final int AT_ONCE = 50;

    private RealRuns() {}

    /** The library's own stores in memory and, for snapshots, in files, and one for durable states. */
    private static Config stores() throws IOException {
        return ConfigFactory.parseString("pekko.persistence { journal.plugin = pekko.persistence.journal.inmem,"
            + " snapshot-store { plugin = pekko.persistence.snapshot-store.local, local.dir = " + Files.createTempDirectory("snapshots") + " },"
            + " state.plugin = pekko.persistence.states, states.class = " + RealStates.class.getName() + " },"
            + " pekko.actor.allow-java-serialization = on, pekko.actor.warn-about-java-serializer-usage = off").withFallback(ConfigFactory.load());
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[0]);
        ActorSystem<SpawnProtocol.Command> system = ActorSystem.create(SpawnProtocol.create(), "real", stores());
        List<Map<String, Integer>> seen = new ArrayList<>();
        Promise.all().forEach(p -> seen.add(new TreeMap<>()));
        for (int round = 0; round < rounds; round++) {
            List<ActorRef<Object>> witnesses = new ArrayList<>();
            for (int i = 0; i < seen.size() * AT_ONCE; i++) {
                CompletionStage<ActorRef<Object>> witness = AskPattern.ask(system,
                    to -> new SpawnProtocol.Spawn<>(Witness.create(), "", Props.empty(), to), LONG, system.scheduler());
                witnesses.add(witness.toCompletableFuture().get());
                witnesses.get(i).tell(new Witness.Begin(i % seen.size()));
            }
            Thread.sleep(1000); // until nothing happens any more
            for (int i = 0; i < witnesses.size(); i++) {
                CompletionStage<String> told = AskPattern.<Object, String>ask(witnesses.get(i), Witness.Report::new, LONG, system.scheduler());
                seen.get(i % seen.size()).merge(told.toCompletableFuture().get(), 1, Integer::sum);
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
