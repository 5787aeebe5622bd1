package harrier.runtime.step;

import harrier.host.Looks;
import harrier.host.StepStopped;
import harrier.runtime.actor.ActorClass;
import harrier.runtime.actor.Envelope;
import harrier.runtime.actor.Scope;
import harrier.runtime.actor.Setting;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.RuleException;
import harrier.runtime.jdk.Order;
import harrier.runtime.recheck.Recheck;
import harrier.runtime.recheck.Repeater;
import harrier.runtime.recheck.Stopped;
import harrier.runtime.rules.Guard;
import harrier.runtime.step.Act.Given;
import harrier.runtime.wire.EventKind;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Runs local steps: (local state, event) to outcomes. Every execution works on freshly decoded
 * objects, so none leaves anything behind for the next.
 *
 * <p>With rechecking, all executions of a question are repeated with hash collections and several messages
 * in other orders; all must give the same.
 */
public final class Steps {
    private final Setting setting;
    private final Recheck recheck;
    private final boolean recording;
    private final StepJudge judge;
    private final Repeater<Steps> again;

    /**
     * Local steps of a program.
     *
     * @param recheck of which questions the executions are repeated
     * @param recording whether outcomes have the operations that begin and end
     * @param judge says which outcomes are failures
     * @param again repeats them
     */
    public Steps(Setting setting, Recheck recheck, boolean recording, StepJudge judge, Repeater<Steps> again) {
        this.setting = setting;
        this.recheck = recheck;
        this.recording = recording;
        this.judge = judge;
        this.again = again;
    }

    /** Reports whether outcomes have the operations that begin and end. */
    public boolean isRecording() {
        return recording;
    }

    /** Reports whether the last local states of actors that stop are seen by properties. */
    public boolean seesStopped() {
        return judge.seesStopped();
    }

    Setting setting() {
        return setting;
    }

    StepJudge judge() {
        return judge;
    }

    /** Readies the repetition of steps, before the first question. */
    public void prepare() {
        if (recheck.isOn()) {
            again.prepare();
        }
    }

    /**
     * The answer to one question.
     *
     * @param outcomes none if no handler accepts the messages
     * @param executions how often handlers were run
     * @param quorums for one message, the handlers that may consume it together with others
     * @param looks at which names the executions looked, that could tell these from others
     * @param varied what the repetition gave, if it was asked of something else and did not give the same; else null
     */
    public record Answer(List<Outcome> outcomes, int executions, List<Quorum> quorums, Looks looks, Answer varied) {
        /** One whose question was not repeated, or gave the same. */
        public Answer(List<Outcome> outcomes, int executions, List<Quorum> quorums, Looks looks) {
            this(outcomes, executions, quorums, looks, null);
        }

        /** Reports whether a handler fails. */
        public boolean fails() {
            for (Outcome o : outcomes) {
                if (o.failure() != null) {
                    return true;
                }
            }
            return false;
        }

        /** Reports whether another copy of the program gives the same. */
        public boolean sameAs(Answer other, Scope fifo) {
            if (outcomes.size() != other.outcomes.size()) {
                return false;
            }
            for (int i = 0; i < outcomes.size(); i++) {
                Outcome outcome = outcomes.get(i);
                if (!outcome.handler().equals(other.outcomes.get(i).handler()) || !outcome.sameAs(other.outcomes.get(i), fifo)) {
                    return false;
                }
            }
            return quorums.equals(other.quorums);
        }
    }

    /** A step that is not a function of its input, or a set-up, with both executions. */
    public static final class DifferenceException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient byte[] local;
        private final boolean several;
        private final transient Outcome first;
        private final transient Outcome second;
        private final List<String> line;

        DifferenceException(byte[] local, boolean several, Outcome first, Outcome second) {
            this(local, several, first, second, List.of());
        }

        /** Of a set-up, which has no local state before. */
        public DifferenceException(Outcome first, Outcome second) {
            this(Outcome.NOTHING, false, first, second);
        }

