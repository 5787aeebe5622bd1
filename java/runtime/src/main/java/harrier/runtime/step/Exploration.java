package harrier.runtime.step;

import harrier.Hosting;
import harrier.ProcessActor;
import harrier.host.Deadlock;
import harrier.host.Looks;
import harrier.host.StepStopped;
import harrier.host.World;
import harrier.runtime.actor.ActorClass.HandlerMethod;
import harrier.runtime.actor.Declared;
import harrier.runtime.actor.QuorumSize;
import harrier.runtime.actor.Setting;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.LimitException;
import harrier.runtime.failure.RuleException;
import harrier.runtime.load.NeededClass;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.Running;
import harrier.runtime.step.Act.Given;
import harrier.runtime.step.Steps.Answer;
import harrier.runtime.step.Steps.DifferenceException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/** Explores what may be done in one local state, with some messages or none. */
final class Exploration {
    private final Question question;
    private final Setting setting;
    private final Steps steps;
    private final byte[] before;
    private final CrashesWithin crashes;
    private final Chosen chosen;
    private final Guard guard = Guard.here();
    private final String name;
    private final String type;
    private final List<Outcome> outcomes = new ArrayList<>();
    private final List<Execution> done = new ArrayList<>();
    private int executions;
    /** Whether an execution did not return and was stopped. Then nothing more is executed. */
    private boolean isStopped;
    private Given fresh;
    /** Where the actor may crash in the last execution; null if no crashes are asked for. */
    private CrashesWithin.Points points;
    /** Gives the failure to report if the execution that runs ended now; null if there is none. */
    private Supplier<String> broken;

    /**
     * An exploration to carry out.
     *
     * @param before the actor's local state before
     * @param fresh the decoded state and messages, for the first execution
     * @param crashes to explore crashes within handlers; null to explore executions without a crash
     * @param chosen what alone is to be done; null for all that may be
     */
    Exploration(Steps steps, byte[] before, Question question, Given fresh, CrashesWithin crashes, Chosen chosen) {
        this.steps = steps;
        this.before = before;
        this.question = question;
        this.fresh = fresh;
        this.crashes = crashes;
        this.chosen = chosen;
        setting = question.setting();
        name = fresh.state().name();
        type = fresh.state().actor().getClass().getName();
    }

    /**
     * The outcomes of starting an actor again, which were explored.
     *
     * @param before its local state before it crashed
     * @param born the one from which it starts
     */
    static Exploration ofRestart(Steps steps, byte[] before, byte[] born, Chosen chosen) {
        Question question = new Question(steps.setting(), born, List.of());
        Given fresh = question.probe();
        Exploration exploration = new Exploration(steps, before, question, fresh, null, chosen);
        exploration.explore(Act.restart(steps.classOf(fresh.state().actor().getClass()).restartLabel()));
        return exploration;
    }

    /** The outcome of a crash that leaves an actor down: what is left of it. */
    static Exploration ofCrash(Steps steps, byte[] before, byte[] left) {
        Question question = new Question(steps.setting(), left, List.of());
        Exploration exploration = new Exploration(steps, before, question, question.probe(), null, null);
        Outcome down = new Outcome("", List.of(), left, List.of(), List.of(), List.of(), Outcome.NOTHING, List.of(), false, false);
        exploration.outcomes.add(steps.judge().judgesSteps() ? ofRestart(steps, before, left, null).refused().orElse(down) : down);
        return exploration;
    }

    /**
     * The first outcome that fails a step invariant. An actor that is down does the same whenever it starts again, so the steps from before
     * the crash to after the restart are judged at the crash.
     */
    Optional<Outcome> refused() {
        return outcomes.stream().filter(o -> o.failure() != null && !o.failure().property().isEmpty()).findFirst();
    }

    /** The outcomes of an actor's clock going on: by one tick and, where clocks drift, by two. */
    static Exploration ofTicks(Steps steps, byte[] before) {
        Question question = new Question(steps.setting(), before, List.of());
        Given given = question.probe();
        Exploration exploration = new Exploration(steps, before, question, given, null, null);
        Declared declared = steps.setting().declared();
        for (int ticks = 1; ticks <= (declared.rounds().drift() > 0 ? 2 : 1); ticks++) {
            declared.rounds().tick(given.agenda(), declared.start());
            ActorHost host = new Effects(steps.setting(), Choices.first()).host(given.state(), List.of(), "");
            exploration.outcomes.add(new Outcome("", List.of(), host.local(), List.of(), List.of(), List.of(), Outcome.NOTHING, List.of(),
                host.acts(), false));
        }
        return exploration;
    }

