package harrier.runtime.analysis;

import harrier.runtime.analysis.Classes.Field;
import harrier.runtime.analysis.Graph.Edge;
import java.util.ArrayList;
import java.util.List;

/** Tells the way from a field to what matters: one line for each field on the way. */
final class Reasons {
    private final Heap heap;

    Reasons(Heap heap) {
        this.heap = heap;
    }

    List<String> of(int field, Edge[] ways) {
        List<String> lines = new ArrayList<>();
        for (int node = field; node != Graph.RELEVANT;) {
            Edge first = ways[node];
            Edge last = first;
            while (last.to() != Graph.RELEVANT && heap.field(last.to()) == null) {
                last = ways[last.to()];
            }
            lines.add(line(node, first, last));
            node = last.to();
        }
        return List.copyOf(lines);
    }

    private String line(int from, Edge first, Edge last) {
        Field field = heap.field(from);
        String start = heap.shown(field) + ": ";
        String begin = begin(first);
        if (first == last) {
            return start + (begin == null ? "matters" : begin);
        }
        String end = last.phrase() == null ? "matters" : last.phrase();
        if (end.contains("%s")) {
            end = last.site() == null ? "matters" : end.replace("%s", last.site().toString());
        } else if (begin != null) {
            end += where(first.site(), last.site());
        }
        if (begin == null) {
            return start + end + (last.site() == null ? "" : " in " + last.site());
        }
        return start + begin + ", which " + end;
    }

    private static String begin(Edge edge) {
        if (edge.phrase() == null) {
            return edge.site() == null ? null : "used by " + edge.site();
        }
        return edge.site() == null || !edge.phrase().contains("%s") ? edge.phrase()
            : edge.phrase().replace("%s", edge.site().toString());
    }

    /** The second place, unless it is the first again. */
    private static String where(Site first, Site second) {
        if (second == null || first != null && first.toString().equals(second.toString())) {
            return "";
        }
        return first != null && first.method().equals(second.method()) ? second.place() : " in " + second;
    }
}
