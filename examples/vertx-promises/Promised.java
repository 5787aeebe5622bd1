package promises;

import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VerticleBase;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What the reference manual of Vert.x promises of a few verticles, in terms of what a witness is told of them.
 *
 * @param name what the check and the page call it
 * @param first what deploys the verticles
 * @param outcomes what the witness may have been told when nothing happens any more, with blanks between the texts
 */
record Promised(String name, Function<Bench, Deployable> first, Set<String> outcomes) {
    static Promised of(String name, Function<Bench, Deployable> first, String... outcomes) {
        return new Promised(name, first, Set.of(outcomes));
    }

    /** All of them. */
    static List<Promised> all() {
        return Stream.of(Deploying.PROMISES, Messages.PROMISES, Contexts.PROMISES).flatMap(List::stream).toList();
    }

    /**
     * Where the verticles of a promise meet.
     *
     * @param prefix what all of their addresses begin with
     */
    record Bench(String prefix) {
        String address(String name) {
            return prefix + name;
        }

        /** Tells the witness. */
        void tell(Vertx vertx, String what) {
            vertx.eventBus().send(address("witness"), what);
        }
    }

    /** What a verticle does as it starts or stops. */
    @FunctionalInterface
    interface Code {
        Future<?> run(Vertx vertx) throws Exception;
    }

    /** What a verticle does as it starts, if it is done then. */
    @FunctionalInterface
    interface Step {
        void run(Vertx vertx) throws Exception;
    }

    /** A verticle that is made of code. */
    static final class Does extends VerticleBase {
        private final Code start;
        private final Code stop;

        Does(Code start, Code stop) {
            this.start = start;
            this.stop = stop;
        }

        @Override
        public Future<?> start() throws Exception {
            return start.run(vertx);
        }

        @Override
        public Future<?> stop() throws Exception {
            return stop.run(vertx);
        }
    }

    /** A verticle that has started when its code has run. */
    static Deployable verticle(Step start) {
        return new Does(vertx -> {
            start.run(vertx);
            return Future.succeededFuture();
        }, vertx -> Future.succeededFuture());
    }

    /** A future that is complete after some time. */
    static Future<Void> soon(Vertx vertx) {
        Promise<Void> promise = Promise.promise();
        vertx.setTimer(1, id -> promise.complete());
        return promise.future();
    }
}