    /** All that was found. */
    Answer answer(List<Quorum> quorums) {
        return new Answer(outcomes, executions + (crashes == null ? 0 : crashes.executions()), quorums, Looks.atAll());
    }

    /** Reports whether it explores crashes within handlers, whose order of effects is not tried. */
    boolean isOfCrashesWithin() {
        return crashes != null;
    }

    /** Reports whether an execution did not return and was stopped, so that outcomes may be missing. */
    boolean isStopped() {
        return isStopped;
    }

    /** Finds all outcomes of an act. */
    void explore(Act act) {
        if (chosen != null) {
            repeat(act);
            return;
        }
        exploreAll(act);
    }

    /** Within a crash some of the choices are those of the restart, so all are explored. */
    private void repeat(Act act) {
        if (act.label().equals(chosen.handler())) {
            Breakpoint.before(chosen.number(), name, act.label());
            if (crashes != null) {
                exploreAll(act);
            } else {
                add(execute(act, Choices.of(chosen.choices())));
            }
        }
    }

    private void exploreAll(Act act) {
        for (Choices choices = Choices.first(); choices != null; choices = choices.next()) {
            Outcome outcome = execute(act, choices);
            executions++;
            if (outcome == null) {
                break; // the guard is false
            }
            add(outcome);
            if (isStopped) {
                break;
            }
        }
    }

    /** Adds the outcome of an act, unless its guard is false; or of crashes within it, if it does not fail. */
    private void add(Outcome outcome) {
        if (outcome != null && crashes == null) {
            outcomes.add(outcome);
        } else if (outcome != null && outcome.failure() == null) {
            List<Outcome> found = crashes.outcomes(points, outcome);
            isStopped |= found.stream().anyMatch(o -> o.failure() != null && o.failure().isHang());
            outcomes.addAll(found);
        }
    }

    /**
     * An execution, whatever its outcome.
     *
     * @param outcome null if a guard is false
     * @param alternatives of the choices
     */
    private record Execution(Act act, Outcome outcome, List<Integer> alternatives) {}

    /** How many messages a handler needs now; nothing if it fails to say, which is an outcome. */
    OptionalInt size(HandlerMethod handler, QuorumSize.Computed asked) {
        Act.Sizing sizing = new Act.Sizing(handler, asked);
        Choices none = Choices.first();
        Outcome outcome = execute(sizing, none);
        if (outcome == null) {
            return OptionalInt.empty(); // something was stopped before
        }
        int size = sizing.found();
        requireThat(none.alternatives().isEmpty(), sizing, "is chosen: it must be known in the state");
        if (outcome.failure() != null) {
            add(outcome);
            return OptionalInt.empty();
        }
        requireThat(size > 0, sizing, "is " + size + ": a quorum has at least 1 message");
        return OptionalInt.of(size);
    }

    private void requireThat(boolean holds, Act.Sizing sizing, String otherwise) {
        if (!holds) {
            throw new RuleException(sizing.wrong(name, otherwise));
        }
    }

    /** Reports whether an act may be done. One whose guard fails may be tried, and fails. */
    boolean accepts(Act act) {
        if (!act.isGuarded()) {
            return true;
        }
        Outcome outcome = execute(act.asked(), Choices.first());
        if (isStopped && outcome != null) {
            add(outcome);
        }
        return outcome != null && !isStopped;
    }

    /** One execution, on freshly decoded objects; null if the guard is false, or something was stopped before. */
    private Outcome execute(Act act, Choices choices) {
        if (isStopped) {
            return null;
        }
        Outcome outcome = judged(executeOnce(act, choices));
        if (outcome != null && act.isDue()) {
            outcome = outcome.asDue();
        }
        isStopped = outcome != null && outcome.failure() != null && outcome.failure().isHang();
        done.add(new Execution(act, outcome, List.copyOf(choices.alternatives())));
        return outcome;
    }

    /** An outcome, which is a failure if the step does what it must not. */
    private Outcome judged(Outcome outcome) {
        if (outcome == null || outcome.failure() != null || outcome.stopped()) {
            return outcome;
        }
        Failure failure = steps.judge().judge(new ActorState(name, type, before, false), new ActorState(name, type, outcome.local(), false));
        return failure == null ? outcome : outcome.failing(failure);
    }

