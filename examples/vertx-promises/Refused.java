package promises;

import harrier.Parameter;
import harrier.vertx.VertxScenario;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/**
 * What verticles cannot do in a check.
 *
 * <p>Expected: violated, with a line that says what is not there and what to do.
 */
public final class Refused extends VertxScenario {
    @Parameter("the number of what is done")
    int what = 0;

    private static final List<Promised.Step> ALL = List.of(
        vertx -> vertx.createHttpServer(),
        vertx -> vertx.eventBus().registerCodec(new Messages.Note.Codec()),
        vertx -> vertx.sharedData().getLocalMap("map").put("key", "value"),
        vertx -> vertx.eventBus().send("__vertx.reply.1", "answer"),
        vertx -> vertx.cancelTimer(7),
        Vertx::deploymentIDs,
        vertx -> Promised.soon(vertx).map(v -> vertx.deploymentIDs()).recover(e -> Future.succeededFuture()));

    @Override protected void setUp() {
        deploy("verticle", 2, i -> Promised.verticle(ALL.get(what)));
    }
}
