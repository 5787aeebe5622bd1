package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Def.Kind;
import harrier.runtime.analysis.flow.Def.Val;
import java.util.List;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The messages that quorum handlers and their guards get as one collection, or as a map from their senders. The runtime
 * makes it, a plain list, a hash set or a hash map, so how many there are and which comes next are known to depend on no
 * field of theirs, except on what a set compares. For all other uses it is a collection of unknown content.
 */
final class QuorumMessages {
    private static final String ITERATOR = "java/util/Iterator";

    private final Edges edges;

    QuorumMessages(Edges edges) {
        this.edges = edges;
    }

    /** A set asks its elements whether they are equal, before anything else runs. */
    void draw(Code code) {
        Def all = code.parameters.get(1);
        if (!code.isSet) {
            return;
        }
        String phrase = "is compared as messages are put into a set";
        edges.graph.edge(edges.heap.compared(code.quorumElement), all.value, phrase, null, false);
        if (!edges.types.hashes(code.quorumElement)) {
            edges.graph.edge(edges.heap.reachable(code.quorumElement), Graph.RELEVANT, phrase, null, true);
            edges.graph.edge(all.object, Graph.RELEVANT, phrase, null, true);
        }
    }

    /** Draws what a call does that only counts the messages, or goes through them; whether it is one. */
    boolean call(Spot spot, MethodInsnNode call, Val[] operands) {
        Val receiver = operands[0];
        boolean counts = call.desc.equals("()I") && call.name.equals("size")
            || call.desc.equals("()Z") && call.name.equals("isEmpty");
        boolean iterates = operands.length == 1 && (call.name.equals("iterator") || call.name.equals("values"));
        if ((counts || iterates) && isAll(receiver)
                || call.owner.equals(ITERATOR) && call.name.equals("hasNext") && goesThrough(receiver)) {
            shows(spot, receiver, iterates);
            return true;
        }
        if (call.owner.equals(ITERATOR) && call.name.equals("next") && goesThrough(receiver)) {
            shows(spot, receiver, true);
            edges.mayThrow(spot); // there may be no more
            return true;
        }
        return false;
    }

    private void shows(Spot spot, Val receiver, boolean gives) {
        for (Def d : receiver.defs()) {
            edges.graph.edge(d.value, spot.def().value, null, spot.site(), false);
            if (gives) {
                edges.alias(d.object, spot.def().object, null, spot.site());
            }
        }
    }

    /** Reports whether a value iterates over the messages of a quorum. */
    private boolean goesThrough(Val iterator) {
        List<Def> roots = iterator.roots();
        return !roots.isEmpty() && roots.stream().allMatch(r -> calls(r, "iterator") && isAll(r.operands()[0]));
    }

    /** Reports whether a value is the messages of a quorum, the values of a map among them. */
    private boolean isAll(Val value) {
        List<Def> roots = value.roots();
        return !roots.isEmpty() && roots.stream().allMatch(r -> calls(r, "values") && isAll(r.operands()[0])
            || r.kind == Kind.PARAMETER && r.at == 1 && r.code.quorumElement != null && !edges.stores.isPassed(r));
    }

    private static boolean calls(Def d, String method) {
        return d.kind == Kind.CALL && d.code.instruction(d.at) instanceof MethodInsnNode call && call.name.equals(method)
            && d.operands().length == 1;
    }

    /** Reports whether a value is one of a quorum's messages, and these are of a type for certain. */
    boolean isElement(Val value, String type) {
        List<Def> roots = value.roots();
        return !roots.isEmpty() && roots.stream().allMatch(r -> calls(r, "next") && goesThrough(r.operands()[0])
            && r.operands()[0].roots().stream().allMatch(i -> i.operands()[0].roots().stream()
                .allMatch(all -> edges.types.is(all.code.quorumElement, type))));
    }
}
