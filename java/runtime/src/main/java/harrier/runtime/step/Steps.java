package harrier.runtime.step;

import harrier.ActorName;
import harrier.host.Hosting;
import harrier.runtime.Decoding;
import harrier.runtime.Failure;
import harrier.runtime.LimitException;
import harrier.runtime.Recheck;
import harrier.runtime.RuleException;
import harrier.runtime.Running;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.HashLayout;
import harrier.runtime.codec.LocalState;
import harrier.runtime.codec.NotCapturableException;
import harrier.runtime.rules.Guard;
import harrier.runtime.step.ActorClass.HandlerMethod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs local steps: (local state, message) to outcomes. Every execution works on freshly decoded
 * objects, so none leaves anything behind for the next.
 *
 * <p>With rechecking, each execution is repeated with hash collections laid out differently; the two
 * must give the same.
 */
public final class Steps {
    private final Codec codec;
    private final Recheck recheck;
    private final boolean recording;
    private final Map<Class<?>, ActorClass> classes = new ConcurrentHashMap<>();

    /**
     * Local steps of a program.
     *
     * @param recheck of which questions the executions are repeated
     * @param recording whether outcomes tell of the operations that begin and end
     */
    public Steps(Codec codec, Recheck recheck, boolean recording) {
        this.codec = codec;
        this.recheck = recheck;
        this.recording = recording;
    }

    /**
     * The answer to one question.
     *
     * @param outcomes none if no handler accepts the message
     * @param executions how often handlers were run
     */
    public record Answer(List<Outcome> outcomes, int executions) {}

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

    /** The handlers of an actor class. */
    public ActorClass classOf(Class<?> type) {
        return classes.computeIfAbsent(type, ActorClass::of);
    }

    /** Finds all outcomes of a message being consumed in a local state. */
    public Answer answer(byte[] local, Envelope envelope) {
        Given probe;
        Running.begin(envelope.receiver() + ": hashCode, equals or compareTo");
        try {
            probe = decode(local, envelope, HashLayout.PLAIN);
        } finally {
            Running.end();
        }
        Class<?> message = probe.message.getClass();
        List<HandlerMethod> handlers = classOf(probe.state.actor().getClass()).handlersFor(message);
        if (handlers.isEmpty()) {
            throw noHandler(probe.state, envelope, message);
        }
        List<Outcome> outcomes = new ArrayList<>();
        int executions = 0;
        boolean twice = recheck.has(local, envelope.payload());
        for (HandlerMethod handler : handlers) {
            for (Choices choices = Choices.first(); choices != null; choices = choices.next()) {
                Outcome outcome = execute(probe, local, envelope, handler, choices, HashLayout.PLAIN);
                probe = null; // it was fresh, once
                executions++;
                if (twice) {
                    Choices again = choices.again();
                    Outcome second = execute(null, local, envelope, handler, again, HashLayout.OPPOSITE);
                    executions++;
                    compare(local, envelope, handler, outcome, second);
                    requireSameAlternatives(local, choices, again, envelope, handler);
                }
                if (outcome == null) {
                    break; // the guard is false
                }
                outcomes.add(outcome);
            }
        }
        return new Answer(outcomes, executions);
    }

    /** What an execution works on, freshly decoded. */
    private record Given(LocalState state, Object message) {}

    private Given decode(byte[] local, Envelope envelope, HashLayout layout) {
        return new Given(decode(local, layout), decode(envelope, layout));
    }

    private LocalState decode(byte[] local, HashLayout layout) {
        return Decoding.of("the state of an actor", () -> codec.decodeLocalState(local, layout));
    }

    private Object decode(Envelope envelope, HashLayout layout) {
        return Decoding.of("a message to " + envelope.receiver(), () -> codec.decode(envelope.payload(), layout));
    }

    /** One execution of a handler, on what is given or else decoded now; null if its guard is false. */
    private Outcome execute(Given given, byte[] local, Envelope envelope, HandlerMethod handler, Choices choices,
            HashLayout layout) {
        Running.begin(envelope.receiver() + ": " + handler.label());
        try {
            return execute(given != null ? given : decode(local, envelope, layout), local, envelope, handler, choices);
        } catch (OutOfMemoryError e) {
            throw LimitException.heap(envelope.receiver() + ": " + handler.label());
        } finally {
            Running.end();
        }
    }

    private Outcome execute(Given given, byte[] local, Envelope envelope, HandlerMethod handler, Choices choices) {
        LocalState state = given.state;
        ActorName sender = envelope.sender().isEmpty() ? null : Hosting.access().name(envelope.sender());
        Effects effects = new Effects(codec, choices);
        Guard.here().choices(choices::choose);
        Effects.ActorHost host = effects.host(state.name(), envelope.sender(), state.children());
        try {
            if (handler.guard() != null) {
                Hosting.access().bind(state.actor(), new ReadOnlyHost(state.name()));
                boolean accepts = (boolean) handler.guard().invokeExact(state.actor(), given.message, sender);
                refuse(state, handler, effects);
                requirePure(state, local, handler);
                if (!accepts) {
                    return null;
                }
            }
            Hosting.access().bind(state.actor(), host);
            handler.body().invokeExact(state.actor(), given.message, sender);
            Hosting.access().bind(state.actor(), null);
        } catch (OutOfMemoryError | RuleException e) {
            throw e;
        } catch (LinkageError e) {
            refuse(state, handler, effects);
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
        return new Outcome(handler.label(), choices.answers(), after, effects.sends(), effects.creates(),
            recording ? effects.records() : List.of(), null);
    }

    /** A guard is asked at any time and any number of times, so it must leave the actor as it is. */
    private void requirePure(LocalState state, byte[] local, HandlerMethod handler) {
        byte[] now;
        try {
            now = codec.encode(new LocalState(state.name(), state.children(), state.actor()));
        } catch (NotCapturableException e) {
            throw notCapturable(state, handler, e);
        }
        if (!Arrays.equals(now, local) && isStable(local)) {
            throw new RuleException("the guard of " + handler.label() + " changes the state of " + state.name()
                + ": a guard must only read");
        }
    }

    /** What breaks a rule stays broken, even if the handler caught what was thrown at it. */
    private static void refuse(LocalState state, HandlerMethod handler, Effects effects) {
        Guard.here().refuse(state.name(), ", " + handler.label());
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
        if (first == null ? second == null : second != null && first.sameAs(second)) {
            return;
        }
        if (!isStable(local, envelope)) {
            return;
        }
        if (first == null || second == null) {
            throw new RuleException("the guard of " + handler.label() + " answers both ways for the same state and"
                + " message of " + envelope.receiver() + ": it must not depend on iteration order, time or chance");
        }
        throw new DifferenceException(local, first, second);
    }

    /**
     * Whether state and message have but one encoding. Sets of objects that look alike may have more: then
     * two executions begin differently, and that they end differently says nothing about the handler.
     */
    private boolean isStable(byte[] local, Envelope envelope) {
        return isStable(local) && Arrays.stream(HashLayout.values())
            .allMatch(layout -> Arrays.equals(codec.encode(decode(envelope, layout)), envelope.payload()));
    }

    private boolean isStable(byte[] local) {
        return Arrays.stream(HashLayout.values())
            .allMatch(layout -> Arrays.equals(codec.encode(decode(local, layout)), local));
    }

    /** Otherwise some choices would never be explored. */
    private void requireSameAlternatives(byte[] local, Choices first, Choices second, Envelope envelope,
            HandlerMethod handler) {
        if (!first.alternatives().equals(second.alternatives()) && isStable(local, envelope)) {
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
