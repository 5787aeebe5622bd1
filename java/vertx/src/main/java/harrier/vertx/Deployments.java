package harrier.vertx;

import harrier.ActorName;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/** What a verticle has deployed, by the ids of the deployments. */
final class Deployments {
    private final VerticleActor verticle;
    private final Map<String, Deployment> all = new LinkedHashMap<>();

    Deployments(VerticleActor verticle) {
        this.verticle = verticle;
    }

    private enum State { STARTING, FAILING, DEPLOYED, UNDEPLOYING, UNDEPLOYED }

    /** A deployment: one verticle or several of a kind. */
    private static final class Deployment {
        final List<ActorName> instances = new ArrayList<>();
        /** Those from which the parent has yet to hear. */
        final List<ActorName> awaited = new ArrayList<>();
        final Promise<String> deployed;
        Promise<Void> undeployed;
        boolean stays;
        State state = State.STARTING;
        /** Those that started, while others do not. */
        final List<ActorName> started = new ArrayList<>();
        Throwable failure;

        Deployment(Promise<String> deployed) {
            this.deployed = deployed;
        }
    }

    Future<String> deploy(Callable<? extends Deployable> verticles, DeploymentOptions options) {
        LocalContext context = verticle.context();
        List<Deployable> supplied = new ArrayList<>();
        try {
            for (int i = 0; i < options.getInstances(); i++) {
                supplied.add(Objects.requireNonNull(verticles.call(), "Supplied deployable is null"));
            }
        } catch (Exception e) {
            return context.failedFuture(e); // nothing is deployed then
        }
        Deployment deployment = new Deployment(context.promise());
        String id = null;
        for (Deployable next : supplied) {
            String role = next.getClass().getSimpleName().replaceAll("[^A-Za-z]", "");
            ActorName name = verticle.createChild(role.isEmpty() ? "verticle" : role, next, id, options);
            id = id == null ? name.toString() : id;
            deployment.instances.add(name);
            verticle.passOn(name, new Mail.Start());
        }
        deployment.awaited.addAll(deployment.instances);
        all.put(id, deployment);
        return deployment.deployed.future();
    }

    /** A verticle has started, or not. */
    void started(Mail.Started m) {
        String id = idOf(m.child());
        Deployment deployment = all.get(id);
        deployment.awaited.remove(m.child());
        if (m.failure() == null) {
            deployment.started.add(m.child());
        } else if (deployment.failure == null) {
            deployment.failure = m.failure();
        }
        if (!deployment.awaited.isEmpty()) {
            return;
        }
        if (deployment.failure == null && !verticle.takesChildren()) {
            deployment.failure = Future.failedFuture("Deployment failed.Could not be added as child of parent deployment").cause();
        }
        if (deployment.failure == null) {
            deployment.state = State.DEPLOYED;
            deployment.deployed.complete(id);
        } else {
            deployment.state = State.FAILING;
            undeploy(deployment, deployment.started);
        }
    }

    private String idOf(ActorName child) {
        return all.entrySet().stream().filter(e -> e.getValue().instances.contains(child)).findFirst().orElseThrow().getKey();
    }

    /** Whether it has deployed something with this id. */
    boolean has(String id) {
        return all.containsKey(id);
    }

    Future<Void> undeploy(String id) {
        Deployment deployment = all.get(id);
        if (deployment.state == State.UNDEPLOYED) {
            return verticle.context().failedFuture(new IllegalStateException("Unknown deployment"));
        }
        if (deployment.state != State.DEPLOYED) {
            throw LocalVertx.unsupported("undeploying a verticle before it is deployed, or twice at a time,");
        }
        deployment.state = State.UNDEPLOYING;
        deployment.failure = null;
        deployment.stays = false;
        deployment.undeployed = verticle.context().promise();
        undeploy(deployment, deployment.instances);
        return deployment.undeployed.future();
    }

    private void undeploy(Deployment deployment, List<ActorName> which) {
        deployment.awaited.addAll(which);
        which.forEach(child -> verticle.passOn(child, new Mail.Undeploy()));
        finishIfGone(deployment);
    }

    /** A verticle is gone. */
    void gone(Mail.Undeployed m) {
        Deployment deployment = all.get(idOf(m.child()));
        if (deployment.state == State.DEPLOYED) { // it undeploys itself
            deployment.state = State.UNDEPLOYED;
            return;
        }
        deployment.awaited.remove(m.child());
        if (deployment.failure == null) {
            deployment.failure = m.failure();
        }
        finishIfGone(deployment);
    }

    /** A verticle could not be undeployed. */
    void stays(Mail.Stays m) {
        Deployment deployment = all.get(idOf(m.child()));
        if (deployment.state == State.DEPLOYED) { // it was to undeploy itself
            return;
        }
        if (deployment.instances.size() > 1) {
            throw LocalVertx.unsupported("undeploying several instances of which one has a child that fails to stop");
        }
        deployment.awaited.remove(m.child());
        deployment.failure = m.failure();
        deployment.stays = true;
        finishIfGone(deployment);
    }

    private void finishIfGone(Deployment deployment) {
        if (!deployment.awaited.isEmpty()) {
            return;
        }
        boolean isFailing = deployment.state == State.FAILING;
        deployment.state = deployment.stays ? State.DEPLOYED : State.UNDEPLOYED;
        if (isFailing) {
            deployment.deployed.fail(deployment.failure);
        } else {
            deployment.undeployed.complete(null, deployment.failure);
        }
    }

    /** Undeploys all that is deployed. What is not yet, is undeployed as soon as it has started. */
    Future<?> undeployAll() {
        List<Future<Void>> gone = new ArrayList<>();
        all.forEach((id, deployment) -> {
            if (deployment.state == State.DEPLOYED || deployment.state == State.UNDEPLOYING) {
                gone.add(undeploy(id));
            }
        });
        return Future.all(gone);
    }
}
