package harrier.vertx;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;

/** A verticle of Vert.x: its context, and what that is for. */
final class VerticleActor extends Actor {
    /** The verticle whose code runs on a thread. */
    private static final ThreadLocal<VerticleActor> HERE = new ThreadLocal<>();

    private final Deployable verticle;
    /** Who deployed it; null if the scenario did. */
    private final ActorName parent;
    private final Services services;
    /** The id of its deployment; null if that is its name. */
    private final String deployment;
    private final LocalContext context;
    private final LocalVertx vertx;
    private final Alarms alarms = new Alarms(this);
    private final Blocking blocking = new Blocking(this);
    private final Deployments deployments = new Deployments(this);
    private State state = State.STARTING;

    private enum State { STARTING, DEPLOYED, UNDEPLOYING, STAYING, UNDEPLOYED }

    VerticleActor(Deployable verticle, ActorName parent, Services services, String deployment, DeploymentOptions options) {
        this.verticle = verticle;
        this.parent = parent;
        this.services = services;
        this.deployment = deployment;
        context = new LocalContext(this, options);
        vertx = new LocalVertx(this, services);
    }

    /** The verticle whose code runs. */
    static VerticleActor here() {
        VerticleActor here = HERE.get();
        if (here == null) {
            throw new AssertionError("this works in verticles");
        }
        return here;
    }

    private void during(Runnable code) {
        VerticleActor before = HERE.get();
        HERE.set(this);
        try {
            code.run();
        } finally {
            HERE.set(before);
        }
        context.rethrow();
    }

    @Override
    protected void start() {
        if (parent == null) {
            deploy();
        }
    }

    /** The library has no such thing, and the bus still knows the consumers from before. */
    @Override
    protected void onRestart() {
        throw LocalVertx.unsupported("a restart of a verticle", "have another verticle deploy it anew");
    }

    @Handler
    void start(Mail.Start m) {
        deploy();
    }

    private void deploy() {
        during(() -> attempt(() -> verticle.deploy(context)).onComplete(done -> {
            if (done.succeeded()) {
                state = State.DEPLOYED;
                tellParent(new Mail.Started(self(), null));
            } else if (parent == null) {
                context.fail(done.cause());
            } else {
                state = State.UNDEPLOYING;
                deployments.undeployAll().onComplete(gone -> {
                    close();
                    tellParent(new Mail.Started(self(), done.cause()));
                });
            }
        }));
    }

    /** Code that starts or stops the verticle. */
    @FunctionalInterface
    private interface Change {
        Future<?> run() throws Exception;
    }

    private Future<?> attempt(Change change) {
        try {
            return change.run();
        } catch (Throwable e) {
            LocalContext.requireOrdinary(e);
            return context.failedFuture(e);
        }
    }

    private void tellParent(Object mail) {
        if (parent != null) {
            passOn(parent, mail);
        }
    }

    @Handler
    void receive(Mail.Delivery m) {
        during(() -> vertx.eventBus().deliver(m));
    }

    @Handler
    void ring(Mail.Alarm timer) {
        during(() -> alarms.ring(timer.id()));
    }

    @Handler
    void timeOut(Mail.TimeOut timer) {
        during(() -> alarms.ring(timer.id()));
    }

    @Handler
    void runBlocking(Mail.Blocking m) {
        during(() -> blocking.run(m.number()));
    }

    @Handler
    void childStarted(Mail.Started m) {
        during(() -> deployments.started(m));
    }

    @Handler
    void childIsGone(Mail.Undeployed m) {
        during(() -> deployments.gone(m));
    }

    @Handler
    void childStays(Mail.Stays m) {
        during(() -> deployments.stays(m));
    }

    @Handler
    void undeploy(Mail.Undeploy m) {
        during(() -> {
            if (canBeUndeployed()) {
                undeploy();
            }
        });
    }

    /** Whether it is deployed; it may have stayed so as one of its children failed to stop. */
    private boolean canBeUndeployed() {
        return state == State.DEPLOYED || state == State.STAYING;
    }

    /** Whether what it deploys belongs to it: the library takes no more from who is being undeployed, or was to be. */
    boolean takesChildren() {
        return state == State.STARTING || state == State.DEPLOYED;
    }

    /** Undeploys what the verticle has deployed, and then the verticle, unless that fails: then the verticle stays. */
    Future<Void> undeploy() {
        if (!canBeUndeployed()) {
            return context.failedFuture(new IllegalStateException("Already undeployed"));
        }
        state = State.UNDEPLOYING;
        Promise<Void> undeployed = context.promise();
        deployments.undeployAll().onSuccess(children -> attempt(() -> verticle.undeploy(context)).onComplete(stopped -> {
            close();
            tellParent(new Mail.Undeployed(self(), stopped.cause()));
            undeployed.complete(null, stopped.cause());
        })).onFailure(e -> {
            state = State.STAYING;
            tellParent(new Mail.Stays(self(), e));
            undeployed.fail(e);
        });
        return undeployed.future();
    }

    private void close() {
        state = State.UNDEPLOYED;
        context.runCloseHooks();
    }

    // What the verticle's code reaches.

    /** The verticle, which is all that counterexamples show. */
    public Deployable verticle() {
        return verticle;
    }

    boolean isDeployed() {
        return state == State.DEPLOYED;
    }

    LocalContext context() {
        return context;
    }

    LocalVertx vertx() {
        return vertx;
    }

    Alarms alarms() {
        return alarms;
    }

    Blocking blocking() {
        return blocking;
    }

    Deployments deployments() {
        return deployments;
    }

    /** The id of the deployment. */
    String deploymentID() {
        return deployment == null ? self().toString() : deployment;
    }

    void sendToBus(Object mail) {
        send(services.bus(), mail);
    }

    void passOn(ActorName to, Object mail) {
        send(services.bus(), new Mail.PassOn(to, mail));
    }

    ActorName createChild(String role, Deployable child, String id, DeploymentOptions options) {
        return create(role + "#", new VerticleActor(child, self(), services, id, options));
    }

    void setAlarm(Object timer, Duration after) {
        setTimer(timer, after);
    }

    void setAnyTime(Object timer) {
        setTimer(timer, Duration.ZERO, Duration.ofDays(1000));
    }

    void cancelAlarm(Object timer) {
        cancelTimer(timer);
    }

    int chooseOf(int n) {
        return choose(n);
    }

    /** Runs something later, after what was to be run before. */
    void later(Runnable task) {
        eventLoop().execute(() -> during(task));
    }
}
