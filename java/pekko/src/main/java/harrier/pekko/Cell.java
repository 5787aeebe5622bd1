package harrier.pekko;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.Actor;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorCell$;
import org.apache.pekko.actor.ActorContext;
import org.apache.pekko.actor.ActorIdentity;
import org.apache.pekko.actor.ActorInitializationException;
import org.apache.pekko.actor.ActorKilledException;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.ActorSelection;
import org.apache.pekko.actor.ActorSystemImpl;
import org.apache.pekko.actor.AutoReceivedMessage;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.Deploy;
import org.apache.pekko.actor.FSM;
import org.apache.pekko.actor.Identify;
import org.apache.pekko.actor.InternalActorRef;
import org.apache.pekko.actor.Kill$;
import org.apache.pekko.actor.LocalScope$;
import org.apache.pekko.actor.NoScopeGiven$;
import org.apache.pekko.actor.PoisonPill$;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.dispatch.DequeBasedMessageQueueSemantics;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.Mailbox;
import org.apache.pekko.dispatch.MessageDispatcher;
import org.apache.pekko.dispatch.RequiresMessageQueue;
import org.apache.pekko.dispatch.UnboundedDequeBasedMessageQueueSemantics;
import org.apache.pekko.dispatch.UnboundedMessageQueueSemantics;
import org.apache.pekko.dispatch.sysmsg.Create;
import org.apache.pekko.dispatch.sysmsg.DeathWatchNotification;
import org.apache.pekko.dispatch.sysmsg.Failed;
import org.apache.pekko.dispatch.sysmsg.Recreate;
import org.apache.pekko.dispatch.sysmsg.Resume;
import org.apache.pekko.dispatch.sysmsg.StashWhenFailed;
import org.apache.pekko.dispatch.sysmsg.StashWhenWaitingForChildren;
import org.apache.pekko.dispatch.sysmsg.Suspend;
import org.apache.pekko.dispatch.sysmsg.SystemMessage;
import org.apache.pekko.dispatch.sysmsg.Terminate;
import org.apache.pekko.routing.NoRouter$;
import org.apache.pekko.util.Helpers;
import scala.Option;
import scala.PartialFunction;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.concurrent.duration.Duration;
import scala.runtime.BoxedUnit;

/**
 * What a classic actor's code reaches of the actor. Restarts, supervision, death watch and receive timeouts are the library's own code,
 * which this class inherits.
 */
final class Cell extends ActorCell {
    /** The types of message queues that an actor's class may require: the mailbox here is unbounded, keeps the order of arrival, and stashes. */
    private static final List<Class<?>> ALIKE = List.of(UnboundedMessageQueueSemantics.class, DequeBasedMessageQueueSemantics.class,
        UnboundedDequeBasedMessageQueueSemantics.class);

    /** Whether the library can make an actor again whose preStart failed: Pekko can, and Akka fails of an assertion. */
    private static final boolean STARTS_AGAIN = ActorRef.class.getName().startsWith("org.");

    private final ClassicActor host;
    private final Recipe recipe;
    private final Inbox inbox = new Inbox();
    private Actor actor;
    private Envelope current;
    private scala.collection.immutable.List<PartialFunction<Object, BoxedUnit>> behaviors = ActorCell$.MODULE$.emptyBehaviorStack();
    /** System messages that wait until the actor has been restarted, or its children have stopped. */
    private final List<SystemMessage> waiting = new ArrayList<>();
    private boolean isTerminated;
    /** How many children got no name. */
    private long anonymous;

    Cell(ClassicActor host, Props props) {
        this.host = host;
        requireSupported(props);
        recipe = new Recipe(props.deploy(), props.clazz(), props.args());
    }

    /** What Props are made of. They themselves keep a constructor, which is no state. */
    private record Recipe(Deploy deploy, Class<?> type, Seq<Object> arguments) {
        Props props() {
            return new Props(deploy, type, arguments);
        }
    }

    private static void requireSupported(Props props) {
        if (!props.deploy().mailbox().isEmpty()) {
            throw LocalSystem.unsupported("a mailbox of one's own, " + props.mailbox() + ",");
        }
        if (props.deploy().routerConfig() != NoRouter$.MODULE$) {
            throw LocalSystem.unsupported("a router made by Props");
        }
        if (props.deploy().scope() != NoScopeGiven$.MODULE$ && props.deploy().scope() != LocalScope$.MODULE$) {
            throw LocalSystem.unsupported("a remote deployment");
        }
        for (Class<?> type = props.actorClass(); type != null; type = type.getSuperclass()) {
            for (Class<?> implemented : type.getInterfaces()) {
                if (implemented.getName().startsWith("org.apache.pekko.persistence.")) {
                    throw LocalSystem.unsupported("a store of classic actors, of which " + props.actorClass().getName()
                        + " is one: write it as an EventSourcedBehavior; what it needs");
                }
            }
            for (Type implemented : type.getGenericInterfaces()) {
                requireMailbox(implemented);
            }
        }
    }

