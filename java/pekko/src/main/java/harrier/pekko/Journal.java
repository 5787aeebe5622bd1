package harrier.pekko;

import harrier.DurableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What is stored under a persistence id. It is a value.
 *
 * @param events in the order of their numbers
 * @param snapshots in the order of the numbers of the last event that they contain; of a durable state its last value, if it is not deleted
 * @param highest the number of the last event, or of the last change of a durable state
 */
record Journal(List<Event> events, List<Snapshot> snapshots, long highest) {
    static final Journal EMPTY = new Journal(List.of(), List.of(), 0);

    /** Something as a disk has it: what actors change in memory, they do not change in it. */
    private static Object copy(Object stored) {
        return new DurableStore<>(stored).read();
    }

    record Event(long number, Object event, String manifest) {
        /** Stores a copy. */
        static Event of(long number, Object event, String manifest) {
            return new Event(number, copy(event), manifest);
        }

        /** A copy of what is stored. */
        Object read() {
            return copy(event);
        }

        @Override
        public String toString() {
            return number + ":" + event;
        }
    }

    record Snapshot(long number, Object state) {
        /** Stores a copy. */
        static Snapshot of(long number, Object state) {
            return new Snapshot(number, copy(state));
        }

        /** A copy of what is stored. */
        Object read() {
            return copy(state);
        }

        @Override
        public String toString() {
            return number + ":" + state;
        }
    }

    Journal with(List<Event> more) {
        return new Journal(Stream.concat(events.stream(), more.stream()).toList(), snapshots, more.get(more.size() - 1).number());
    }

    Journal with(Snapshot snapshot) {
        List<Snapshot> all = new ArrayList<>(snapshots);
        all.removeIf(s -> s.number() == snapshot.number());
        all.add(snapshot);
        return new Journal(events, List.copyOf(all), highest);
    }

    Journal withoutEvents(Predicate<Event> deleted) {
        return new Journal(events.stream().filter(deleted.negate()).toList(), snapshots, highest);
    }

    Journal withoutSnapshots(Predicate<Snapshot> deleted) {
        return new Journal(events, snapshots.stream().filter(deleted.negate()).toList(), highest);
    }

    /**
     * With another durable state.
     *
     * @param states one, or none if it is deleted
     */
    Journal changed(long revision, List<Snapshot> states) {
        return new Journal(events, states, revision);
    }
}
