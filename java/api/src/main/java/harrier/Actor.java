package harrier;

import harrier.host.Host;
import harrier.host.Hosting;

/**
 * One sequential process: fields that are its local state, and {@link Handler} methods that consume
 * one message each and run one at a time, without interruption.
 *
 * <p>An actor sees nothing but its own fields and the messages it consumes. It holds other actors by
 * {@link ActorName} only. The methods {@link #send}, {@link #reply}, {@link #create},
 * {@link #choose}, {@link #invoked} and {@link #returned} work in {@link #start} and in handlers;
 * {@link #self} works there, in guards and in properties. Elsewhere, such as in constructors, they fail
 * with {@link IllegalStateException}.
 *
 * <p>A handler is a function of the local state and the message. It must not read clocks, draw
 * random numbers, start threads, or keep anything in static fields; what it wants explored it takes
 * from {@link #choose}. A failing {@code assert} and an exception that leaves a handler are
 * violations.
 */
public abstract class Actor {
    static {
        Hosting.install(new Hosting.Access() {
            @Override
            public void bind(Actor actor, Host host) {
                actor.host = host;
            }

            @Override
            public void bind(Scenario scenario, harrier.host.Stage stage) {
                scenario.bind(stage);
            }

            @Override
            public void start(Actor actor) {
                actor.start();
            }

            @Override
            public void setUp(Scenario scenario) {
                scenario.setUp();
            }

            @Override
            public boolean expectFinal(Scenario scenario) {
                return scenario.expectFinal();
            }

            @Override
            public boolean keeps(Scenario scenario, Operation operation, History history) {
                return scenario.keeps(operation, history);
            }

            @Override
            public ActorName name(String text) {
                return ActorName.of(text);
            }
        });
    }

    /** Set while a step of this actor runs, null otherwise. Not part of the local state. */
    private Host host;

    /** For subclasses. The actor has no name yet while its constructor runs. */
    protected Actor() {}

    /** Runs once, when the actor is created and has its name. Sends the first messages, if any. */
    protected void start() {}

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
        for (ActorName name : to) {
            send(name, message);
        }
    }

    /**
     * Sends {@code message} to the sender of the message that is being handled.
     *
     * @throws IllegalStateException if no actor sent it: in {@link #start}, or when the scenario did
     */
    protected final void reply(Object message) {
        host().send(host().sender(), message);
    }

    /**
     * Creates an actor and runs its {@link #start} as part of this step.
     *
     * @param role what the child is called: its name is {@code self()/role} and a number, so the role must not
     *     end with a digit
     */
    protected final ActorName create(String role, Actor child) {
        ActorName.requireRole(role);
        if (Character.isDigit(role.charAt(role.length() - 1))) {
            throw new IllegalArgumentException(
                "the role of a child must not end with a digit: its name gets a number");
        }
        return host().create(role, child);
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
     * in this step or a later one; anything else breaks a rule and ends the check.
     *
     * @param operation what is to be done, such as a request with its arguments; frozen now, like a message
     */
    protected final void invoked(Object operation) {
        host().invoked(operation);
    }

    /**
     * Ends this actor's pending operation.
     *
     * @param result what came of it, frozen now; null if there is nothing to tell
     */
    protected final void returned(Object result) {
        host().returned(result);
    }

    private Host host() {
        if (host == null) {
            throw new IllegalStateException(
                "an actor has no name before it is created: self, send, reply, create, choose, invoked and returned"
                    + " work in start() and in handlers");
        }
        return host;
    }
}
