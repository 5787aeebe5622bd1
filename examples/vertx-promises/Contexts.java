package promises;

import static promises.Promised.soon;
import static promises.Promised.verticle;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;

/** What verticles do later: timers, blocking code, futures. */
final class Contexts {
    static final List<Promised> PROMISES = List.of(
        Promised.of("a timer fires once", b -> verticle(vertx -> vertx.setTimer(1, id -> b.tell(vertx, "timer"))), "timer"),
        Promised.of("a periodic timer fires until it is cancelled", b -> verticle(vertx -> {
            int[] fired = {0};
            vertx.setPeriodic(1, id -> {
                b.tell(vertx, "" + ++fired[0]);
                if (fired[0] == 2) {
                    vertx.cancelTimer(id);
                }
            });
        }), "1 2"),
        Promised.of("a timer that is cancelled does not fire", b -> verticle(vertx -> {
            long id = vertx.setTimer(1000, i -> b.tell(vertx, "timer"));
            b.tell(vertx, vertx.cancelTimer(id) + "," + vertx.cancelTimer(id));
        }), "true,false"),
        Promised.of("timers without a delay are refused", b -> verticle(vertx -> {
            try {
                vertx.setTimer(0, i -> b.tell(vertx, "timer"));
            } catch (IllegalArgumentException e) {
                b.tell(vertx, "refused");
            }
        }), "refused"),
        Promised.of("runOnContext runs later, in order", b -> verticle(vertx -> {
            vertx.runOnContext(v -> b.tell(vertx, "1"));
            vertx.runOnContext(v -> b.tell(vertx, "2"));
            b.tell(vertx, "now");
        }), "now 1 2"),
        Promised.of("blocking code has its result on the context", b -> verticle(vertx -> {
            vertx.executeBlocking(() -> "blocking").onSuccess(r -> b.tell(vertx, r));
            vertx.executeBlocking(() -> {
                throw new IllegalStateException("failed");
            }).onFailure(e -> b.tell(vertx, e.getMessage()));
            b.tell(vertx, "now");
        }), "now blocking failed", "blocking now failed", "blocking failed now"),
        Promised.of("blocking code need not be ordered", b -> verticle(vertx -> {
            vertx.executeBlocking(() -> "1", false).onSuccess(r -> b.tell(vertx, r));
            vertx.executeBlocking(() -> "2", false).onSuccess(r -> b.tell(vertx, r));
        }), "1 2", "2 1"),
        Promised.of("a future tells its handlers in order", b -> verticle(vertx -> {
            Promise<String> promise = Promise.promise();
            promise.future().onSuccess(r -> b.tell(vertx, "1" + r));
            promise.future().onComplete(r -> b.tell(vertx, "2" + r.result()));
            soon(vertx).onSuccess(v -> promise.complete("x"));
        }), "1x 2x"),
        Promised.of("futures compose, map and recover", b -> verticle(vertx -> soon(vertx).compose(v -> Future.<String>failedFuture("a"))
            .recover(e -> Future.succeededFuture(e.getMessage() + "b")).map(r -> r + "c").eventually(() -> soon(vertx))
            .onSuccess(r -> b.tell(vertx, r))), "abc"),
        Promised.of("all waits for all, and any for one", b -> verticle(vertx -> {
            Promise<String> never = Promise.promise();
            Future.all(soon(vertx), soon(vertx)).onSuccess(v -> b.tell(vertx, "all"))
                .compose(v -> Future.any(soon(vertx), never.future())).onSuccess(v -> b.tell(vertx, "any"));
        }), "all any"),
        Promised.of("a context's handler takes exceptions, and the verticle goes on", b -> verticle(vertx -> {
            vertx.getOrCreateContext().exceptionHandler(e -> b.tell(vertx, e.getMessage()));
            vertx.runOnContext(v -> {
                throw new IllegalStateException("thrown");
            });
            vertx.runOnContext(v -> b.tell(vertx, "next"));
        }), "thrown next"),
        Promised.of("a local map keeps what is put into it", b -> verticle(vertx -> {
            vertx.sharedData().<String, String>getLocalMap(b.address("map")).put("key", "value");
            b.tell(vertx, vertx.sharedData().<String, String>getLocalMap(b.address("map")).get("key"));
        }), "value"),
        Promised.of("a context keeps what is put into it", b -> verticle(vertx -> {
            vertx.getOrCreateContext().put("key", "value");
            soon(vertx).onSuccess(v -> b.tell(vertx, vertx.getOrCreateContext().get("key")));
        }), "value"));

    private Contexts() {}
}
