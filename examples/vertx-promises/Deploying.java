package promises;

import static promises.Promised.soon;
import static promises.Promised.verticle;

import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import promises.Promised.Bench;
import promises.Promised.Does;

/** How verticles are deployed and undeployed. */
final class Deploying {
    static final List<Promised> PROMISES = List.of(
        Promised.of("deployment is complete when start is", b -> verticle(vertx -> vertx.deployVerticle(new Does(v -> soon(v).onSuccess(x ->
            b.tell(v, "started")), v -> null)).onSuccess(id -> b.tell(vertx, "deployed"))), "started deployed"),
        Promised.of("who is deployed has its consumers", b -> verticle(vertx -> vertx.deployVerticle(verticle(v ->
            v.eventBus().consumer(b.address("a"), m -> b.tell(v, "got")))).onSuccess(id -> vertx.eventBus().send(b.address("a"), "x"))), "got"),
        Promised.of("deployment fails when start does", b -> verticle(vertx -> vertx.deployVerticle(new Does(v ->
            Future.failedFuture("broken"), v -> null)).onFailure(e -> b.tell(vertx, e.getMessage()))), "broken"),
        Promised.of("deployment fails when start throws", b -> verticle(vertx -> vertx.deployVerticle(new Does(v -> {
            throw new IllegalStateException("thrown");
        }, v -> null)).onFailure(e -> b.tell(vertx, e.getMessage()))), "thrown"),
        Promised.of("who fails to start has no consumers, nor children", b -> verticle(vertx -> vertx.deployVerticle(new Does(v -> {
            v.eventBus().consumer(b.address("a"), m -> b.tell(v, "got"));
            return v.deployVerticle(stopping(b, "child")).compose(id -> Future.failedFuture("broken"));
        }, v -> null)).onFailure(e -> {
            b.tell(vertx, e.getMessage());
            Messages.askNobody(vertx, b, "a");
        })), "child broken nobody"),
        Promised.of("the other instances are undeployed when one fails to start", b -> verticle(vertx -> {
            int[] made = {0};
            vertx.deployVerticle(() -> {
                String name = "i" + made[0]++;
                return name.equals("i0") ? stopping(b, name) : new Does(v -> Future.failedFuture("broken"), v -> null);
            }, new DeploymentOptions().setInstances(2)).onFailure(e -> b.tell(vertx, e.getMessage()));
        }), "i0 broken"),
        Promised.of("undeploying stops, children first", b -> verticle(vertx -> vertx.deployVerticle(new Does(v ->
            v.deployVerticle(stopping(b, "child")), v -> {
                b.tell(v, "parent");
                return Future.succeededFuture();
            })).compose(vertx::undeploy).onSuccess(v -> b.tell(vertx, "undeployed"))), "child parent undeployed"),
        Promised.of("who has a child that fails to stop stays, and may be undeployed then", b -> verticle(vertx -> vertx.deployVerticle(new Does(v ->
            v.deployVerticle(new Does(c -> Future.succeededFuture(), c -> Future.failedFuture("broken"))), v -> {
                b.tell(v, "parent");
                return Future.succeededFuture();
            })).onSuccess(id -> vertx.undeploy(id).onFailure(e -> {
                b.tell(vertx, e.getMessage());
                vertx.undeploy(id).onSuccess(v -> b.tell(vertx, "undeployed"));
            }))), "broken parent undeployed"),
        Promised.of("what who throws as it starts deploys is undeployed", b -> verticle(vertx -> vertx.deployVerticle(new Does(v -> {
            v.deployVerticle(stopping(b, "child"));
            throw new IllegalStateException("thrown");
        }, v -> null)).onFailure(e -> b.tell(vertx, e.getMessage()))), "child thrown", "thrown child"),
        Promised.of("undeploying is complete when stop is", b -> verticle(vertx -> vertx.deployVerticle(new Does(v -> Future.succeededFuture(),
            v -> soon(v).onSuccess(x -> b.tell(v, "stopped")))).compose(vertx::undeploy).onSuccess(v -> b.tell(vertx, "undeployed"))),
            "stopped undeployed"),
        Promised.of("undeploying fails when stop does, and undeploys", b -> verticle(vertx -> vertx.deployVerticle(new Does(v -> {
            v.eventBus().consumer(b.address("a"), m -> b.tell(v, "got"));
            return Future.succeededFuture();
        }, v -> Future.failedFuture("broken"))).compose(vertx::undeploy).onFailure(e -> {
            b.tell(vertx, e.getMessage());
            Messages.askNobody(vertx, b, "a");
        })), "broken nobody"),
        Promised.of("who is undeployed has no consumers and timers", b -> verticle(vertx -> vertx.deployVerticle(verticle(v -> {
            v.eventBus().consumer(b.address("a"), m -> b.tell(v, "got"));
            v.setTimer(100_000, id -> b.tell(v, "timer"));
        })).compose(vertx::undeploy).onSuccess(v -> Messages.askNobody(vertx, b, "a"))), "nobody", "timer nobody"),
        Promised.of("undeploying twice fails", b -> verticle(vertx -> vertx.deployVerticle(stopping(b, "stop")).onSuccess(id ->
            vertx.undeploy(id).compose(v -> vertx.undeploy(id)).onFailure(e -> b.tell(vertx, e.getMessage())))), "stop Unknown deployment"),
        Promised.of("a verticle undeploys itself", b -> verticle(vertx -> vertx.deployVerticle(new Does(v -> soon(v).onSuccess(x ->
            v.setTimer(1, t -> v.undeploy(v.getOrCreateContext().deploymentID()))), v -> {
                b.tell(v, "stop");
                return Future.succeededFuture();
            }))), "stop"),
        Promised.of("instances are all deployed", b -> verticle(vertx -> vertx.deployVerticle(() -> verticle(v -> b.tell(v, "i")),
            new DeploymentOptions().setInstances(3)).onSuccess(id -> b.tell(vertx, "deployed"))), "i i i deployed"),
        Promised.of("a verticle has its configuration", b -> verticle(vertx -> vertx.deployVerticle(verticle(v ->
            b.tell(v, v.getOrCreateContext().config().getString("key"))), new DeploymentOptions().setConfig(new JsonObject().put("key", "value")))),
            "value"));

    private Deploying() {}

    /** A verticle that says that it stops. */
    private static Deployable stopping(Bench b, String name) {
        return new Does(v -> Future.succeededFuture(), v -> {
            b.tell(v, name);
            return Future.succeededFuture();
        });
    }
}
