package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Site;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Which values may influence which. An edge from a to b means that the value of b may depend on that of a. */
public final class Graph {
    /** All that must not depend on auxiliary fields, but for {@link #PROPERTIES}. */
    static final int RELEVANT = 0;
    /** What properties say, on which nothing else depends. */
    public static final int PROPERTIES = 1;

    private int nodes = 2;
    private final List<Edge> edges = new ArrayList<>();

    /**
     * One influence.
     *
     * @param phrase what the influence is, to be read after "which"; or a way of reading, with
     *     {@code %s} for the place
     * @param site where it is in the program, null if it is nowhere in particular
     * @param assumed whether it only cannot be excluded, as against a read and its use that were seen
     */
    public record Edge(int from, int to, String phrase, Site site, boolean assumed) {}

    /** Reports whether a node stands for a criterion, which must not depend on auxiliary fields. */
    static boolean isRelevant(int node) {
        return node == RELEVANT || node == PROPERTIES;
    }

    int node() {
        return nodes++;
    }

    /** Adds an edge, unless one of its ends is missing (negative). */
    public void edge(int from, int to, String phrase, Site site, boolean assumed) {
        if (from >= 0 && to >= 0 && from != to && !isRelevant(from)) {
            edges.add(new Edge(from, to, phrase, site, assumed));
        }
    }

    /**
     * For each node from which {@link #RELEVANT} or {@link #PROPERTIES} can be reached, the first edge of a shortest way;
     * null for the others.
     *
     * @param assumed whether edges may be used that are only assumed
     * @param closed nodes that no way may pass or start from, and PROPERTIES if none may lead there
     */
    public Edge[] ways(boolean assumed, BitSet closed) {
        int[] next = new int[edges.size()];
        int[] last = new int[nodes];
        Arrays.fill(last, -1);
        // Backwards, so that the lists below have the edges in the order in which they were added.
        for (int i = edges.size() - 1; i >= 0; i--) {
            Edge e = edges.get(i);
            next[i] = last[e.to];
            last[e.to] = i;
        }
        Edge[] way = new Edge[nodes];
        int[] queue = new int[nodes];
        int end = 0;
        queue[end++] = RELEVANT;
        if (!closed.get(PROPERTIES)) {
            queue[end++] = PROPERTIES;
        }
        for (int begin = 0; begin < end; begin++) {
            for (int i = last[queue[begin]]; i >= 0; i = next[i]) {
                Edge e = edges.get(i);
                if (way[e.from] == null && !closed.get(e.from) && (assumed || !e.assumed)) {
                    way[e.from] = e;
                    queue[end++] = e.from;
                }
            }
        }
        return way;
    }
}
