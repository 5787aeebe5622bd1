package harrier.runtime.rules;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Observations of a program while it ran, on any thread, on which its verdict rests. */
public final class Notes {
    /** How many places of one remark are named. */
    private static final int MOST_PLACES = 3;

    private final SortedMap<String, SortedSet<String>> places = new TreeMap<>();
    private final boolean clocksMove;
    /** How often code that is not the program's own caught exceptions, by class and place. */
    private final SortedMap<String, Integer> caught = new TreeMap<>();
    private int count;
    private boolean hasInput;
    private boolean wantsThreads;
    private boolean keepsThreads;

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

    /** Notes that code that is not the program's own caught an exception of a class at a place. */
    synchronized void caught(String type, String place) {
        count++;
        caught.merge(type + " at " + place, 1, Integer::sum);
    }

    /** The notes, each one line that names the places. */
    public synchronized List<String> list() {
        List<String> lines = new ArrayList<>();
        places.forEach((what, at) -> lines.add(what.replace("{}", few(at))));
        if (!caught.isEmpty()) {
            lines.add(allCaught());
        }
        return lines;
    }

    private String allCaught() {
        int sum = caught.values().stream().mapToInt(Integer::intValue).sum();
        String places = caught.entrySet().stream().limit(MOST_PLACES).map(e -> e.getKey() + " (" + e.getValue() + ")")
            .collect(Collectors.joining(", "));
        int more = caught.size() - MOST_PLACES;
        return "libraries caught " + sum + (sum == 1 ? " exception: " : " exceptions: ") + places
            + (more > 0 ? " and at " + more + (more == 1 ? " other place" : " other places") : "")
            + "; with @Fails(CLASS) on the scenario they fail the step";
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

    /** Notes that something was refused that threads may do, in a program loaded without. */
    synchronized void wantThreads() {
        wantsThreads = true;
    }

    /** Notes that a thread or an executor of the JDK's was to be captured, in a program loaded without threads. */
    synchronized void keepThreads() {
        keepsThreads = true;
    }

    /** Reports whether a thread or an executor of the JDK's was to be captured. */
    public synchronized boolean keepsThreads() {
        return keepsThreads;
    }

    /** Reports whether something was refused that may be done if the program is loaded with threads. */
    public synchronized boolean wantsThreads() {
        return wantsThreads;
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
