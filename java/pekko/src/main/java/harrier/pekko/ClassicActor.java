package harrier.pekko;

import harrier.ActorName;
import harrier.Disconnected;
import harrier.Handler;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.Actor;
import org.apache.pekko.actor.ActorInitializationException;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.SupervisorStrategy;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.sysmsg.Create;
import org.apache.pekko.dispatch.sysmsg.DeathWatchNotification;
import org.apache.pekko.dispatch.sysmsg.Failed;
import org.apache.pekko.dispatch.sysmsg.Recreate;
import org.apache.pekko.dispatch.sysmsg.Resume;
import org.apache.pekko.dispatch.sysmsg.Suspend;
import org.apache.pekko.dispatch.sysmsg.SystemMessage;
import org.apache.pekko.dispatch.sysmsg.Terminate;
import org.apache.pekko.dispatch.sysmsg.Unwatch;
import org.apache.pekko.dispatch.sysmsg.Watch;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A classic actor of Pekko. The library's own code runs it, in a {@link Cell}; here its messages and system messages come and go.
 *
 * <p>System messages need not wait for what their sender told before, as in the library, which processes them first. The supervisor of
 * actors that the scenario creates decides as the library's does, at once.
 */
final class ClassicActor extends LibraryActor {
    /** Null if the scenario creates it. */
    private final ActorName parent;
    private final Cell cell;
    /** System messages that the actor has sent itself, for after the message at hand. */
    private final Deque<SystemMessage> own = new ArrayDeque<>();
    /** Each command of the parent is sent twice, behind its messages and past them: by how many more have come behind. */
    private int ahead;
    /** Whether a step will come in which the actor goes on with messages that it has got. */
    private boolean isTaking;
    /** A failure that nobody is there to deal with; null if there is none. */
    private Throwable uncaught;

    ClassicActor(Props props, ActorName parent, Services services) {
        super(services);
        this.parent = parent;
        cell = new Cell(this, props);
    }

    /** The actor's parent, for which the system stands in if it is the scenario's. */
    ActorName parentOrSystem() {
        return parent == null ? services().system() : parent;
    }

    /** The present object of the program's class; null if it has stopped. */
    Actor instance() {
        return cell.actor();
    }

    @Override
    protected void start() {
        super.start();
        run(() -> cell.system(new Create(Option.empty())));
        if (cell.isTerminated()) {
            eventLoop().execute(this::finish); // start() must not stop the actor
        }
    }

    // What comes.

    @Handler
    void receive(Object message, ActorName from) {
        take(new Envelope(message, from == null ? null : new ClassicRef(from)));
    }

    @Handler
    void receive(Mail.Tell m) {
        take(new Envelope(m.message(), m.sender()));
    }

    @Handler
    void receive(Mail.To m) {
        questions().receive(m);
    }

    @Override
    void deliverToSelf(Object mail) {
        Envelope message = mail instanceof Mail.Tell m ? new Envelope(m.message(), m.sender()) : new Envelope(mail, new ClassicRef(self()));
        Machines.rings(instance(), message.message());
        take(message);
    }

    private void take(Envelope message) {
        step(() -> {
            cell.inbox().enqueue(cell.self(), message);
            takeNext();
        });
    }

    @Handler
    void ring(Mail.Alarm timer) {
        if (alarms().isTask(timer.number())) {
            runTask(() -> alarms().ring(timer.number()));
        } else {
            alarms().ring(timer.number());
        }
    }

    @Handler
    void control(Mail.Control m) {
        boolean isNew = m.isPast() ? ahead <= 0 : ahead >= 0;
        ahead += m.isPast() ? -1 : 1;
        if (isNew) {
            step(() -> cell.system(switch (m.command()) {
                case SUSPEND -> new Suspend();
                case RESUME -> new Resume(m.cause());
                case RESTART -> new Recreate(m.cause());
                case STOP -> new Terminate();
            }));
        }
    }

    @Handler
    void stop(Mail.Stop m) {
        step(() -> cell.system(new Terminate()));
    }

    @Handler
    void childFails(Mail.ChildFailed m) {
        step(() -> cell.system(new Failed(new ClassicRef(m.child()), m.cause(), 0)));
    }

    @Handler
    void isGone(Disconnected d) {
        step(() -> {
            cell.system(new DeathWatchNotification(new ClassicRef(d.actor()), true, false));
            takeNext();
        });
    }

    /** A child has stopped. Those that watch it are told by {@link Disconnected}, after what it sent to them before. */
    @Handler
    void isGone(Mail.Gone m) {
        step(() -> cell.childGone(new ClassicRef(m.child())));
    }

