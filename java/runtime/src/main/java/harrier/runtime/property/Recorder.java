package harrier.runtime.property;

import harrier.Actor;
import harrier.ActorName;
import harrier.History;
import harrier.Hosting;
import harrier.InFlight;
import harrier.Operation;
import harrier.Scenario;
import harrier.host.Stage;
import harrier.runtime.actor.Decoding;
import harrier.runtime.codec.Codec;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.LimitException;
import harrier.runtime.failure.RuleException;
import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.recheck.Repeater;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.Running;
import harrier.runtime.step.OperationRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Extends histories by the operations that a step begins and ends, and forgets those that the scenario
 * does not keep. A history without operations is no bytes at all.
 *
 * <p>Which operations to forget is decided before a history is extended, on the history that properties have
 * already seen.
 */
public final class Recorder implements Recording {
    private static final byte[] EMPTY = {};

    private final Scenario scenario;
    private final Codec codec;
    private final Repeater<Recorder> again;
    private final boolean isKept;
    private final Snapshot snapshot;

    /**
     * For a scenario that was set up.
     *
     * @param again computes the history once more
     * @param isKept what {@link #isKept} said; otherwise every history is empty
     */
    public Recorder(Scenario scenario, Codec codec, Repeater<Recorder> again, boolean isKept) {
        this.scenario = scenario;
        this.codec = codec;
        this.again = again;
        this.isKept = isKept;
        snapshot = new Snapshot(scenario, codec, "it must only read");
    }

    /**
     * Reports whether a scenario ever asks for the history. As {@link Scenario#history} is protected, only the code of
     * its own class and its superclasses can.
     */
    public static boolean isKept(Class<? extends Scenario> scenario, ProgramClasses classes) {
        return classes.refersTo(scenario.getName(), "history", "()" + History.class.descriptorString());
    }

    @Override
    public byte[] extend(byte[] history, List<OperationRecord> records) {
        if (!isKept) {
            return EMPTY;
        }
        if (records.isEmpty()) {
            return history;
        }
        List<Integer> kept = again.answers(this, List.of(new Repeater.Question<>(history, true, r -> r.kept(history))),
            this::compared).get(0);
        // Made anew, as keeps may have changed the objects that it was given.
        List<Operation> before = decode(history).operations();
        List<Operation> operations = new ArrayList<>();
        kept.forEach(i -> operations.add(before.get(i)));
        records.forEach(r -> record(operations, r));
        return operations.isEmpty() ? EMPTY : codec.encode(new History(operations));
    }

    private List<Integer> compared(List<Integer> first, List<List<Integer>> others) {
        if (others.stream().anyMatch(k -> !k.equals(first))) {
            throw RuleException.ofTwo("two answers of " + keeps() + " for the same history: it must not depend on"
                + " iteration order, time or chance");
        }
        return first;
    }

    /** The history with these bytes, made anew. */
    private History decode(byte[] history) {
        return Running.during("the history: hashCode, equals or compareTo", () -> decode(codec, history));
    }

    /** The history with these bytes, made anew. */
    static History decode(Codec codec, byte[] history) {
        return history.length == 0 ? new History(List.of())
            : Decoding.of("the history", () -> (History) codec.decode(history));
    }

    /** The indices of the operations that are kept. */
    private List<Integer> kept(byte[] encoded) {
        History history = decode(encoded);
        List<Operation> operations = history.operations();
        Hosting.bind(scenario, new NothingToRead());
        snapshot.watch(keeps());
        Running.begin(keeps());
        List<Integer> kept;
        try {
            kept = IntStream.range(0, operations.size()).filter(i -> !operations.get(i).isComplete()
                || Hosting.keeps(scenario, operations.get(i), history)).boxed().toList();
        } catch (OutOfMemoryError e) {
            throw LimitException.heap(keeps());
        } catch (RuntimeException | Error e) {
            Failure failure = Failure.of(e); // which runs code of the program, too
            Guard.here().refuse(keeps(), "");
            throw new RuleException(keeps() + " fails: " + failure.text()
                + (failure.stack().isEmpty() ? "" : " at " + failure.stack().get(0)) + ": it must answer for every"
                + " completed operation");
        } finally {
            Running.end();
            Hosting.bind(scenario, null);
        }
        Guard.here().refuse(keeps(), "");
        snapshot.require(keeps());
        return kept;
    }

    private String keeps() {
        return scenario.getClass().getSimpleName() + ".keeps";
    }

    private void record(List<Operation> operations, OperationRecord r) {
        ActorName actor = Hosting.name(r.actor());
        Object content = decode(r);
        int pending = pending(operations, actor);
        int now = operations.stream().mapToInt(o -> Math.max(o.invokedAt(), o.returnedAt())).max().orElse(-1);
        switch (r.kind()) {
            case INVOKED -> {
                if (pending >= 0) {
                    throw stillPending(actor, content, operations.get(pending).invocation());
                }
                operations.add(new Operation(actor, content, null, now + 1, Operation.PENDING));
            }
            case RETURNED -> {
                if (pending < 0) {
                    throw notPending(actor, content);
                }
                Operation o = operations.get(pending);
                operations.set(pending, new Operation(actor, o.invocation(), content, o.invokedAt(), now));
            }
            case ABANDONED -> {
                if (pending >= 0) {
                    Operation o = operations.get(pending);
                    operations.set(pending,
                        new Operation(actor, o.invocation(), null, o.invokedAt(), Operation.ABANDONED));
                }
            }
        }
    }

    /** The error for an actor that invokes an operation while it has another one. */
    static RuleException stillPending(ActorName actor, Object invocation, Object pending) {
        return new RuleException(actor + " invokes " + name(invocation) + " while its " + name(pending) + " is pending: an"
            + " actor has one operation at a time, so call returned before invoked");
    }

    /** The error for an actor that returns while it has no operation. */
    static RuleException notPending(ActorName actor, Object result) {
        return new RuleException(actor + " returns " + (result == null ? "" : name(result) + " ") + "without a pending"
            + " operation: call invoked before returned, once for each");
    }

    private Object decode(OperationRecord r) {
        String what = "an operation of " + r.actor();
        return Running.during(what + ": hashCode, equals or compareTo",
            () -> Decoding.of(what, () -> codec.decode(r.payload())));
    }

    private static int pending(List<Operation> operations, ActorName actor) {
        return IntStream.range(0, operations.size())
            .filter(i -> operations.get(i).actor().equals(actor)
                && operations.get(i).returnedAt() == Operation.PENDING)
            .findFirst().orElse(-1);
    }

    /** The class says enough, and no code of the program's runs. */
    private static String name(Object content) {
        return content.getClass().getSimpleName();
    }

    /** What stands behind the scenario while it computes a history. */
    private record NothingToRead() implements Stage<ActorName, Actor, InFlight, History> {
        @Override
        public IllegalStateException refusal(String method, String does) {
            return new IllegalStateException("keeps must only read what it is given: it cannot " + does
                + (method.equals("history") ? "; it is given the history" : ""));
        }
    }
}
