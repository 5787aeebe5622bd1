package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Site;
import harrier.runtime.analysis.slice.Graph.Edge;
import java.util.ArrayList;
import java.util.List;

/** The shortest path from a field to a criterion, for people: one line for each field on it. */
public final class Reasons {
    private final Heap heap;

    public Reasons(Heap heap) {
        this.heap = heap;
    }

    public List<String> of(int field, Edge[] ways) {
        return of(field, heap.shown(heap.field(field)), ways);
    }

    /** The same of a node that is no field, with what it is called. */
    List<String> of(int from, String name, Edge[] ways) {
        List<String> lines = new ArrayList<>();
        String start = name;
        for (int node = from; !Graph.isRelevant(node);) {
            Edge first = ways[node];
            Edge last = first;
            while (!Graph.isRelevant(last.to()) && heap.field(last.to()) == null) {
                last = ways[last.to()];
            }
            lines.add(line(start + ": ", first, last));
            node = last.to();
            start = Graph.isRelevant(node) ? "" : heap.shown(heap.field(node));
        }
        return List.copyOf(lines);
    }

    private static String line(String start, Edge first, Edge last) {
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