    @Handler
    void select(Mail.Select m) {
        step(() -> lead(m));
    }

    /** Sends a message on its way along a path that begins here. */
    void lead(Mail.Select m) {
        List<ActorName> children = CollectionConverters.asJava(cell.children().toSeq()).stream()
            .map(c -> ClassicRef.of(c).name()).toList();
        Selections.lead(m, parent, children, this);
    }

    // Steps.

    private void step(Runnable code) {
        if (!cell.isTerminated()) { // else it is about to finish
            run(code);
            if (cell.isTerminated()) {
                finish();
            }
        }
    }

    private void run(Runnable code) {
        during(() -> {
            code.run();
            processOwn();
            if (!isTaking && cell.mayTake()) {
                isTaking = true;
                eventLoop().execute(() -> {
                    isTaking = false;
                    step(this::takeNext);
                });
            }
            if (!cell.inbox().hasMessages()) {
                Machines.rests(instance());
            }
        });
        if (uncaught != null) {
            throw Failing.unchecked(uncaught);
        }
    }

    /** Takes a message, unless a step will come for that. */
    private void takeNext() {
        if (!isTaking) {
            cell.takeNext();
            processOwn();
        }
    }

    private void processOwn() {
        while (!own.isEmpty()) {
            cell.system(own.poll());
        }
    }

    private void finish() {
        handOver();
        Mail.Gone gone = new Mail.Gone(self(), Map.of());
        tell(services().system(), parent == null ? gone : new Mail.PassOn(parent, gone));
        stop();
    }

    // What the library's code sends.

    @Override
    public void tell(ActorName to, Object message) {
        if (to.equals(self()) && message instanceof Terminated terminated) {
            cell.inbox().enqueue(cell.self(), new Envelope(terminated, new ClassicRef(self())));
        } else {
            super.tell(to, message);
        }
    }

    /** Sends a system message. */
    void send(SystemMessage message, ClassicRef to) {
        if (message instanceof Watch watch && ClassicRef.of(watch.watcher()).path().part() != null) {
            throw LocalSystem.unsupported("Patterns.gracefulStop: watch the actor, send it PoisonPill, and set a timer; what it needs");
        } else if (message instanceof Watch) {
            watchOther(to.name());
        } else if (message instanceof Unwatch) {
            unwatchOther(to.name());
        } else if (message instanceof Failed failed) {
            fail(failed.cause());
        } else if (to.name().equals(self())) {
            own.add(message);
        } else if (!(message instanceof DeathWatchNotification)) { // else the actor finishes, and says so
            command(message, to);
        }
    }

    private void fail(Throwable cause) {
        if (parent != null) {
            tell(services().system(), new Mail.PassOn(parent, new Mail.ChildFailed(self(), cause)));
        } else if (cause instanceof ActorInitializationException) {
            uncaught = cause;
        } else {
            var decider = SupervisorStrategy.defaultStrategy().decider(); // of exceptions: errors are escalated
            SupervisorStrategy.Directive directive = decider.isDefinedAt(cause) ? decider.apply(cause) : SupervisorStrategy.escalate();
            if (directive == SupervisorStrategy.stop()) {
                own.add(new Terminate());
            } else if (directive == SupervisorStrategy.restart()) {
                own.add(new Recreate(cause));
            } else {
                uncaught = cause;
            }
        }
    }

    private void command(SystemMessage message, ClassicRef to) {
        if (!isChild(to)) {
            tell(services().system(), new Mail.PassOn(to.name(), new Mail.Stop()));
            tell(to.name(), new Mail.Stop());
            return;
        }
        Mail.Command command = message instanceof Suspend ? Mail.Command.SUSPEND : message instanceof Resume ? Mail.Command.RESUME
            : message instanceof Recreate ? Mail.Command.RESTART : Mail.Command.STOP;
        Throwable cause = message instanceof Resume r ? r.causedByFailure() : message instanceof Recreate r ? r.cause() : null;
        tell(services().system(), new Mail.PassOn(to.name(), new Mail.Control(command, cause, true)));
        tell(to.name(), new Mail.Control(command, cause, false));
    }

    private boolean isChild(ClassicRef ref) {
        return cell.childrenRefs().getByRef(ref).isDefined();
    }

    ActorName createChild(String role, Props props) {
        ActorName child = create(role, new ClassicActor(props, self(), services()));
        watch(child);
        return child;
    }

    private void watchOther(ActorName other) {
        if (!isChild(new ClassicRef(other))) {
            watch(other);
        }
    }

    private void unwatchOther(ActorName other) {
        if (!isChild(new ClassicRef(other))) {
            unwatch(other);
        }
    }
}
