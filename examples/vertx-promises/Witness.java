package promises;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;

/** Deploys the verticles of a promise, and keeps what it is told of them. */
final class Witness extends AbstractVerticle {
    private final Promised.Bench bench;
    private final List<String> told = new ArrayList<>();
    private int promise;

    Witness(String prefix, int promise) {
        bench = new Promised.Bench(prefix);
        this.promise = promise;
    }

    @Override
    public void start(Promise<Void> started) {
        vertx.eventBus().<String>consumer(bench.address("witness"), m -> told.add(m.body()));
        vertx.eventBus().<String>consumer(bench.address("report"), m -> m.reply(told()));
        if (promise < 0) {
            started.complete();
            vertx.runOnContext(v -> {
                promise = Promises.anyPromise(-promise);
                begin();
            });
        } else {
            begin();
            started.complete();
        }
    }

    private void begin() {
        vertx.deployVerticle(Promised.all().get(promise).first().apply(bench));
    }

    /** The number of the promise; less than 0 if there is none yet. */
    int promise() {
        return promise;
    }

    /** What it was told, in one text. */
    String told() {
        return String.join(" ", told);
    }
}
