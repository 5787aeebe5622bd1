package harrier.runtime.step;

import harrier.DurableStore;
import harrier.runtime.actor.Envelope;
import harrier.runtime.actor.NewActors;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.failure.RuleException;
import harrier.runtime.wire.EventKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The crashes of an actor within the handlers that an {@link Exploration} runs. Each execution goes on to its end, and
 * says at which points the actor may crash; the outcomes of such crashes are explored afterwards. Where the order of what a
 * handler sends is that of a hash collection, which shows nowhere else, it is the one in which that iterates first.
 */
final class CrashesWithin {
    private final Steps steps;
    private final byte[] before;
    private final boolean isForGood;
    private final boolean staysDown;
    /** The restarts explored so far, by the state that the actor starts again from. */
    private final Map<ByteBuffer, Exploration> restarts = new LinkedHashMap<>();

    /**
     * The crashes in one question.
     *
     * @param before the actor's local state before
     * @param kind of the crashes: whether the actor starts again at once, stops or is down then
     */
    CrashesWithin(Steps steps, byte[] before, EventKind kind) {
        this.steps = steps;
        this.before = before;
        isForGood = kind == EventKind.STOP_WITHIN;
        staysDown = kind == EventKind.CRASH_WITHIN;
    }

    /** The points of one execution. */
    final class Points implements EffectWatch {
        private final Effects effects;
        private final ActorHost host;
        private final Choices choices;
        /** Whether what a crash leaves may change between effects: durable fields, or the last local state if that is seen. */
        private final boolean isFine;
        private final List<Point> found = new ArrayList<>();
        private int over;
        private Effect last;
        private RuntimeException problem;

        private Points(Effects effects, ActorHost host, Choices choices) {
            this.effects = effects;
            this.host = host;
            this.choices = choices;
            isFine = isForGood && steps.seesStopped()
                || NewActors.durable(host.type()).stream().anyMatch(f -> f.getType() != DurableStore.class);
            if (isFine) {
                add(0, "at its start", false);
            }
        }

        @Override
        public void begins(Effect effect) {
            add(isFine ? 1 : 0, last == null || isFine ? "before " + effect : "after " + last, false);
            last = effect;
        }

        @Override
        public void ends() {
            over++;
            if (isFine) {
                add(0, "after " + last, false);
            }
        }

        /** The handler is through. One that stopped its actor leaves nobody who crashes. */
        void end() {
            add(isFine ? 1 : 0, last == null || isFine ? "at its end" : "after " + last,
                isForGood || !host.stopped());
        }

        private void add(int next, String where, boolean isWhole) {
            int number = 2 * over + next;
            found.add(new Point(new CrashPoint(number, where, isWhole), choices.answers(), effects.sends().size(),
                effects.creates().size(), effects.records().size(), isForGood ? ended() : born()));
        }

        /** The state that the actor starts again from. */
        private byte[] born() {
            return captured("durable of it", () -> steps.setting().newActors().after(host.crashing()));
        }

        /** The last state of the actor: the one before the handler, if none is seen. */
        private byte[] ended() {
            return steps.seesStopped() ? captured("left of it", host::local) : before;
        }

        /** An error of a state is not for the handler to catch. */
        private byte[] captured(String what, Supplier<byte[]> state) {
            try {
                return state.get();
            } catch (NotCapturableException e) {
                problem = new RuleException(host.self() + ", what is " + what + ": " + e.getMessage());
            } catch (RuleException e) {
                problem = e;
            }
            return Outcome.NOTHING;
        }
    }

    /**
     * A point with how far the handler had come: what it chose, and how much it had sent, created and recorded.
     *
     * @param left the state that the actor starts again from, or its last one
     */
    private record Point(CrashPoint at, List<Integer> choices, int sends, int creates, int records, byte[] left) {}

    /** Watches an execution. */
    Points watch(Effects effects, ActorHost host, Choices choices) {
        return new Points(effects, host, choices);
    }

    /** The outcomes of crashes at the points of an execution, whose own outcome without a crash is {@code whole}. */
    List<Outcome> outcomes(Points points, Outcome whole) {
        if (points.problem != null) {
            throw points.problem;
        }
        List<Outcome> outcomes = new ArrayList<>();
        for (Point p : points.found) {
            List<OperationRecord> records = steps.isRecording() ? whole.records().subList(0, p.records) : List.of();
            Outcome sofar = new Outcome(whole.handler(), p.choices, p.left, whole.sends().subList(0, p.sends),
                whole.creates().subList(0, p.creates), records, null, whole.fired(), List.of(), false, isForGood, false, p.at, whole.thread());
            if (isForGood || staysDown && !steps.judge().judgesSteps()) {
                outcomes.add(sofar);
            } else if (staysDown) {
                outcomes.add(restart(p.left).refused().map(again -> joined(points.host.name(), sofar, again)).orElse(sofar));
            } else {
                restart(p.left).answer(List.of()).outcomes().forEach(again -> outcomes.add(joined(points.host.name(), sofar, again)));
            }
        }
        return outcomes;
    }

    /** What a handler did and then the restart. If that fails, it does so by itself. */
    private static Outcome joined(String name, Outcome sofar, Outcome again) {
        List<Integer> choices = both(sofar.choices(), again.choices());
        if (again.failure() != null) {
            return new Outcome(again.handler(), choices, again.local(), List.of(), List.of(), List.of(),
                again.failure(), sofar.fired(), List.of(), false, false, false, sofar.point(), again.thread());
        }
        return new Outcome(sofar.handler(), choices, again.local(), both(withoutRequests(name, sofar.sends()), again.sends()),
            both(sofar.creates(), again.creates()), both(sofar.records(), again.records()), null, sofar.fired(),
            again.renewed(), again.acts(), again.stopped(), false, sofar.point(), sofar.thread());
    }

    /** What an actor sent without whom it wanted to watch: after a crash it watches nobody. */
    private static List<Envelope> withoutRequests(String name, List<Envelope> sends) {
        return sends.stream().filter(e -> !(e.isRequest() && e.sender().equals(name))).toList();
    }

    private static <T> List<T> both(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    private Exploration restart(byte[] born) {
        return restarts.computeIfAbsent(ByteBuffer.wrap(born), b -> Exploration.ofRestart(steps, before, born, null));
    }

    /** How often restarts were run. */
    int executions() {
        return restarts.values().stream().mapToInt(r -> r.answer(List.of()).executions()).sum();
    }

    /** Compares with restarts in another order, of those that began from the same states. */
    void requireSame(CrashesWithin other) {
        restarts.forEach((born, restart) -> {
            if (other.restarts.containsKey(born)) {
                restart.requireSame(other.restarts.get(born));
            }
        });
    }
}
