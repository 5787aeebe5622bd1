package harrier.runtime.rules;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What was seen of a program while it ran, on any thread, that its verdict rests on. */
public final class Notes {
    private final SortedMap<String, SortedSet<String>> places = new TreeMap<>();
    private final boolean clocksMove;
    private int count;
    private boolean hasInput;

    /** Makes notes of a program that moves no clock. */
    public Notes() {
        this(false);
    }

    /** Makes notes of a program.
     *
     * @param clocksMove whether it moves clocks of actors, by {@code clock().advance}
     */
    public Notes(boolean clocksMove) {
        this.clocksMove = clocksMove;
    }

    /** Notes that the time is read of a clock that nobody moved, unless the program moves clocks. */
    void readsTime(Instant start, String place) {
        if (!clocksMove) {
            add("the time is read in {}: it stands still at " + start, place);
        }
    }

    /** Notes that something happens at a place. */
    public synchronized void add(String what, String place) {
        count++;
        places.computeIfAbsent(what, w -> new TreeSet<>()).add(place);
    }

    /** What was noted, each as one line that names the places. */
    public synchronized List<String> list() {
        List<String> lines = new ArrayList<>();
        places.forEach((what, at) -> lines.add(what.replace("{}", few(at))));
        return lines;
    }

    /** How often something was noted, values among that. */
    public synchronized int count() {
        return count;
    }

    /** Notes that a class is initialized in a step that holds values: what later steps decode may be compared with them by identity. */
    synchronized void addValues() {
        count++;
    }

    /** Notes that the program reads more than its classes, its set-up and what it is asked, so that its answers may depend on that. */
    synchronized void addInput() {
        hasInput = true;
    }

    /** Reports whether it does. */
    public synchronized boolean hasInput() {
        return hasInput;
    }

    private static String few(SortedSet<String> places) {
        int others = places.size() - 1;
        return places.first() + (others == 0 ? "" : " and " + others + (others == 1 ? " other" : " others"));
    }
}
