package harrier.runtime;

import harrier.History;
import harrier.Hosting;
import harrier.Operation;
import harrier.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The operations of one run, with the times at which they began and ended. */
final class LiveHistory {
    private static final int NEVER = Integer.MAX_VALUE;

    private final Scenario scenario;
    private final List<Live> operations = new ArrayList<>();
    private int time;
    private boolean hasGrown;

    private static final class Live {
        final String actor;
        final Object invocation;
        final int begin;
        int end = NEVER;
        Object result;

        Live(String actor, Object invocation, int begin) {
            this.actor = actor;
            this.invocation = invocation;
            this.begin = begin;
        }

        @Override
        public String toString() {
            return actor + " " + LiveDump.of(invocation) + (end == NEVER ? "" : " gives " + LiveDump.of(result));
        }
    }

    LiveHistory(Scenario scenario) {
        this.scenario = scenario;
    }

    /** A step begins. The first operation that begins or ends in it makes room. */
    void step() {
        hasGrown = false;
    }

    void invoked(String actor, Object invocation) {
        forget();
        if (operations.stream().anyMatch(o -> o.actor.equals(actor) && o.end == NEVER)) {
            throw new IllegalStateException(actor + " has a pending operation");
        }
        operations.add(new Live(actor, invocation, time++));
    }

    void returned(String actor, Object result) {
        forget();
        Live operation = operations.stream().filter(o -> o.actor.equals(actor) && o.end == NEVER).findFirst()
            .orElseThrow();
        operation.end = time++;
        operation.result = result;
    }

    private void forget() {
        if (hasGrown) {
            return;
        }
        hasGrown = true;
        History history = history();
        // An actor's operations follow each other, so they are in the same order here and there.
        List<Live> given = new ArrayList<>();
        for (String actor : operations.stream().map(o -> o.actor).distinct().toList()) {
            List<Live> own = operations.stream().filter(o -> o.actor.equals(actor)).toList();
            List<Operation> seen = history.operations().stream()
                .filter(o -> o.actor().toString().equals(actor)).toList();
            IntStream.range(0, own.size()).filter(i -> own.get(i).end != NEVER
                && !Hosting.keeps(scenario, seen.get(i), history)).forEach(i -> given.add(own.get(i)));
        }
        operations.removeAll(given);
    }

    /** The history as properties see it. */
    History history() {
        return new History(operations.stream().map(o -> new Operation(Hosting.name(o.actor), o.invocation,
            o.result, o.begin, o.end == NEVER ? Operation.PENDING : o.end)).toList());
    }

    /** The operations and who precedes whom. */
    String text() {
        StringBuilder text = new StringBuilder();
        List<Live> sorted = operations.stream().sorted((a, b) -> a.actor.equals(b.actor)
            ? Integer.compare(a.begin, b.begin) : a.actor.compareTo(b.actor)).toList();
        for (int i = 0; i < sorted.size(); i++) {
            text.append(i).append(' ').append(sorted.get(i)).append(" after");
            for (int j = 0; j < sorted.size(); j++) {
                text.append(sorted.get(j).end < sorted.get(i).begin ? " " + j : "");
            }
            text.append('\n');
        }
        return text.toString();
    }
}
