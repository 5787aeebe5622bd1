package harrier.runtime.actor;

import harrier.host.Agenda.Delayed;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Which timers and scheduled tasks of an actor must fire before others, where durations count. */
public final class FiringOrder {
    private FiringOrder() {}

    /**
     * Reports whether one must fire before another one may, provided that it can. Two that began to wait at one moment and
     * take just as long may come either way.
     */
    public static boolean isFirst(Delayed one, Delayed other) {
        return one.max() <= other.min()
            && (one.moment() < other.moment() || one.moment() == other.moment() && other.max() > one.min());
    }

    /**
     * The same, with adjacent moments merged where that changes nothing: neither what must fire before what, nor what may come
     * either way.
     */
    static List<Delayed> withFewestMoments(List<Delayed> delayed) {
        List<Delayed> all = new ArrayList<>();
        int moment = 0;
        long longest = -1;
        for (List<Delayed> atOnce : delayed.stream()
                .collect(Collectors.groupingBy(Delayed::moment, TreeMap::new, Collectors.toList())).values()) {
            if (atOnce.stream().mapToLong(Delayed::max).min().getAsLong() <= longest) {
                moment++;
                longest = -1;
            }
            for (Delayed d : atOnce) {
                longest = Math.max(longest, d.min());
                all.add(new Delayed(d.what(), d.min(), d.max(), moment));
            }
        }
        return all;
    }
}