    /** Fails if an interface of an actor's class asks for a mailbox that keeps another order, or loses messages. */
    private static void requireMailbox(Type implemented) {
        if (implemented instanceof ParameterizedType required && required.getRawType() == RequiresMessageQueue.class) {
            Type queue = required.getActualTypeArguments()[0];
            if (!ALIKE.contains(queue)) {
                throw LocalSystem.unsupported("a mailbox of one's own, " + queue.getTypeName() + ",");
            }
        }
    }

    @Override
    public Actor actor() {
        return actor;
    }

    /** What counterexamples show: the present object, with its state if it is an FSM, or which method made its behavior. */
    Object shown() {
        if (actor == null) {
            return new Current.Made("stopped", List.of());
        }
        if (actor instanceof FSM<?, ?> fsm) {
            return new Current.Made(String.valueOf(fsm.stateName()), List.of(fsm.stateData(), Held.ofProgram(fsm)));
        }
        List<Object> holds = new ArrayList<>(List.of(actor));
        Held.captured(behaviors.head()).stream().filter(o -> o != actor).forEach(holds::add);
        String state = Held.state(behaviors.head());
        return new Current.Made(state.isEmpty() ? actor.getClass().getSimpleName() : state, holds);
    }

    Inbox inbox() {
        return inbox;
    }

    @Override
    public Mailbox mailbox() {
        return inbox;
    }

    boolean isTerminated() {
        return isTerminated;
    }

    void terminated() {
        isTerminated = true;
        inbox.cleanUp(self(), inbox);
    }

    // Messages.

    /** Has the actor take the message that has waited longest, if it may now. */
    void takeNext() {
        if (mayTake()) {
            process(inbox.dequeue());
        }
    }

    boolean mayTake() {
        return inbox.hasMessages() && !inbox.isSuspended() && !isTerminated;
    }

    private void process(Envelope message) {
        Tuple2<Duration, Cancellable> timeout = cancelReceiveTimeoutIfNeeded(message.message());
        try {
            current = message;
            if (message.message() instanceof AutoReceivedMessage) {
                autoReceiveMessage(message);
            } else {
                receiveMessage(message.message());
            }
            current = null;
        } catch (Throwable e) {
            fail(e);
        } finally {
            checkReceiveTimeoutIfNeeded(message.message(), timeout);
        }
    }

    private void fail(Throwable e) {
        if (!(e instanceof InterruptedException)) {
            Failing.requireNonFatal(e);
        }
        handleInvokeFailure(scala.collection.immutable.List.<ActorRef>newBuilder().result(), e);
    }

    @Override
    public void receiveMessage(Object message) {
        actor.aroundReceive(behaviors.head(), message);
    }

    @Override
    public void autoReceiveMessage(Envelope message) {
        Object m = message.message();
        if (m instanceof Terminated terminated) {
            receivedTerminated(terminated);
        } else if (m instanceof Kill$) {
            throw new ActorKilledException("Kill");
        } else if (m instanceof PoisonPill$) {
            self().stop();
        } else if (m instanceof Identify identify) {
            sender().tell(new ActorIdentity(identify.messageId(), Option.apply(self())), self());
        } else {
            throw LocalSystem.unsupported("an actor's answer to " + m);
        }
    }

    @Override
    public Envelope currentMessage() {
        return current;
    }

    @Override
    public void currentMessage_$eq(Envelope message) {
        current = message;
    }

    @Override
    public ActorRef sender() {
        return current == null || current.sender() == null ? system().deadLetters() : current.sender();
    }

    @Override
    public void become(PartialFunction<Object, BoxedUnit> behavior, boolean discardOld) {
        behaviors = (discardOld && behaviors.nonEmpty() ? tail() : behaviors).$colon$colon(behavior);
    }

    @Override
    public void unbecome() {
        behaviors = behaviors.size() > 1 ? tail() : tail().$colon$colon(actor.receive());
    }

    @SuppressWarnings("unchecked")
    private scala.collection.immutable.List<PartialFunction<Object, BoxedUnit>> tail() {
        return (scala.collection.immutable.List<PartialFunction<Object, BoxedUnit>>) behaviors.drop(1);
    }

    // What happens to the actor.

    /** Processes a system message, or has it wait. */
    void system(SystemMessage message) {
        if (isTerminated) {
            return;
        }
        int before = waitsFor();
        if (before == 1 && message instanceof StashWhenFailed || before == 2 && message instanceof StashWhenWaitingForChildren) {
            waiting.add(message);
            return;
        }
        try {
            dispatch(message);
        } catch (Throwable e) {
            fail(e);
        }
        takeWaiting(before);
    }

    /** Takes the system messages that have waited, if less keeps them waiting than before. */
    private void takeWaiting(int before) {
        if (waitsFor() < before) {
            List<SystemMessage> next = List.copyOf(waiting);
            waiting.clear();
            next.forEach(this::system);
        }
    }

    /** What keeps system messages waiting: 2 for children that are to stop, 1 for a restart; 0 for nothing. */
    private int waitsFor() {
        return waitingForChildrenOrNull() != null ? 2 : inbox.isSuspended() ? 1 : 0;
    }

