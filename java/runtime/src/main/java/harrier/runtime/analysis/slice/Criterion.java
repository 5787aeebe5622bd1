package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Classes.Method;
import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Roots;
import harrier.runtime.analysis.flow.Types;

/**
 * Where the slice begins (the slicing criterion): the answers of guards, properties and sizes of quorums are relevant by
 * definition. What else is relevant follows from what code does, in {@link Influences}.
 */
public final class Criterion {
    /** Why fields of messages are relevant where {@link #drawWhole} says so. */
    public static final String WHOLE_MESSAGES = "is part of messages, of which duplicating() takes equal ones as one,"
        + " while final conditions and liveness ask whether all are received";

    private Criterion() {}

    /** Draws an edge from each such answer to {@link Graph#RELEVANT}, from those of properties to {@link Graph#PROPERTIES}. */
    public static void draw(Influences influences, Roots roots) {
        for (Method m : roots.guards()) {
            draw(influences, m, Graph.RELEVANT, "decides whether a message is accepted");
        }
        for (Method m : roots.evaluating()) {
            draw(influences, m, Graph.PROPERTIES, "decides whether a property holds");
        }
        if (influences.edges.reach.waiting != null) {
            roots.calledFromOutside().forEach(m -> drawCallback(influences, m));
        }
        String size = "decides how many messages are consumed at once";
        for (Method m : roots.quorumSizes()) {
            draw(influences, m, Graph.RELEVANT, size);
        }
        for (Field f : roots.quorumSizeFields()) {
            influences.edges.graph.edge(influences.edges.heap.place(f).value, Graph.RELEVANT, size, null, false);
        }
    }

    /** Draws an edge from a field of messages that are relevant as a whole. */
    public static void drawWhole(Influences influences, Field field) {
        influences.edges.graph.edge(influences.edges.heap.place(field).value, Graph.RELEVANT, WHOLE_MESSAGES, null, false);
    }

    private static void draw(Influences influences, Method method, int relevant, String phrase) {
        influences.edges.graph.edge(influences.edges.reach.code(method).result.value, relevant, phrase, null, false);
    }

    /** Whoever calls a method from outside of the program gets its result, and keeps what it hands on. */
    private static void drawCallback(Influences influences, Method m) {
        Edges edges = influences.edges;
        Code code = edges.reach.code(m);
        String phrase = "goes where %s is called from";
        for (Def d : code.parameters) {
            edges.graph.edge(d.object, Graph.RELEVANT, phrase, code.start(), true);
        }
        edges.graph.edge(code.result.value, Graph.RELEVANT, phrase, code.start(), true);
        edges.graph.edge(code.result.object, Graph.RELEVANT, phrase, code.start(), true);
        if (edges.types.kind(code.result.type) == Types.Kind.PROGRAM) {
            edges.graph.edge(edges.heap.reachable(code.result.type), Graph.RELEVANT, phrase, code.start(), true);
        }
    }
}
