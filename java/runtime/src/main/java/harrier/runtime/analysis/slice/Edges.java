package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Def.Kind;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.analysis.flow.Site;
import harrier.runtime.analysis.flow.Types;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;

/**
 * Draws the edges that several kinds of instructions have in common: where values flow, which are relevant, which instructions may
 * throw. Where an edge has a phrase, it says for people what the instruction does with the value.
 */
public final class Edges {
    static final String READ = "read by %s";

    public final Graph graph = new Graph();
    public final Heap heap;
    public final Reach reach;
    final Types types;
    final Stores stores;
    final Containers containers;
    private final Nulls nulls;
    /** Takes the lambdas that are passed on, and where. */
    private final BiConsumer<Spot, Def> escaping;

    Edges(Reach reach, BiConsumer<Spot, Def> escaping) {
        this.reach = reach;
        this.escaping = escaping;
        types = reach.types;
        heap = new Heap(reach.classes, types, graph);
        stores = new Stores(reach);
        containers = new Containers(reach, stores);
        nulls = new Nulls(reach, stores, containers);
    }

    /** Draws edges from values to a node. */
    void values(Val[] from, int to, String phrase, Site site) {
        for (Val v : from == null ? new Val[0] : from) {
            for (Def d : v.defs()) {
                graph.edge(d.value, to, phrase, site, false);
            }
        }
    }

    /** Makes a node relevant, if the instruction is part of a step or a property. */
    void relevant(Spot spot, int node, String phrase, boolean assumed) {
        if (spot.counts()) {
            int to = spot.code().isIn(Code.STEPS) ? Graph.RELEVANT : Graph.PROPERTIES;
            graph.edge(node, to, phrase, spot.site(), assumed);
        }
    }

    /** Makes a value relevant: its number, or the identity of its object. */
    void relevant(Spot spot, Val value, String phrase, boolean assumed) {
        for (Def d : value.defs()) {
            relevant(spot, d.value, phrase, assumed);
        }
    }

    /** Makes all relevant that can be reached from a value. */
    void wholeRelevant(Spot spot, Val value, String phrase, boolean assumed) {
        relevant(spot, value, phrase, assumed);
        for (Def d : value.defs()) {
            relevant(spot, d.object, phrase, assumed);
        }
        for (Def r : value.roots()) {
            if (types.kind(r.type) == Types.Kind.PROGRAM) {
                relevant(spot, heap.reachable(r.type), phrase, true);
            }
        }
    }

    /** Makes relevant what the bytes of a value show, which a local state has beside the fields of its actor: in a frame, or as a task. */
    void kept(Spot spot, Val value, String phrase) {
        kept(spot, value, phrase, new HashSet<>());
    }

    private void kept(Spot spot, Val value, String phrase, Set<Def> lambdas) {
        relevant(spot, value, phrase, true);
        for (Def d : value.defs()) {
            relevant(spot, d.object, phrase, true);
        }
        for (Def r : value.roots()) {
            if (types.kind(r.type) == Types.Kind.PROGRAM) {
                relevant(spot, heap.contents(r.type), phrase, true);
            }
            if (r.kind == Kind.LAMBDA && lambdas.add(r)) {
                for (Val captured : r.operands()) {
                    kept(spot, captured, phrase, lambdas);
                }
            }
        }
    }

    /** The instruction may throw, depending on a value, which is then relevant. */
    void mayThrow(Spot spot, Val value, String why) {
        relevant(spot, value, why, true);
        mayThrow(spot);
    }

    /** The instruction may throw, so the decisions whether it is executed are relevant. */
    void mayThrow(Spot spot) {
        relevant(spot, spot.effect(), "decides whether code is executed that may throw an exception", true);
    }

    /** A value is used as an object, which throws if it may be null. */
    void dereference(Spot spot, Val value) {
        if (!nulls.nonNull(value)) {
            mayThrow(spot, value, "may be null where it is used");
        }
    }