    private void dispatch(SystemMessage message) {
        if (message instanceof Create m) {
            create(m.failure());
        } else if (message instanceof Suspend) {
            faultSuspend();
        } else if (message instanceof Resume m) {
            faultResume(m.causedByFailure());
        } else if (message instanceof Recreate m) {
            faultRecreate(m.cause());
        } else if (message instanceof Terminate) {
            terminate();
        } else if (message instanceof Failed m) {
            handleFailure(m);
        } else if (message instanceof DeathWatchNotification m) {
            watchedActorTerminated(m.actor(), m.existenceConfirmed(), m.addressTerminated());
        } else {
            throw LocalSystem.unsupported("the system message " + message);
        }
    }

    /** A child has stopped; what it told may still be on its way. */
    void childGone(ActorRef child) {
        if (!isTerminated && childrenRefs().getByRef(child).isDefined()) {
            int before = waitsFor();
            try {
                handleChildTerminated(child);
            } catch (Throwable e) {
                fail(e);
            }
            takeWaiting(before);
        }
    }

    @Override
    public void create(Option<ActorInitializationException> failure) {
        try {
            newActor().aroundPreStart();
            checkReceiveTimeout(true);
        } catch (Throwable e) {
            if (e instanceof InterruptedException) { // which constructors and hooks in Scala throw undeclared
                setFailedFatally();
                failToStart();
                throw new ActorInitializationException(self(), "interruption during creation", e);
            }
            Failing.requireNonFatal(e);
            if (actor != null) {
                if (!STARTS_AGAIN) {
                    setFailedFatally();
                }
                failToStart();
            }
            throw new ActorInitializationException(self(), "exception during creation, root cause message: [" + rootMessage(e) + "]",
                e instanceof InstantiationException ? e.getCause() : e);
        }
    }

    private void failToStart() {
        if (actor != null) {
            clearActorFields(actor, false);
            actor = null;
        }
    }

    private static String rootMessage(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root.getMessage() == null ? "No message available" : root.getMessage();
    }

    @Override
    public Actor newActor() {
        ThreadLocal<scala.collection.immutable.List<ActorContext>> stack = ActorCell$.MODULE$.contextStack();
        scala.collection.immutable.List<ActorContext> before = stack.get();
        stack.set(before.$colon$colon(this));
        try {
            behaviors = ActorCell$.MODULE$.emptyBehaviorStack();
            Actor created = props().newActor();
            if (created == null) {
                throw new ActorInitializationException(self(), "Actor instance passed to actorOf can't be 'null'", null);
            }
            if (behaviors.isEmpty()) {
                behaviors = behaviors.$colon$colon(created.receive());
            }
            actor = created;
            Machines.made(created);
            return created;
        } finally {
            stack.set(before);
        }
    }

    @Override
    public void clearActorFields(Actor instance, boolean isRecreated) {
        current = null;
        behaviors = ActorCell$.MODULE$.emptyBehaviorStack();
    }

    @Override
    public void clearFieldsForTermination() {
        waiting.clear();
        actor = null;
    }

    // Children and others.

    @Override
    public ActorRef actorOf(Props child) {
        return make(child, randomName());
    }

    @Override
    public ActorRef actorOf(Props child, String name) {
        ActorPath.validatePathElement(name);
        return make(child, name);
    }

    @Override
    public String randomName() {
        return Helpers.base64(anonymous++, new StringBuilder("$"));
    }

    private ActorRef make(Props child, String name) {
        reserveChild(name);
        ClassicRef ref;
        try {
            ref = new ClassicRef(host.createChild(NamePath.role(name), child));
        } catch (Throwable e) {
            unreserveChild(name);
            throw e;
        }
        initChild(ref); // commands to an actor that is no child stop it
        for (int i = 0; i < inbox.suspendCount(); i++) {
            ref.suspend();
        }
        return ref;
    }

    @Override
    public InternalActorRef self() {
        return new ClassicRef(host.self());
    }

    @Override
    public InternalActorRef parent() {
        return new ClassicRef(host.parentOrSystem());
    }

    @Override
    public ActorSystemImpl system() {
        return ClassicSystem.ONLY;
    }

    @Override
    public MessageDispatcher dispatcher() {
        return LocalDispatcher.ONLY;
    }

    @Override
    public Props props() {
        return recipe.props();
    }

    @Override
    public ActorRefProvider provider() {
        return LocalProvider.ONLY;
    }

    @Override
    public InternalActorRef guardian() {
        return system().guardian();
    }

    @Override
    public InternalActorRef lookupRoot() {
        return self();
    }

    @Override
    public ActorSelection actorSelection(String path) {
        return Selections.of(self(), path);
    }

    @Override
    public ActorSelection actorSelection(ActorPath path) {
        return actorSelection(path.toStringWithoutAddress());
    }

    // The same for Java.

    @Override
    public ActorRef getSelf() {
        return self();
    }

    @Override
    public ActorRef getParent() {
        return parent();
    }

    @Override
    public Props getProps() {
        return recipe.props();
    }

    @Override
    public ActorSystemImpl getSystem() {
        return system();
    }

    @Override
    public MessageDispatcher getDispatcher() {
        return dispatcher();
    }

    @Override
    public ActorContext classicActorContext() {
        return this;
    }
}
