package harrier.runtime.step;

import harrier.ActorName;
import harrier.host.Hosting;
import harrier.host.World;
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
import harrier.runtime.load.NeededClass;
import harrier.runtime.rules.Guard;
import harrier.runtime.step.Act.Given;
import harrier.runtime.step.ActorClass.HandlerMethod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs local steps: (local state, event) to outcomes. Every execution works on freshly decoded
 * objects, so none leaves anything behind for the next.
 *
 * <p>With rechecking, each execution is repeated with hash collections laid out differently; the two
 * must give the same.
 */
public final class Steps {
    private static final byte[] NO_MESSAGE = {};

    private final Setting setting;
    private final Codec codec;
    private final Recheck recheck;
    private final boolean recording;

    /**
     * Local steps of a program.
     *
     * @param recheck of which questions the executions are repeated
     * @param recording whether outcomes tell of the operations that begin and end
     */
    public Steps(Setting setting, Recheck recheck, boolean recording) {
        this.setting = setting;
        codec = setting.codec();
        this.recheck = recheck;
        this.recording = recording;
    }

    /**
     * The answer to one question.
     *
     * @param outcomes none if no handler accepts the message
     * @param executions how often handlers were run
     * @param quorums for one message, the handlers that may consume it together with others
     */
    public record Answer(List<Outcome> outcomes, int executions, List<Quorum> quorums) {}

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
        return setting.classOf(type);
    }

    /** Finds all outcomes of a message being consumed in a local state. */
    public Answer answer(byte[] local, Envelope envelope) {
        Given probe = probe(local, envelope);
        Class<?> message = probe.message().getClass();
        List<HandlerMethod> handlers = classOf(probe.state().actor().getClass()).handlersFor(message);
        if (handlers.isEmpty()) {
            throw noHandler(probe.state(), envelope, message);
        }
        ActorName sender = envelope.sender().isEmpty() ? null : Hosting.access().name(envelope.sender());
        List<Act> acts = handlers.stream().map(h -> Act.handler(h, sender)).toList();
        return new Exploration(local, envelope, probe).of(acts);
    }

    /** Finds all outcomes of what an actor may do by itself in a local state. */
    public Answer internal(byte[] local) {
        Given probe = probe(local, null);
        Exploration exploration = new Exploration(local, null, probe);
        return exploration.of(new InternalEvents(probe, setting, exploration::accepts).all());
    }

    /** Finds all outcomes of a crash in a local state, after which the actor starts again. */
    public Answer restart(byte[] local) {
        LocalState crashed = probe(local, null).state();
        byte[] again;
        try {
            again = setting.births().after(crashed);
        } catch (NotCapturableException e) {
            throw new RuleException(crashed.name() + ", what is durable of it: " + e.getMessage());
        }
        Act act = Act.restart(classOf(crashed.actor().getClass()).restartLabel());
        return new Exploration(again, null, probe(again, null)).of(List.of(act));
    }

    private Given probe(byte[] local, Envelope envelope) {
        Running.begin((envelope == null ? "an actor" : envelope.receiver()) + ": hashCode, equals or compareTo");
        try {
            return decode(local, envelope, HashLayout.PLAIN);
        } finally {
            Running.end();
        }
    }

    private Given decode(byte[] local, Envelope envelope, HashLayout layout) {
        LocalState state = decode(local, layout);
        return new Given(state, envelope == null ? null : decode(envelope, layout), Pending.restore(state));
    }

    private LocalState decode(byte[] local, HashLayout layout) {
        return Decoding.of("the state of an actor", () -> codec.decodeLocalState(local, layout));
    }

    private Object decode(Envelope envelope, HashLayout layout) {
        return Decoding.of("a message to " + envelope.receiver(), () -> codec.decode(envelope.payload(), layout));
    }

    /** Explores what may be done in one local state, with one message or none. */
    private final class Exploration {
        private final byte[] local;
        private final Envelope envelope;
        private final String name;
        private Given fresh;

        /**
         * What is to be explored.
         *
         * @param fresh decoded, and not used yet
         */
        Exploration(byte[] local, Envelope envelope, Given fresh) {
            this.local = local;
            this.envelope = envelope;
            this.fresh = fresh;
            name = fresh.state().name();
        }

        /** All outcomes of all that may be done. */
        Answer of(List<Act> acts) {
            List<Outcome> outcomes = new ArrayList<>();
            int executions = 0;
            boolean twice = recheck.has(local, envelope == null ? NO_MESSAGE : envelope.payload());
            for (Act act : acts) {
                for (Choices choices = Choices.first(); choices != null; choices = choices.next()) {
                    Outcome outcome = execute(act, choices, HashLayout.PLAIN);
                    executions++;
                    if (twice) {
                        Choices again = choices.again();
                        Outcome second = execute(act, again, HashLayout.OPPOSITE);
                        executions++;
                        compare(act, outcome, second);
                        requireSameAlternatives(act, choices, again);
                    }
                    if (outcome == null) {
                        break; // the guard is false
                    }
                    outcomes.add(outcome);
                }
            }
            return new Answer(outcomes, executions, List.of());
        }

        /** Whether an act may be done. One whose guard fails may be tried, and fails. */
        boolean accepts(Act act) {
            return !act.isGuarded() || execute(act.asked(), Choices.first(), HashLayout.PLAIN) != null;
        }

        /** One execution, on freshly decoded objects; null if the guard is false. */
        private Outcome execute(Act act, Choices choices, HashLayout layout) {
            Effects effects = new Effects(setting, choices, layout);
            World before = World.enter(effects);
            Running.begin(name + ": " + act.label());
            try {
                Given given = fresh != null ? fresh : decode(local, envelope, layout);
                fresh = null; // it was, once
                return execute(given, act, choices, effects);
            } catch (OutOfMemoryError e) {
                throw LimitException.heap(name + ": " + act.label());
            } finally {
                Running.end();
                World.enter(before);
            }
        }

        private Outcome execute(Given given, Act act, Choices choices, Effects effects) {
            LocalState state = given.state();
            Guard.here().choices(choices::choose);
            Guard.here().enter(state, effects.layout());
            Guard.here().clock(() -> Hosting.access().agenda(state.actor()).now);
            Effects.ActorHost host = effects.host(state, envelope == null ? "" : envelope.sender());
            try {
                if (act.isGuarded()) {
                    Hosting.access().bind(state.actor(), new ReadOnlyHost(name));
                    boolean accepts = act.accepts(given);
                    refuse(state, act, effects);
                    requirePure(state, act);
                    if (!accepts) {
                        return null;
                    }
                }
                Hosting.access().bind(state.actor(), host);
                if (act.isCrash()) {
                    host.crashed();
                }
                act.run(given);
                Hosting.access().bind(state.actor(), null);
            } catch (OutOfMemoryError | RuleException e) {
                throw e;
            } catch (LinkageError e) {
                refuse(state, act, effects);
                throw new RuleException(act.label() + " " + NeededClass.problem(e));
            } catch (Throwable e) {
                refuse(state, act, effects);
                return Outcome.failed(act.label(), choices.answers(), Failure.of(e));
            }
            refuse(state, act, effects);
            byte[] after;
            try {
                after = host.local();
            } catch (NotCapturableException e) {
                throw notCapturable(state, act, e);
            }
            return new Outcome(act.label(), choices.answers(), after, effects.sends(), effects.creates(),
                recording ? effects.records() : List.of(), null, act.fired(), host.acts(), host.stopped());
        }

        /** A guard is asked at any time and any number of times, so it must leave the actor as it is. */
        private void requirePure(LocalState state, Act act) {
            byte[] now;
            try {
                now = codec.encode(Guard.here().withStatics(state));
            } catch (NotCapturableException e) {
                throw notCapturable(state, act, e);
            }
            if (!Arrays.equals(now, local) && isStable(local)) {
                throw new RuleException("the guard of " + act.label() + " changes the state of " + name
                    + ": a guard must only read");
            }
        }

        private void compare(Act act, Outcome first, Outcome second) {
            boolean same = first == null ? second == null
                : second != null && first.sameAs(second, setting.declared().fifo());
            if (same || !isStable(local, envelope)) {
                return;
            }
            if (first == null || second == null) {
                throw new RuleException("the guard of " + act.label() + " answers both ways for the same " + given()
                    + ": it must not depend on iteration order, time or chance");
            }
            throw new DifferenceException(local, first, second);
        }

        /** Otherwise some choices would never be explored. */
        private void requireSameAlternatives(Act act, Choices first, Choices second) {
            if (!first.alternatives().equals(second.alternatives()) && isStable(local, envelope)) {
                throw new RuleException(act.label() + " chooses among different numbers of alternatives for the same "
                    + given() + ": they must not depend on iteration order, time or chance");
            }
        }

        private String given() {
            return (envelope == null ? "state of " : "state and message of ") + name;
        }
    }

    /**
     * Whether state and message have but one encoding. Sets of objects that look alike may have more: then
     * two executions begin differently, and that they end differently says nothing about the handler.
     */
    private boolean isStable(byte[] local, Envelope envelope) {
        return isStable(local) && (envelope == null || Arrays.stream(HashLayout.values())
            .allMatch(layout -> Arrays.equals(codec.encode(decode(envelope, layout)), envelope.payload())));
    }

    private boolean isStable(byte[] local) {
        return Arrays.stream(HashLayout.values())
            .allMatch(layout -> Arrays.equals(codec.encode(decode(local, layout)), local));
    }

    /** What breaks a rule stays broken, even if the handler caught what was thrown at it. */
    private static void refuse(LocalState state, Act act, Effects effects) {
        Guard.here().refuse(state.name(), ", " + act.label());
        if (effects.notCapturable() != null) {
            throw notCapturable(state, act, effects.notCapturable());
        }
    }

    private static RuleException notCapturable(LocalState state, Act act, NotCapturableException e) {
        return new RuleException(state.name() + ", " + act.label() + ": " + e.getMessage());
    }

    private static RuleException noHandler(LocalState state, Envelope envelope, Class<?> message) {
        String type = state.actor().getClass().getSimpleName();
        String from = envelope.sender().isEmpty() ? "the scenario" : envelope.sender();
        return new RuleException(state.name() + " has no handler for " + message.getSimpleName() + ", which " + from
            + " sends: add \"@Handler void on(" + message.getSimpleName() + " m)\" to " + type);
    }
}