    /** Draws edges from a value, and from all that it may refer to, to a node. */
    void whole(Val from, int to, String phrase, Site site) {
        for (Def d : from.defs()) {
            graph.edge(d.value, to, phrase, site, false);
            graph.edge(d.object, to, phrase, site, false);
        }
        for (Def r : from.roots()) {
            if (types.kind(r.type) == Types.Kind.PROGRAM) {
                graph.edge(heap.reachable(r.type), to, phrase, site, true);
            }
        }
    }

    /** Draws edges between two references that may refer to one object. */
    void alias(int a, int b, String phrase, Site site) {
        graph.edge(a, b, phrase, site, false);
        graph.edge(b, a, "shares an object with what %s has", site, false);
    }

    /** A value becomes that of a place, a parameter, a result or a copy. */
    void flow(Spot spot, Val from, Def to, String phrase) {
        Site site = spot.site();
        for (Def d : from.defs()) {
            graph.edge(d.value, to.value, phrase, site, false);
            if (d.object >= 0 && (to.object >= 0 || to.kind == Kind.PLACE)) {
                alias(d.object, to.object >= 0 ? to.object : to.value, phrase, site);
            }
        }
        for (Def r : from.roots()) {
            if (types.kind(r.type) == Types.Kind.PROGRAM) {
                if (to.object >= 0) {
                    graph.edge(heap.reachable(r.type), to.object, phrase, site, true);
                } else if (to.kind == Kind.PLACE) {
                    graph.edge(heap.contents(r.type), to.value, phrase, site, true);
                }
            }
            if (r.kind == Kind.LAMBDA && to.kind != Kind.COPY) {
                escaping.accept(spot, r);
            }
        }
    }

    /** An object that a reference may refer to is changed: whether it is depends on the reference. */
    void which(Spot spot, Val reference, Def changed, String phrase) {
        values(new Val[] {reference}, changed.object, phrase, spot.site());
    }

    /** A value becomes part of an object. */
    void into(Spot spot, Val value, int object) {
        whole(value, object, null, spot.site());
        for (Def d : value.defs()) {
            if (d.object >= 0) {
                alias(d.object, object, null, spot.site());
            }
        }
        for (Def r : value.roots()) {
            if (r.kind == Kind.LAMBDA) {
                escaping.accept(spot, r);
            }
        }
    }

    /** A field of an object is read; also by a method that does nothing else. */
    void read(Spot spot, Field field, Val base) {
        Def place = heap.place(field);
        values(new Val[] {base}, spot.def().value, null, spot.site());
        take(spot, place);
        dereference(spot, base);
        if (spot.code().isIn(Code.PROPERTIES)) {
            graph.edge(place.value, Graph.PROPERTIES, READ + ", for a property", spot.site(), false);
        }
    }

    /** The value of a place is that of an instruction. */
    void take(Spot spot, Def place) {
        Def def = spot.def();
        graph.edge(place.value, def.value, READ, spot.site(), false);
        if (place.object >= 0 && def.object >= 0) {
            graph.edge(place.object, def.object, READ, spot.site(), false);
            String phrase = "goes into " + heap.shown(heap.field(place.value));
            graph.edge(def.object, place.object, phrase, spot.site(), false);
        }
    }

    /** A size that is negative throws. */
    void notNegative(Spot spot, Val size) {
        for (Def root : size.roots()) {
            if (constant(root) == null || constant(root) < 0) {
                mayThrow(spot, size, "may be a negative size");
            }
        }
    }

    /** The number that a definition is, null if that is not known. */
    static Long constant(Def d) {
        if (d.kind != Kind.CONSTANT) {
            return null;
        }
        AbstractInsnNode insn = d.code.instruction(d.at);
        if (insn instanceof LdcInsnNode ldc) {
            return ldc.cst instanceof Integer || ldc.cst instanceof Long ? ((Number) ldc.cst).longValue() : null;
        }
        if (insn instanceof IntInsnNode i) {
            return (long) i.operand;
        }
        int op = insn instanceof InsnNode ? insn.getOpcode() : -1;
        if (op >= Opcodes.ICONST_M1 && op <= Opcodes.ICONST_5) {
            return (long) (op - Opcodes.ICONST_0);
        }
        return op == Opcodes.LCONST_0 || op == Opcodes.LCONST_1 ? (long) (op - Opcodes.LCONST_0) : null;
    }
}
