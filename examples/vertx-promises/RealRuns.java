package promises;

import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogManager;

/**
 * Runs the verticles of all promises on the library's own Vertx, with its threads, many times, and prints what the witnesses were told and
 * how often. Fails if that is none of the outcomes that the promise declares.
 */
final class RealRuns {
    /** How many of each promise run at the same time. */
    private static final int AT_ONCE = 50;

    private RealRuns() {}

    public static void main(String[] arguments) throws Exception {
        LogManager.getLogManager().reset(); // the library warns of what is discarded
        int rounds = Integer.parseInt(arguments[0]);
        Vertx vertx = Vertx.vertx();
        vertx.eventBus().registerDefaultCodec(Messages.Note.class, new Messages.Note.Codec());
        List<Map<String, Integer>> seen = new ArrayList<>();
        Promised.all().forEach(p -> seen.add(new TreeMap<>()));
        for (int round = 0; round < rounds; round++) {
            String prefix = round + ".";
            for (int i = 0; i < seen.size() * AT_ONCE; i++) {
                vertx.deployVerticle(new Witness(prefix + i + ".", i % seen.size()));
            }
            Thread.sleep(3000); // until nothing happens any more
            for (int i = 0; i < seen.size() * AT_ONCE; i++) {
                String told = vertx.eventBus().<String>request(prefix + i + ".report", "").toCompletionStage().toCompletableFuture()
                    .get(30, TimeUnit.SECONDS).body();
                seen.get(i % seen.size()).merge(told, 1, Integer::sum);
            }
        }
        boolean isExplored = true;
        for (int i = 0; i < seen.size(); i++) {
            Promised promise = Promised.all().get(i);
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
