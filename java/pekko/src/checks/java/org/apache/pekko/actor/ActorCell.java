package org.apache.pekko.actor;

import java.util.Optional;
import org.apache.pekko.actor.dungeon.Children;
import org.apache.pekko.actor.dungeon.ChildrenContainer;
import org.apache.pekko.actor.dungeon.DeathWatch;
import org.apache.pekko.actor.dungeon.Dispatch;
import org.apache.pekko.actor.dungeon.FaultHandling;
import org.apache.pekko.actor.dungeon.ReceiveTimeout;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.MessageDispatcher;
import org.apache.pekko.event.Logging;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.Map;
import scala.collection.immutable.Set;
import scala.concurrent.duration.Duration;

/**
 * The library's class of this name, in checks: what its code of supervision, death watch, receive timeouts, stashes and timers calls.
 * Fields take the place of what it keeps in memory that it reaches by {@code sun.misc.Unsafe}.
 */
public abstract class ActorCell implements AbstractActor.ActorContext, ReceiveTimeout, Children, DeathWatch, FaultHandling, Dispatch {
    private FailedInfo failed;
    private Map<ActorRef, Option<Object>> watching;
    private Set<ActorRef> watchedBy;
    private Map<ActorRef, Option<Object>> terminatedQueued;
    private ChildrenContainer children;
    private Tuple2<Duration, Cancellable> receiveTimeout;

    protected ActorCell() {
        ReceiveTimeout.$init$(this);
        Children.$init$(this);
        DeathWatch.$init$(this);
        FaultHandling.$init$(this);
    }

    public abstract Actor actor();

    public abstract Actor newActor();

    public abstract void create(Option<ActorInitializationException> failure);

    public abstract Envelope currentMessage();

    public abstract void currentMessage_$eq(Envelope message);

    public abstract void receiveMessage(Object message);

    public abstract void autoReceiveMessage(Envelope message);

    public abstract void clearActorFields(Actor actor, boolean isRecreated);

    public abstract void clearFieldsForTermination();

    @Override
    public abstract InternalActorRef self();

    @Override
    public abstract InternalActorRef parent();

    @Override
    public abstract ActorSystemImpl system();

    @Override
    public abstract MessageDispatcher dispatcher();

    public int uid() {
        return self().path().uid();
    }

    /** Nobody reads logs of a check. */
    public void publish(Logging.LogEvent event) {}

    public Class<?> clazz(Object object) {
        return object == null ? getClass() : object.getClass();
    }

    @Override
    public ActorSystemImpl systemImpl() {
        return system();
    }

    // Children, without concurrent changes.

    @Override
    public ChildrenContainer childrenRefs() {
        return children;
    }

    @Override
    public boolean reserveChild(String name) {
        children = children.reserve(name);
        return true;
    }

    @Override
    public boolean unreserveChild(String name) {
        children = children.unreserve(name);
        return true;
    }

    @Override
    public Option<ChildRestartStats> initChild(ActorRef ref) {
        ChildRestartStats stats = new ChildRestartStats(ref, 0, 0);
        children = children.add(ref.path().name(), stats);
        return Option.apply(stats);
    }

    @Override
    public boolean setChildrenTerminationReason(ChildrenContainer.SuspendReason reason) {
        if (children instanceof ChildrenContainer.TerminatingChildrenContainer c) {
            children = c.copy(c.copy$default$1(), c.copy$default$2(), reason);
            return true;
        }
        return false;
    }

    @Override
    public void setTerminated() {
        children = ChildrenContainer.TerminatedChildrenContainer$.MODULE$;
    }

    @Override
    public void stop(ActorRef actor) {
        if (children.getByRef(actor).isDefined()) {
            children = children.shallDie(actor);
        }
        ((InternalActorRef) actor).stop();
    }

    @Override
    public Option<ChildrenContainer.SuspendReason> removeChildAndGetStateChange(ActorRef child) {
        ChildrenContainer before = children;
        children = before.remove(child);
        return before instanceof ChildrenContainer.TerminatingChildrenContainer c && !(children instanceof ChildrenContainer.TerminatingChildrenContainer)
            ? Option.apply(c.reason()) : Option.empty();
    }