    private Outcome executeOnce(Act act, Choices choices) {
        Effects effects = new Effects(setting, choices);
        World before = World.enter(effects);
        Running.begin(name + ": " + act.label());
        try {
            Given given = fresh != null ? fresh : question.decode();
            fresh = null; // the first execution changes it
            return execute(given, act, choices, effects);
        } catch (OutOfMemoryError e) {
            throw LimitException.heap(name + ": " + act.label());
        } catch (StepStopped e) { // while harrier's own code ran
            return Outcome.failed(act.label(), choices.answers(), Failure.of(e));
        } finally {
            Running.end();
            World.enter(before);
        }
    }

    private Outcome execute(Given given, Act act, Choices choices, Effects effects) {
        LocalState state = given.state();
        guard.choices(choices::choose);
        guard.drawer(name, Hosting.agenda(state.actor()));
        guard.clock(() -> setting.declared().now(Hosting.agenda(state.actor())));
        ActorHost host = effects.host(state, act.senders(given, question.senders()), act.label());
        Renewals renewals = new Renewals(setting, act.isCrash() ? question.agendaOf(before) : given.agenda());
        broken = () -> impurity(state, act);
        guard.watch(() -> broken.get(), () -> effects.soFar(act, choices, host));
        try {
            if (act.isGuarded()) {
                Hosting.bind(state.actor(), new ReadOnlyHost(name));
                boolean accepts = accepts(act, given);
                Running.requireReturned();
                Failure caught = guard.caught();
                refuse(state, act, effects);
                requirePure(state, act);
                if (caught != null) {
                    return failed(act, choices, caught);
                }
                if (!accepts) {
                    return null;
                }
            }
            broken = () -> effects.notCapturable(host);
            Hosting.bind(state.actor(), host);
            if (state.actor() instanceof ProcessActor && !(act instanceof ArrivalAct)) {
                guard.statics().enter(given.agenda().statics);
                given.agenda().running = guard.statics()::own;
            }
            run(given, act, choices, effects, host);
            Running.requireReturned();
            Hosting.bind(state.actor(), null);
        } catch (OutOfMemoryError | RuleException e) {
            throw e;
        } catch (LinkageError e) {
            String problem = NeededClass.problem(e); // which runs code of the program, too
            refuse(state, act, effects);
            throw new RuleException(act.label() + " " + problem, guard.callers(NeededClass.rootCause(e)));
        } catch (Throwable thrown) {
            Throwable e = Running.cause(thrown);
            Failure failure = Failure.of(e); // which runs code of the program, too
            Throwable cause = NeededClass.rootCause(e);
            Throwable stopped = Running.cause(e);
            if (stopped != e) {
                return failed(act, choices, Failure.of(stopped));
            }
            refuse(state, act, effects);
            if (!Failure.denied(cause).isEmpty()) {
                throw new RuleException(act.label() + " fails: " + Failure.describe(cause) + Failure.denied(cause), guard.callers(cause));
            }
            return failed(act, choices, failure);
        }
        Failure caught = guard.caught();
        refuse(state, act, effects);
        if (caught != null) {
            return failed(act, choices, caught);
        }
        String stuck = host.stopped() ? null : Deadlock.of(given.agenda());
        if (stuck != null) {
            return failed(act, choices, Failure.ofThreads(stuck));
        }
        byte[] after;
        try {
            after = host.local();
        } catch (NotCapturableException e) {
            throw notCapturable(state, act, e);
        }
        return new Outcome(act.label(), choices.answers(), after, effects.sends(), effects.creates(),
            steps.isRecording() ? effects.records() : List.of(), act.fired(),
            host.stopped() ? List.of() : renewals.in(given.agenda(), act), host.acts(), host.stopped()).by(act.thread());
    }

    /** A failure, unless it is that the heap is full, which is a bound. */
    private Outcome failed(Act act, Choices choices, Failure failure) {
        if (failure.isOutOfMemory()) {
            throw LimitException.heap(name + ": " + act.label());
        }
        return Outcome.failed(act.label(), choices.answers(), failure).by(act.thread());
    }

    private boolean accepts(Act act, Given given) throws Throwable {
        byte[][] counted = setting.covered().begin();
        try {
            return act.accepts(given);
        } finally {
            setting.covered().end(counted);
        }
    }

