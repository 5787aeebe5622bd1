package harrier.runtime.step;

import harrier.ActorName;
import harrier.host.Hooks;
import harrier.host.Hosting;
import harrier.runtime.Failure;
import harrier.runtime.LimitException;
import harrier.runtime.RuleException;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.FormatException;
import harrier.runtime.codec.HashLayout;
import harrier.runtime.codec.LocalState;
import harrier.runtime.codec.NotCapturableException;
import harrier.runtime.step.ActorClass.HandlerMethod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Runs local steps: (local state, message) to outcomes. Every execution works on freshly decoded
 * objects, so none leaves anything behind for the next.
 *
 * <p>With rechecking, each execution is repeated with hash collections laid out differently; the two
 * must give the same.
 */
public final class Steps {
    private final Codec codec;
    private final boolean recheck;
    private final Map<Class<?>, ActorClass> classes = new ConcurrentHashMap<>();
    private volatile Running running;

    public Steps(Codec codec, boolean recheck) {
        this.codec = codec;
        this.recheck = recheck;
    }

    /**
     * The answer to one question.
     *
     * @param outcomes none if no handler accepts the message
     * @param executions how often handlers were run
     */
    public record Answer(List<Outcome> outcomes, int executions) {}

    /** The handler that is running, and the name of its actor. */
    public record Running(String actor, String handler) {}

    /** A step that is not a function of its input, with both executions. */
    public static final class DifferenceException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient byte[] local;
        private final transient Outcome first;
        private final transient Outcome second;

        DifferenceException(byte[] local, Outcome first, Outcome second) {
            this.local = local;
            this.first = first;
            this.second = second;
        }

        public byte[] local() {
            return local;
        }

        public Outcome first() {
            return first;
        }

