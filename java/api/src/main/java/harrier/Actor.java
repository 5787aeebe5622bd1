package harrier;

import harrier.host.Agenda;
import harrier.host.Host;
import harrier.host.Sockets;
import harrier.host.Task;
import harrier.host.Threads;
import harrier.host.World;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * One sequential process: fields that are its local state, and {@link Handler} methods that consume
 * a message each, or several if they are quorum handlers, and run one at a time, without interruption.
 *
 * <p>An actor sees nothing but its own fields and the messages it consumes. It holds other actors by
 * {@link ActorName} only. The methods {@link #send}, {@link #create}, {@link #setTimer} and all others below
 * work in {@link #start}, {@link #onRestart}, {@link Handler} and {@link Internal} methods and tasks;
 * {@link #reply} works in handlers of messages. {@link #self} and {@link #clock} work in guards and properties
 * too, {@link #eventLoop} and {@link #clock} also in constructors. Elsewhere they fail with
 * {@link IllegalStateException}.
 *
 * <p>A handler is a function of the local state and the message. It must not read the machine's clocks, draw
 * random numbers, start threads, or keep anything in static fields; what it wants explored it takes
 * from {@link #choose}. A failing {@code assert} and an exception that leaves a handler are
 * violations.
 *
 * @see <a href="{@docRoot}/guide.html">Guide</a>
 */
public abstract class Actor {
    static {
        Task.reach(new Task.Agendas() {
            @Override
            public Agenda changing(Object actor, String method) {
                return ((Actor) actor).changing(method);
            }
        });
        Sockets.reach(new Sockets.Actors() {
            @Override
            public Object self(Object actor) {
                return ((Actor) actor).self();
            }

            @Override
            public void send(Object actor, Object to, Object message) {
                ((Actor) actor).send((ActorName) to, message);
            }
        });
    }

    /** Set while a step of this actor runs, null otherwise. Not part of the local state. */
    private Host<ActorName, Actor> host;
    /** What the runtime keeps of it is part of the local state; null as long as there is nothing. */
    private Agenda agenda;

    /** For subclasses. The actor has no name yet while its constructor runs. */
    protected Actor() {
        Threads.constructs(this);
    }

    /** Runs once, when the actor is created and has its name. Sends the first messages, if any. */
    protected void start() {}

    /**
     * Runs after a crash. The fields are as the constructor left them, but for {@link Durable} ones; timers and
     * tasks are gone, the clock is where it starts, and an operation that was pending stays so for ever. Calls
     * {@link #start} unless it is overridden.
     */
    protected void onRestart() {
        start();
    }

    /** This actor's name. */
    public final ActorName self() {
        return host().self();
    }

    /** Sends {@code message} to one actor. The message is frozen now: later changes do not show. */
    protected final void send(ActorName to, Object message) {
        host().send(to, message);
    }

    /** Sends {@code message} to each of the actors. */
    protected final void send(Iterable<ActorName> to, Object message) {
        if (to instanceof Role role) {
            for (int i = 0; i < role.size(); i++) {
                send(role.unseen(i), message);
            }
            return;
        }
        for (ActorName name : to) {
            send(name, message);
        }
    }

    /**
     * Sends {@code message} to the sender of the message that is being handled.
     *
     * @throws IllegalStateException if no actor sent it: in {@link #start}, for timers and the like, or when the
     *     scenario did
     */
    protected final void reply(Object message) {
        host().send(host().sender(), message);
    }

    /**
     * Creates an actor and runs its {@link #start} as part of this step. Nothing may be done to the object after that.
     *
     * @param role what the child is called: its name is {@code self()/role} and a number, so the role must not
     *     end with a digit. It begins with a letter or {@code $}, and has neither white space nor slashes
     */
    protected final ActorName create(String role, Actor child) {
        ActorName.requireChildRole(role);
        if (Character.isDigit(role.charAt(role.length() - 1))) {
            throw new IllegalArgumentException(
                "the role of a child must not end with a digit: its name gets a number");
        }
        return host().create(role, Objects.requireNonNull(child, "an actor must not be null"));
    }

    /**
     * A number from 0 to {@code n - 1}. Every one of them is explored.
     *
     * @param n how many alternatives there are, at least 1
     */
    protected final int choose(int n) {
        if (n < 1) {
            throw new IllegalArgumentException("choose(" + n + "): at least one alternative is needed");
        }
        return host().choose(n);
    }

    /**
     * Begins an operation of this actor, for the {@link Scenario#history} that properties read. An actor has
     * at most one pending operation, and each call of {@code invoked} is followed by one of {@link #returned},
     * in this step or a later one; anything else breaks a rule and ends the check. A crash leaves the operation
     * pending for ever: it may have taken effect or not. After it the actor may begin another one, and cannot end
     * the one before.
     *
     * @param operation the operation, such as a request with its arguments; frozen now, like a message
     */
    protected final void invoked(Object operation) {
        host().invoked(operation);
    }

    /**
     * Ends this actor's pending operation.
     *
     * @param result its result, frozen now; null for none
     */
    protected final void returned(Object result) {
        host().returned(result);
    }

    /**
     * Sets a timer that fires once. When it fires, the {@link Handler} for its class consumes it as it does a
     * message, with null for the sender. Where the handler's guard is false, the timer does not fire yet. An equal
     * timer that is pending, by content, is replaced: it begins to wait anew, and need not fire in a run in which that
     * happens again and again.
     *
     * @param timer any value that can be a message; frozen now
     * @param after how long it takes; only if the scenario says {@code timers().inOrder()} does it matter, or fail if it is
     *     negative
     */
    protected final void setTimer(Object timer, Duration after) {
        setTimer(timer, after, after);
    }

    /** As above, with a timer that fires after a while that is not known exactly, and where {@code max} may not be less than {@code min}. */
    protected final void setTimer(Object timer, Duration min, Duration max) {
        Objects.requireNonNull(timer, "a timer must not be null");
        // A duration of more than 292 years, such as "for ever", becomes that.
        host().setTimer(timer, TimeUnit.NANOSECONDS.convert(min), TimeUnit.NANOSECONDS.convert(max));
    }

    /** Cancels the pending timer that equals this one, by content, and reports whether there was one. */
    protected final boolean cancelTimer(Object timer) {
        return host().cancelTimer(Objects.requireNonNull(timer, "a timer must not be null"));
    }

    /**
     * Ends this actor with the present step. What it sends in the step is sent; messages to it vanish, and
     * properties do not see it any more. Does not work in {@link #start}.
     */
    protected final void stop() {
        host().stop();
    }

    /**
     * Asks for a notice when another actor goes: when it stops or crashes. A handler takes it, as in {@code @Handler void on(Disconnected
     * d)}, once all messages of that actor were received or lost that were sent to this one. If that actor has gone and is not back, the
     * notice comes at once. It comes once: who wants to be told again watches again. A crash of this actor ends what it watches.
     */
    protected final void watch(ActorName actor) {
        host().watch(Objects.requireNonNull(actor, "who is watched must not be null"));
    }

    /** Takes {@link #watch} back: a notice about this actor does not come any more. */
    protected final void unwatch(ActorName actor) {
        host().unwatch(Objects.requireNonNull(actor, "who is watched must not be null"));
    }

    /**
     * Closes the connection that this actor has with another one ({@link Network#connections}), if it has one. What is in flight on it to
     * this actor is lost, and it is not told of that; the other actor is, as if this one had crashed. What this actor sends later opens
     * another connection. Does not work in {@link #start}.
     */
    protected final void disconnect(ActorName actor) {
        host().disconnect(Objects.requireNonNull(actor, "with whom the connection is must not be null"));
    }

    /** This actor's event loop, for code that wants an executor. */
    protected final EventLoop eventLoop() {
        return new EventLoop(this);
    }

    /** This actor's clock. */
    protected final LogicalClock clock() {
        return new LogicalClock(this, "Z");
    }

    final void bind(Host<ActorName, Actor> newHost) {
        host = newHost;
    }

    /** What the actor is to do by itself; read-only, as it may be an empty one that is not the actor's. */
    final Agenda agenda() {
        return agenda == null ? new Agenda() : agenda;
    }

    final void agenda(Agenda newAgenda) {
        agenda = newAgenda;
    }

    /** The agenda for {@code method} to change. Constructors may. */
    final Agenda changing(String method) {
        if (host != null) {
            host.requireChanging(method);
        }
        if (agenda == null) {
            agenda = new Agenda();
        }
        return agenda;
    }

    /** The time on the actor's clock. */
    final Instant now() {
        Agenda.noteRead();
        return agenda == null || agenda.now == null ? World.current().startOfTime() : agenda.now;
    }

    private Host<ActorName, Actor> host() {
        if (host == null) {
            throw new IllegalStateException(
                "an actor has no name before it is created: self, send, reply, create, choose, invoked, returned,"
                    + " setTimer, cancelTimer and stop work in start() and in handlers");
        }
        return host;
    }
}