    private void run(Given given, Act act, Choices choices, Effects effects, ActorHost host) throws Throwable {
        byte[][] counted = setting.covered().begin();
        try {
            if (act.isOnMailbox() && ProgramLoader.hasThreads(given.state().actor().getClass())) {
                MailboxRun.of(given.state().actor(), act.label(), question.senders(), () -> watched(given, act, choices, effects, host));
            } else {
                watched(given, act, choices, effects, host);
            }
        } finally {
            setting.covered().end(counted);
        }
    }

    /** Runs it, with a watch of its effects. */
    private void watched(Given given, Act act, Choices choices, Effects effects, ActorHost host) throws Throwable {
        if (act.isCrash()) {
            host.crashed();
            act.run(given);
        } else if (crashes != null) {
            points = crashes.watch(effects, host, choices);
            effects.watch(host, points);
            act.run(given);
            points.end();
        } else if (setting.declared().restartsBetweenSteps(name)) {
            EarlySends early = new EarlySends(setting.codec(), given.state().actor());
            effects.watch(host, early);
            act.run(given);
            early.end(act.label());
        } else {
            act.run(given);
        }
    }

    private void requirePure(LocalState state, Act act) {
        String impurity = impurity(state, act);
        if (impurity != null) {
            throw guard.refusal(impurity, impurity, null);
        }
    }

    /** A guard is asked at any time and any number of times, so it must leave the actor as it is. Null if it does. */
    private String impurity(LocalState state, Act act) {
        byte[] now;
        try {
            now = setting.codec().encode(state);
        } catch (NotCapturableException e) {
            return name + ", " + act.label() + ": " + e.getMessage();
        }
        return Arrays.equals(now, question.local()) || !question.isStateStable() ? null : "the " + act.guard() + " of "
            + act.label() + " changes the state of " + name + ": a " + act.guard() + " must only read";
    }

    /** Compares with an exploration in another order, execution by execution. */
    void requireSame(Exploration other) {
        if (crashes != null) {
            crashes.requireSame(other.crashes);
        }
        boolean isSame = done.size() == other.done.size();
        for (int i = 0; i < Math.min(done.size(), other.done.size()); i++) {
            Execution a = done.get(i);
            Execution b = other.done.get(i);
            if (!a.act.label().equals(b.act.label())) {
                isSame = false;
                break;
            }
            requireSame(a.act, a.outcome, b.outcome);
            if (a.act instanceof Act.Sizing first && b.act instanceof Act.Sizing second && first.found() != second.found()
                    && question.isStable()) {
                throw RuleException.ofTwo(first.wrong(name,
                    "differs for the same state: it must not depend on iteration order, time or chance"));
            }
            // Otherwise some choices would never be explored.
            if (!a.alternatives.equals(b.alternatives) && question.isStable()) {
                throw RuleException.ofTwo(a.act.label() + " chooses among different numbers of alternatives for the same "
                    + question + " of " + name + ": they must not depend on iteration order, time or chance");
            }
        }
        if (!isSame && question.isStable()) {
            throw RuleException.ofTwo("what " + name + " may do differs for the same " + question
                + ": it must not depend on iteration order, time or chance");
        }
    }

    private void requireSame(Act act, Outcome first, Outcome second) {
        boolean same = first == null ? second == null
            : second != null && first.sameAs(second, setting.declared().fifo());
        if (same || !question.isStable()) {
            return;
        }
        if (first == null || second == null) {
            throw RuleException.ofTwo("the guard of " + act.label() + " answers both ways for the same " + question + " of "
                + name + ": it must not depend on iteration order, time or chance");
        }
        throw new DifferenceException(question.local(), question.envelopes().size() > 1, first, second);
    }

    /** A broken rule stays broken, even if the handler caught the error. */
    private void refuse(LocalState state, Act act, Effects effects) {
        guard.refuse(state.name(), ", " + act.label());
        if (effects.notCapturable() != null) {
            throw notCapturable(state, act, effects.notCapturable());
        }
    }

    private RuleException notCapturable(LocalState state, Act act, NotCapturableException e) {
        String last = e.getMessage().equals(broken.get()) ? e.getMessage() : null;
        return guard.refusal(state.name() + ", " + act.label() + ": " + e.getMessage(), last, e);
    }
}