    @Override
    public void stopFunctionRefs() {}

    // What is both the context's and death watch's, children's or receive timeouts'.

    @Override
    public ActorRef watch(ActorRef other) {
        return DeathWatch.super.watch(other);
    }

    @Override
    public ActorRef watchWith(ActorRef other, Object message) {
        return DeathWatch.super.watchWith(other, message);
    }

    @Override
    public ActorRef unwatch(ActorRef other) {
        return DeathWatch.super.unwatch(other);
    }

    @Override
    public abstract ActorRef actorOf(Props props);

    @Override
    public abstract ActorRef actorOf(Props props, String name);

    @Override
    public scala.collection.immutable.Iterable<ActorRef> children() {
        return Children.super.children();
    }

    @Override
    public Iterable<ActorRef> getChildren() {
        return Children.super.getChildren();
    }

    @Override
    public Option<ActorRef> child(String name) {
        return Children.super.child(name);
    }

    @Override
    public Optional<ActorRef> findChild(String name) {
        return Children.super.findChild(name);
    }

    @Override
    public Duration receiveTimeout() {
        return ReceiveTimeout.super.receiveTimeout();
    }

    @Override
    public void setReceiveTimeout(Duration timeout) {
        ReceiveTimeout.super.setReceiveTimeout(timeout);
    }

    // The fields of the traits.

    @Override
    public FailedInfo org$apache$pekko$actor$dungeon$FaultHandling$$_failed() {
        return failed;
    }

    @Override
    public void org$apache$pekko$actor$dungeon$FaultHandling$$_failed_$eq(FailedInfo info) {
        failed = info;
    }

    @Override
    public Map<ActorRef, Option<Object>> org$apache$pekko$actor$dungeon$DeathWatch$$watching() {
        return watching;
    }

    @Override
    public void org$apache$pekko$actor$dungeon$DeathWatch$$watching_$eq(Map<ActorRef, Option<Object>> all) {
        watching = all;
    }

    @Override
    public Set<ActorRef> org$apache$pekko$actor$dungeon$DeathWatch$$watchedBy() {
        return watchedBy;
    }

    @Override
    public void org$apache$pekko$actor$dungeon$DeathWatch$$watchedBy_$eq(Set<ActorRef> all) {
        watchedBy = all;
    }

    @Override
    public Map<ActorRef, Option<Object>> org$apache$pekko$actor$dungeon$DeathWatch$$terminatedQueued() {
        return terminatedQueued;
    }

    @Override
    public void org$apache$pekko$actor$dungeon$DeathWatch$$terminatedQueued_$eq(Map<ActorRef, Option<Object>> all) {
        terminatedQueued = all;
    }

    @Override
    public ChildrenContainer org$apache$pekko$actor$dungeon$Children$$_childrenRefsDoNotCallMeDirectly() {
        return children;
    }

    @Override
    public void org$apache$pekko$actor$dungeon$Children$$_childrenRefsDoNotCallMeDirectly_$eq(ChildrenContainer all) {
        children = all;
    }

    @Override
    public Map<String, FunctionRef> org$apache$pekko$actor$dungeon$Children$$_functionRefsDoNotCallMeDirectly() {
        return null;
    }

    @Override
    public void org$apache$pekko$actor$dungeon$Children$$_functionRefsDoNotCallMeDirectly_$eq(Map<String, FunctionRef> all) {}

    @Override
    public long org$apache$pekko$actor$dungeon$Children$$_nextNameDoNotCallMeDirectly() {
        return 0;
    }

    @Override
    public void org$apache$pekko$actor$dungeon$Children$$_nextNameDoNotCallMeDirectly_$eq(long next) {}

    @Override
    public Tuple2<Duration, Cancellable> org$apache$pekko$actor$dungeon$ReceiveTimeout$$receiveTimeoutData() {
        return receiveTimeout;
    }

    @Override
    public void org$apache$pekko$actor$dungeon$ReceiveTimeout$$receiveTimeoutData_$eq(Tuple2<Duration, Cancellable> data) {
        receiveTimeout = data;
    }
}