        private DifferenceException(byte[] local, boolean several, Outcome first, Outcome second, List<String> line) {
            this.local = local;
            this.several = several;
            this.first = first;
            this.second = second;
            this.line = line;
        }

        /** The same, with the line after which the executions differ. */
        public DifferenceException after(List<String> newLine) {
            return new DifferenceException(local, several, first, second, newLine);
        }

        /** What says after which line the executions differ; empty if that is not known. */
        public List<String> line() {
            return line;
        }

        /** The local state in which the step begins; empty for a set-up. */
        public byte[] local() {
            return local;
        }

        public boolean isOfSetUp() {
            return local.length == 0;
        }

        /** Reports whether it consumes several messages. */
        public boolean isOfSeveral() {
            return several;
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

    /** The local state of an actor as its constructor left it, to which it comes back after a crash; null if it never does. */
    public byte[] birth(String name) {
        return setting.newActors().of(name);
    }

    /** A question for the outcomes of one event in a local state. */
    public static final class Request {
        private final byte[] local;
        private final List<Envelope> envelopes;
        private final BiFunction<Steps, Chosen, Explored> explore;
        private final Chosen chosen;
        private final Request varied;

        private Request(byte[] local, List<Envelope> envelopes, BiFunction<Steps, Chosen, Explored> explore) {
            this(local, envelopes, explore, null, null);
        }

        private Request(byte[] local, List<Envelope> envelopes, BiFunction<Steps, Chosen, Explored> explore, Chosen chosen,
                Request varied) {
            this.local = local;
            this.envelopes = envelopes;
            this.explore = explore;
            this.chosen = chosen;
            this.varied = varied;
        }

        /** Asks for the outcomes of messages that are consumed at once; there is at least one. */
        public static Request messages(byte[] local, List<Envelope> envelopes) {
            return new Request(local, envelopes, (s, c) -> s.explored(local, envelopes, null, c));
        }

        /** Asks for the outcomes of all internal events. */
        public static Request internal(byte[] local) {
            return new Request(local, List.of(), (s, c) -> s.explored(local, List.of(), null, c));
        }

        /** Asks for the outcomes of a crash, after which the actor starts again. */
        public static Request restart(byte[] local) {
            return new Request(local, List.of(), (s, c) -> s.restarted(local, c));
        }

        /** Asks for what a crash leaves of an actor, which is down then. */
        public static Request crash(byte[] local) {
            return new Request(local, List.of(), (s, c) -> s.crashed(local));
        }

        /** Asks for what becomes of an actor whose clock goes on. */
        public static Request tick(byte[] local) {
            return new Request(local, List.of(), (s, c) -> s.ticked(local));
        }

        /**
         * Asks for the outcomes of a crash within what consumes some messages, or within all internal events if there are none.
         *
         * @param kind of the crash: RESTART_WITHIN, STOP_WITHIN or CRASH_WITHIN
         */
        public static Request within(byte[] local, List<Envelope> envelopes, EventKind kind) {
            return new Request(local, envelopes,
                (s, c) -> s.explored(local, envelopes, new CrashesWithin(s, local, kind), c));
        }

        /** The same request, for one outcome only. */
        public Request only(Chosen one) {
            return new Request(local, envelopes, explore, one, varied);
        }

        /** The same request, which is repeated as another one: as that of what must make no difference. */
        public Request repeatedAs(Request other) {
            return new Request(local, envelopes, explore, chosen, other);
        }

        /** This request, and the one as which it is repeated, if that is another one. */
        public Stream<Request> all() {
            return varied == null ? Stream.of(this) : Stream.of(this, varied);
        }

        /** The request as which this one is repeated. */
        private Request again() {
            return varied == null ? this : varied;
        }

        /** The local state in which it happens. */
        public byte[] local() {
            return local;
        }

        private Explored explore(Steps steps) {
            Looks looks = Looks.begin();
            try {
                Explored found = explore.apply(steps, chosen);
                looks.add(Guard.here().statics().names());
                if (envelopes.size() > 1 || found.exploration.isOfCrashesWithin() || Order.givesIdentity()) {
                    looks.add(Looks.atAll());
                }
                return new Explored(found.answer, found.exploration, looks);
            } finally {
                Looks.end();
            }
        }
    }

    /** Finds all outcomes of several events, one after the other. */
    public List<Answer> answers(List<Request> asked) {
        List<Repeater.Question<Steps, Explored>> questions = new ArrayList<>();
        for (Request one : asked) {
            questions.add(question(one));
        }
        Iterator<Request> compared = asked.iterator();
        return again.answers(this, questions, (first, others) -> compared(compared.next(), first, others));
    }

    private Repeater.Question<Steps, Explored> question(Request asked) {
        boolean isRepeated = recheck.has(asked.local, new Question(setting, asked.local, asked.envelopes).payloads());
        return new Repeater.Question<>(asked.local, isRepeated, steps -> explored(steps, asked), steps -> explored(steps, asked.again()));
    }

    private static Explored explored(Steps steps, Request asked) {
        Explored explored;
        try {
            explored = asked.explore(steps);
        } catch (StepStopped e) { // while objects were made anew
            Outcome failed = Outcome.failed("hashCode, equals or compareTo", List.of(), Failure.of(e));
            throw new Stopped(new Answer(List.of(failed), 1, List.of(), Looks.atAll()));
        }
        if (explored.exploration.isStopped()) {
            throw new Stopped(explored.answer);
        }
        return explored;
    }

    /** What a request gave, if all executions of the same bytes gave the same. */
    private Answer compared(Request asked, Explored first, List<Explored> others) {
        int executions = first.answer.executions();
        Looks looks = others.isEmpty() ? Looks.atAll() : Looks.atNone(); // else the orders of hash collections are not tried
        Explored same = asked.varied == null || others.isEmpty() ? first : others.get(0);
        for (Explored other : others) {
            if (other != same) {
                same.exploration.requireSame(other.exploration);
            }
            executions += other.answer.executions();
            looks.add(other.looks);
        }
        Answer varied = same == first || same.answer.sameAs(first.answer, setting.declared().fifo()) ? null : same.answer;
        return new Answer(first.answer.outcomes(), executions, first.answer.quorums(), looks, varied);
    }

    /** An answer, how it was found, and at which names that looked. */
    private record Explored(Answer answer, Exploration exploration, Looks looks) {
        Explored(Answer answer, Exploration exploration) {
            this(answer, exploration, answer.looks());
        }
    }

    /** What consumes messages, or internal events if there are none; if crashes are given, these within that. */
    private Explored explored(byte[] local, List<Envelope> envelopes, CrashesWithin crashes, Chosen chosen) {
        Question question = new Question(setting, local, envelopes);
        Given probe = question.probe();
        Exploration exploration = new Exploration(this, local, question, probe, crashes, chosen);
        if (!envelopes.isEmpty()) {
            return new Explored(new Reception(question, probe, exploration).answer(), exploration);
        }
        new InternalEvents(probe, setting, exploration::accepts).all().forEach(exploration::explore);
        return new Explored(exploration.answer(List.of()), exploration);
    }

    private Explored restarted(byte[] local, Chosen chosen) {
        Exploration exploration = Exploration.ofRestart(this, local, born(local), chosen);
        return new Explored(exploration.answer(List.of()), exploration);
    }

    private Explored crashed(byte[] local) {
        Exploration exploration = Exploration.ofCrash(this, local, born(local));
        return new Explored(exploration.answer(List.of()), exploration);
    }

    private Explored ticked(byte[] local) {
        Exploration exploration = Exploration.ofTicks(this, local);
        return new Explored(exploration.answer(List.of()), exploration);
    }

    /** What a crash leaves of an actor. */
    private byte[] born(byte[] local) {
        LocalState crashed = new Question(setting, local, List.of()).probe().state();
        try {
            return setting.newActors().after(crashed);
        } catch (NotCapturableException e) {
            throw new RuleException(crashed.name() + ", what is durable of it: " + e.getMessage());
        }
    }
}
