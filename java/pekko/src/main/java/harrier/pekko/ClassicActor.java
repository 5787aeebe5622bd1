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
    private final Cell cell;
    private final Course course;
    private final Present behavior;

    /** What counterexamples show. */
    private record Present(Cell cell) {
        public Object shown() {
            return cell.shown();
        }
    }

    /** What they do not. */
    private static final class Course {
        /** Null if the scenario creates the actor. */
        final ActorName parent;
        /** System messages that the actor has sent itself, for after the message at hand. */
        final Deque<SystemMessage> own = new ArrayDeque<>();
        /** Each command of the parent is sent twice, behind its messages and past them: by how many more have come behind. */
        int ahead;
        /** Whether a step will come in which the actor goes on with messages that it has got. */
        boolean isTaking;
        /** A failure that nobody is there to deal with; null if there is none. */
        Throwable uncaught;

        Course(ActorName parent) {
            this.parent = parent;
        }
    }

    ClassicActor(Props props, ActorName parent, Services services) {
        super(services);
        course = new Course(parent);
        cell = new Cell(this, props);
        behavior = new Present(cell);
    }

    /** The actor's parent, for which the system stands in if it is the scenario's. */
    ActorName parentOrSystem() {
        return course.parent == null ? services().system() : course.parent;
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
        boolean isNew = m.isPast() ? course.ahead <= 0 : course.ahead >= 0;
        course.ahead += m.isPast() ? -1 : 1;
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
        Selections.lead(m, course.parent, children, this);
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
            if (!course.isTaking && cell.mayTake()) {
                course.isTaking = true;
                eventLoop().execute(() -> {
                    course.isTaking = false;
                    step(this::takeNext);
                });
            }
            if (!cell.inbox().hasMessages()) {
                Machines.rests(instance());
            }
        });
        if (course.uncaught != null) {
            throw Failing.unchecked(course.uncaught);
        }
    }

    /** Takes a message, unless a step will come for that. */
    private void takeNext() {
        if (!course.isTaking) {
            cell.takeNext();
            processOwn();
        }
    }

    private void processOwn() {
        while (!course.own.isEmpty()) {
            cell.system(course.own.poll());
        }
    }

    private void finish() {
        handOver();
        Mail.Gone gone = new Mail.Gone(self(), Map.of());
        tell(services().system(), course.parent == null ? gone : new Mail.PassOn(course.parent, gone));
        stop();
    }

    // What the library's code sends.

    @Override
    public void tell(ActorName to, Object message) {
        if (to.equals(self()) && message instanceof Mail.Tell m && m.message() instanceof Terminated) { // of the library's own code
            cell.inbox().enqueue(cell.self(), new Envelope(m.message(), m.sender()));
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
            course.own.add(message);
        } else if (!(message instanceof DeathWatchNotification)) { // else the actor finishes, and says so
            command(message, to);
        }
    }

    private void fail(Throwable cause) {
        if (course.parent != null) {
            tell(services().system(), new Mail.PassOn(course.parent, new Mail.ChildFailed(self(), cause)));
        } else if (cause instanceof ActorInitializationException e && self().equals(ClassicRef.of(e.getActor()).name())) {
            course.uncaught = cause;
        } else {
            var decider = SupervisorStrategy.defaultStrategy().decider(); // of exceptions: errors are escalated
            SupervisorStrategy.Directive directive = decider.isDefinedAt(cause) ? decider.apply(cause) : SupervisorStrategy.escalate();
            if (directive == SupervisorStrategy.stop()) {
                course.own.add(new Terminate());
            } else if (directive == SupervisorStrategy.restart()) {
                course.own.add(new Recreate(cause));
            } else {
                course.uncaught = cause;
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
