package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Control;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Def.Kind;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.analysis.flow.Types;
import java.util.BitSet;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/**
 * Draws the graph for all methods that may run: the nodes of the values in them, what decides whether each block is executed, and the
 * edges of one instruction after another ({@link Instructions}).
 */
public final class Influences {
    private static final String KEPT = "is kept while a thread waits";

    public final Edges edges;
    private final Calls calls;
    private final QuorumMessages quorumMessages;
    private final Instructions instructions;

    /** @param timersInOrder whether durations decide which timer may fire */
    public Influences(Reach reach, boolean timersInOrder) {
        edges = new Edges(reach, this::escape);
        quorumMessages = new QuorumMessages(edges);
        calls = new Calls(edges, quorumMessages, timersInOrder);
        instructions = new Instructions(edges, calls, quorumMessages);
    }

    private void escape(Spot spot, Def lambda) {
        calls.escape(spot, lambda);
    }

    /** The classes of the messages that handlers send. */
    public Set<String> sent() {
        return calls.sent();
    }

    /** Makes the nodes of all values, and draws the edges. */
    public void draw() {
        for (Code code : edges.reach.codes()) {
            makeNodes(code);
            if (code.quorumElement != null) {
                quorumMessages.draw(code);
            }
        }
        for (Code code : edges.reach.codes()) {
            Spot[] spots = spots(code);
            if (edges.reach.waiting != null) {
                drawFrames(code, spots);
            }
            for (int at = 0; at < code.size(); at++) {
                Val[] operands = code.operands(at);
                if (operands != null || code.def(at) != null) {
                    instructions.draw(spots[code.control.blockOf(at)].at(at), operands == null ? new Val[0] : operands);
                }
            }
        }
    }

    /** A frame of a thread that has left a method is a part of the local state, and so is where the thread waits. */
    private void drawFrames(Code code, Spot[] spots) {
        if (code.method.is(Opcodes.ACC_SYNCHRONIZED)) {
            edges.relevant(spots[0], code.entry, "decides whether a monitor is entered", true);
            code.parameters.forEach(p -> edges.kept(spots[0], p.read(), KEPT));
        }
        for (int at = 0; at < code.size(); at++) {
            Spot spot = spots[code.control.blockOf(at)].at(at);
            if (edges.reach.waiting.mayPreempt(code.instruction(at))) {
                edges.relevant(spot, spot.effect(), "decides whether others may run", true);
            }
            code.kept(at).forEach(v -> edges.kept(spot, v, KEPT));
        }
    }

    private void makeNodes(Code code) {
        code.entry = edges.graph.node();
        for (Def p : code.parameters) {
            makeNode(p);
        }
        makeNode(code.result);
        for (int at = 0; at < code.size(); at++) {
            if (code.def(at) != null) {
                makeNode(code.def(at));
            }
        }
    }

    private void makeNode(Def def) {
        def.value = edges.graph.node();
        for (Def root : def.read().roots()) {
            if (def.object < 0 && edges.types.kind(root.type) == Types.Kind.OPAQUE) {
                def.object = edges.graph.node();
            }
            if (def.object >= 0 && edges.reach.classes.has(Types.name(root.type))) {
                edges.graph.edge(edges.heap.reachable(root.type), def.object, null, null, true);
            }
        }
    }

    private Spot[] spots(Code code) {
        Control control = code.control;
        Spot[] spots = new Spot[control.blocks()];
        boolean counts = code.isIn(Code.STEPS | Code.PROPERTIES);
        for (int b = 0; b < spots.length; b++) {
            boolean decided = !control.deciders(b).isEmpty();
            int local = decided ? edges.graph.node() : -1;
            int effect = decided ? edges.graph.node() : code.entry;
            edges.graph.edge(local, effect, null, null, false);
            edges.graph.edge(code.entry, effect, null, null, false);
            spots[b] = new Spot(code, control.end(b), local, effect, counts);
        }
        for (int b = 0; b < spots.length; b++) {
            BitSet deciders = control.deciders(b);
            for (int d = deciders.nextSetBit(0); d >= 0; d = deciders.nextSetBit(d + 1)) {
                edges.graph.edge(spots[d].local(), spots[b].local(), null, null, false);
                edges.values(control.branches(d) ? code.operands(control.end(d)) : null, spots[b].local(), null, spots[d].site());
            }
            if (control.endless(b)) {
                edges.relevant(spots[b], spots[b].effect(), "decides whether a loop is entered that does not end", true);
            } else if (control.loops(b) && code.operands(control.end(b)) != null) {
                String phrase = "decides how often a loop is repeated";
                edges.relevant(spots[b], spots[b].effect(), phrase, true);
                for (Val v : code.operands(control.end(b))) {
                    edges.relevant(spots[b], v, phrase, true);
                }
            }
        }
        return spots;
    }
}