        public Outcome second() {
            return second;
        }
    }

    /** What runs now, or null. May be asked by another thread. */
    public Running running() {
        return running;
    }

    /** The handlers of an actor class. */
    public ActorClass classOf(Class<?> type) {
        return classes.computeIfAbsent(type, ActorClass::of);
    }

    /** Finds all outcomes of a message being consumed in a local state. */
    public Answer answer(byte[] local, Envelope envelope) {
        LocalState probe = decode(local, HashLayout.PLAIN);
        Object message = decode(envelope, HashLayout.PLAIN);
        List<HandlerMethod> handlers = classOf(probe.actor().getClass()).handlersFor(message.getClass());
        if (handlers.isEmpty()) {
            throw noHandler(probe, envelope, message.getClass());
        }
        List<Outcome> outcomes = new ArrayList<>();
        int executions = 0;
        for (HandlerMethod handler : handlers) {
            for (Choices choices = Choices.first(); choices != null; choices = choices.next()) {
                Outcome outcome = execute(local, envelope, handler, choices, HashLayout.PLAIN);
                executions++;
                if (recheck) {
                    Choices again = choices.again();
                    Outcome second = execute(local, envelope, handler, again, HashLayout.OPPOSITE);
                    executions++;
                    compare(local, envelope, handler, outcome, second);
                    requireSameAlternatives(choices, again, envelope, handler);
                }
                if (outcome == null) {
                    break; // the guard is false
                }
                outcomes.add(outcome);
            }
        }
        return new Answer(outcomes, executions);
    }

    private LocalState decode(byte[] local, HashLayout layout) {
        return decode("the state of an actor", () -> codec.decodeLocalState(local, layout));
    }

    private Object decode(Envelope envelope, HashLayout layout) {
        return decode("a message to " + envelope.receiver(), () -> codec.decode(envelope.payload(), layout));
    }

    /** Filling hash collections runs the program's own hashCode and equals, which may fail. */
    private static <T> T decode(String what, Supplier<T> decoding) {
        try {
            return decoding.get();
        } catch (FormatException e) {
            throw e; // a fault of ours
        } catch (RuntimeException e) {
            throw new RuleException("making " + what + " anew fails: " + Failure.describe(e)
                + ": hashCode, equals and compareTo must work on every value that a collection holds");
        }
    }

    /** One execution of a handler; null if its guard is false. */
    private Outcome execute(byte[] local, Envelope envelope, HandlerMethod handler, Choices choices,
            HashLayout layout) {
        LocalState state = decode(local, layout);
        running = new Running(state.name(), handler.label());
        try {
            return executeIn(state, local, envelope, handler, choices, layout);
        } catch (OutOfMemoryError e) {
            throw new LimitException(state.name() + ": " + handler.label() + " ran out of the Java heap ("
                + (Runtime.getRuntime().maxMemory() >> 20) + " MB): --java-heap gives it more");
        } finally {
            running = null;
        }
    }

    private Outcome executeIn(LocalState state, byte[] local, Envelope envelope, HandlerMethod handler,
            Choices choices, HashLayout layout) {
        Object message = decode(envelope, layout);
        ActorName sender = envelope.sender().isEmpty() ? null : Hosting.access().name(envelope.sender());
        Effects effects = new Effects(codec, choices);
        Effects.ActorHost host = effects.host(state.name(), envelope.sender(), state.children());
        try {
            if (handler.guard() != null) {
                Hosting.access().bind(state.actor(), new ReadOnlyHost(state.name()));
                boolean accepts = (boolean) handler.guard().invokeExact(state.actor(), message, sender);
                refuse(state, handler, effects);
                requirePure(state, local, handler);
                if (!accepts) {
                    return null;
                }
            }
            Hosting.access().bind(state.actor(), host);
            handler.body().invokeExact(state.actor(), message, sender);
            Hosting.access().bind(state.actor(), null);
        } catch (OutOfMemoryError | RuleException e) {
            throw e;
        } catch (LinkageError e) {
            throw new RuleException(handler.label() + " needs a class that cannot be loaded: " + rootCause(e));
        } catch (Throwable e) {
            refuse(state, handler, effects);
            return Outcome.failed(handler.label(), choices.answers(), Failure.of(e));
        }
        refuse(state, handler, effects);
        byte[] after;
        try {
            after = codec.encode(new LocalState(state.name(), host.children(), state.actor()));
        } catch (NotCapturableException e) {
            throw notCapturable(state, handler, e);
        }
        return new Outcome(handler.label(), choices.answers(), after, effects.sends(), effects.creates(), null);
    }

    /** A guard is asked at any time and any number of times, so it must leave the actor as it is. */
    private void requirePure(LocalState state, byte[] local, HandlerMethod handler) {
        byte[] now;
        try {
            now = codec.encode(new LocalState(state.name(), state.children(), state.actor()));
        } catch (NotCapturableException e) {
            throw notCapturable(state, handler, e);
        }
        if (!Arrays.equals(now, local)) {
            throw new RuleException("the guard of " + handler.label() + " changes the state of " + state.name()
                + ": a guard must only read");
        }
    }

    /** What breaks a rule stays broken, even if the handler caught what was thrown at it. */
    private static void refuse(LocalState state, HandlerMethod handler, Effects effects) {
        Hooks.Refusal refusal = Hooks.takeRefusal();
        if (refusal != null) {
            throw new RuleException(state.name() + ": " + refusal.getMessage()
                + ": a handler must not end the process; throw an exception to report a failure");
        }
        if (effects.notCapturable() != null) {
            throw notCapturable(state, handler, effects.notCapturable());
        }
    }

    private static RuleException notCapturable(LocalState state, HandlerMethod handler, NotCapturableException e) {
        return new RuleException(state.name() + ", " + handler.label() + ": " + e.getMessage());
    }

    private static String rootCause(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return Failure.describe(cause);
    }

    private void compare(byte[] local, Envelope envelope, HandlerMethod handler, Outcome first, Outcome second) {
        if (first == null && second == null) {
            return;
        }
        if (first == null || second == null) {
            throw new RuleException("the guard of " + handler.label() + " answers both ways for the same state and"
                + " message of " + envelope.receiver() + ": it must not depend on iteration order, time or chance");
        }
        if (!first.sameAs(second)) {
            throw new DifferenceException(local, first, second);
        }
    }

    /** Otherwise some choices would never be explored. */
    private static void requireSameAlternatives(Choices first, Choices second, Envelope envelope,
            HandlerMethod handler) {
        if (!first.alternatives().equals(second.alternatives())) {
            throw new RuleException(handler.label() + " chooses among different numbers of alternatives for the same"
                + " state and message of " + envelope.receiver()
                + ": they must not depend on iteration order, time or chance");
        }
    }

    private static RuleException noHandler(LocalState state, Envelope envelope, Class<?> message) {
        String type = state.actor().getClass().getSimpleName();
        String from = envelope.sender().isEmpty() ? "the scenario" : envelope.sender();
        return new RuleException(state.name() + " has no handler for " + message.getSimpleName() + ", which " + from
            + " sends: add \"@Handler void on(" + message.getSimpleName() + " m)\" to " + type);
    }
}
