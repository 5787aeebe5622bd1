package orders;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;

/** Orders an item, and asks once more if no answer comes in time. */
final class Shop extends AbstractVerticle {
    private final String order;
    private String outcome = "open";

    Shop(String order) {
        this.order = order;
    }

    @Override
    public void start() {
        ask().recover(e -> isLate(e) ? ask() : Future.failedFuture(e))
            .onComplete(answer -> outcome = answer.succeeded() ? answer.result().body() : answer.cause().getMessage());
    }

    private Future<Message<String>> ask() {
        return vertx.eventBus().request("stock", new JsonObject().put("order", order), new DeliveryOptions().setSendTimeout(500));
    }

    private static boolean isLate(Throwable e) {
        return e instanceof ReplyException failure && failure.failureType() == ReplyFailure.TIMEOUT;
    }

    String outcome() {
        return outcome;
    }
}
