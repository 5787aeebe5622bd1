package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Control;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Def.Kind;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.analysis.flow.Site;
import harrier.runtime.analysis.flow.Types;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Draws the edges of the graph for all methods that may run, one instruction after another. */
public final class Influences {
    static final String READ = "read by %s";

    public final Graph graph;
    public final Heap heap;
    public final Reach reach;
    final Types types;
    final Stores stores;
    final Durations durations;
    final boolean timersInOrder;
    final QuorumMessages quorumMessages;
    private final Calls calls;

    /** @param timersInOrder whether durations decide which timer may fire */
    public Influences(Reach reach, boolean timersInOrder) {
        this.reach = reach;
        this.timersInOrder = timersInOrder;
        types = reach.types;
        graph = new Graph();
        heap = new Heap(reach.classes, types, graph);
        stores = new Stores(reach);
        durations = new Durations(stores);
        quorumMessages = new QuorumMessages(this);
        calls = new Calls(this);
    }

    /** The classes of the messages that handlers send. */
    public Set<String> sent() {
        return calls.sent();
    }

    public void draw() {
        for (Code code : reach.codes()) {
            makeNodes(code);
            if (code.quorumElement != null) {
                quorumMessages.draw(code);
            }
        }
        for (Code code : reach.codes()) {
            Spot[] spots = spots(code);
            for (int at = 0; at < code.size(); at++) {
                Val[] operands = code.operands(at);
                if (operands != null || code.def(at) != null) {
                    draw(spots[code.control.blockOf(at)].at(at), operands == null ? new Val[0] : operands);
                }
            }
        }
    }

    private void makeNodes(Code code) {
        code.entry = graph.node();
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
        def.value = graph.node();
        for (Def root : def.read().roots()) {
            if (def.object < 0 && types.kind(root.type) == Types.Kind.OPAQUE) {
                def.object = graph.node();
            }
            if (def.object >= 0 && reach.classes.has(Types.name(root.type))) {
                graph.edge(heap.reachable(root.type), def.object, null, null, true);
            }
        }
    }

    /**
     * An instruction and what decides whether it is executed.
     *
     * @param local the node of the branches in its own method that decide it, or -1 if none does
     * @param effect the node of these and of the method being called at all
     * @param counts whether what happens here is part of a step or a property
     */
    record Spot(Code code, int at, int local, int effect, boolean counts) {
        Spot at(int instruction) {
            return new Spot(code, instruction, local, effect, counts);
        }

        AbstractInsnNode insn() {
            return code.instruction(at);
        }

        Site site() {
            return code.site(at);
        }

        Def def() {
            return code.def(at);
        }
    }

    private Spot[] spots(Code code) {
        Control control = code.control;
        Spot[] spots = new Spot[control.blocks()];
        boolean counts = code.isIn(Code.STEPS | Code.PROPERTIES);
        for (int b = 0; b < spots.length; b++) {
            boolean decided = !control.deciders(b).isEmpty();
            int local = decided ? graph.node() : -1;
            int effect = decided ? graph.node() : code.entry;
            graph.edge(local, effect, null, null, false);
            graph.edge(code.entry, effect, null, null, false);
            spots[b] = new Spot(code, control.end(b), local, effect, counts);
        }
        for (int b = 0; b < spots.length; b++) {
            BitSet deciders = control.deciders(b);
            for (int d = deciders.nextSetBit(0); d >= 0; d = deciders.nextSetBit(d + 1)) {
                graph.edge(spots[d].local, spots[b].local, null, null, false);
                values(code.operands(control.end(d)), spots[b].local, null, spots[d].site());
            }
            if (control.endless(b)) {
                relevant(spots[b], spots[b].effect, "decides whether a loop is entered that does not end", true);
            } else if (control.loops(b) && code.operands(control.end(b)) != null) {
                String phrase = "decides how often a loop is repeated";
                relevant(spots[b], spots[b].effect, phrase, true);
                for (Val v : code.operands(control.end(b))) {
                    relevant(spots[b], v, phrase, true);
                }
            }
        }
        return spots;
    }

    private void values(Val[] from, int to, String phrase, Site site) {
        for (Val v : from == null ? new Val[0] : from) {
            for (Def d : v.defs()) {
                graph.edge(d.value, to, phrase, site, false);
            }
        }
    }

    /** A node matters, if what happens here counts. */
    void relevant(Spot spot, int node, String phrase, boolean assumed) {
        if (spot.counts) {
            graph.edge(node, spot.code.isIn(Code.STEPS) ? Graph.RELEVANT : Graph.PROPERTIES, phrase, spot.site(), assumed);
        }
    }

    /** Makes a value relevant: which number, or which object, it is. */
    void relevant(Spot spot, Val value, String phrase, boolean assumed) {
        for (Def d : value.defs()) {
            relevant(spot, d.value, phrase, assumed);
        }
    }

    /** All that can be reached from a value matters. */
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

    /** An exception is thrown here, or not, depending on a value; so all depends on it. */
    void mayThrow(Spot spot, Val value, String why) {
        relevant(spot, value, why, true);
        mayThrow(spot);
    }

    void mayThrow(Spot spot) {
        relevant(spot, spot.effect, "decides whether code is executed that may throw an exception", true);
    }

    void dereference(Spot spot, Val value) {
        if (!stores.nonNull(value)) {
            mayThrow(spot, value, "may be null where it is used");
        }
    }

    /** A value, with all that it may refer to, shows in a node. */
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

    /** What two references refer to may be one object. */
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
                calls.escape(spot, r);
            }
        }
    }

    private void draw(Spot spot, Val[] operands) {
        Def def = spot.def();
        if (def != null && def.merged) {
            // Which of several values is there afterwards; a value alone is there whenever it is used.
            graph.edge(spot.local, def.value, null, spot.site(), false);
        }
        AbstractInsnNode insn = spot.insn();
        if (insn instanceof MethodInsnNode call) {
            calls.call(spot, call, operands);
        } else if (insn instanceof InvokeDynamicInsnNode indy) {
            calls.dynamic(spot, indy, operands);
        } else if (insn instanceof FieldInsnNode access) {
            field(spot, access, operands);
        } else if (def != null && def.kind == Kind.COPY) {
            flow(spot, operands[0], def, null);
        } else if (def != null && def.kind == Kind.CAST) {
            flow(spot, operands[0], def, null);
            if (!stores.is(operands[0], def.type) && !quorumMessages.isElement(operands[0], def.type)) {
                mayThrow(spot, operands[0], "may fail to be a " + reach.classes.shown(Types.name(def.type)));
            }
        } else {
            plain(spot, operands);
        }
    }

    private void field(Spot spot, FieldInsnNode insn, Val[] operands) {
        Field field = reach.classes.field(insn.owner, insn.name);
        if (field == null && insn.getOpcode() == Opcodes.GETSTATIC) {
            relevant(spot, spot.def().object, "belongs to a static that is not the program's", true);
            return;
        }
        if (field == null) {
            for (Val v : operands) {
                wholeRelevant(spot, v, "goes to a field that is not the program's", true);
            }
            relevant(spot, spot.effect, "decides about a field that is not the program's", true);
            if (spot.def() != null) {
                relevant(spot, spot.def().object, "is not the program's", true);
            }
            return;
        }
        switch (insn.getOpcode()) {
            case Opcodes.GETFIELD -> read(spot, field, operands[0]);
            case Opcodes.PUTFIELD -> write(spot, field, operands[0], operands[1]);
            case Opcodes.GETSTATIC -> take(spot, heap.place(field));
            default -> {
                graph.edge(spot.effect, heap.place(field).value, "decides whether " + heap.shown(field)
                    + " is written", spot.site(), false);
                flow(spot, operands[0], heap.place(field), "flows into " + heap.shown(field));
            }
        }
    }

    /** A field of an object is read; also by a method that does nothing else. */
    void read(Spot spot, Field field, Val base) {
        Def place = heap.place(field);
        values(new Val[] {base}, spot.def().value, null, spot.site());
        take(spot, place);
        dereference(spot, base);
        if (spot.code.isIn(Code.PROPERTIES)) {
            graph.edge(place.value, Graph.PROPERTIES, READ + ", for a property", spot.site(), false);
        }
    }

    private void take(Spot spot, Def place) {
        Def def = spot.def();
        graph.edge(place.value, def.value, READ, spot.site(), false);
        if (place.object >= 0 && def.object >= 0) {
            graph.edge(place.object, def.object, READ, spot.site(), false);
            graph.edge(def.object, place.object, "goes into " + heap.shown(heap.field(place.value)), spot.site(), false);
        }
    }

    private void write(Spot spot, Field field, Val base, Val value) {
        Def place = heap.place(field);
        String shown = heap.shown(field);
        // Nobody sees an object before its constructor gives it away, so it does not show whether it was called.
        boolean fresh = spot.code.isConstructor() && base.roots().equals(List.of(spot.code.parameters.get(0)));
        graph.edge(fresh ? spot.local : spot.effect, place.value, "decides whether " + shown + " is written",
            spot.site(), false);
        if (!fresh) {
            values(new Val[] {base}, place.value, "decides whose " + shown + " is written", spot.site());
            dereference(spot, base);
        }
        flow(spot, value, place, "flows into " + shown);
    }

    private void plain(Spot spot, Val[] operands) {
        int op = spot.insn().getOpcode();
        Site site = spot.site();
        if (spot.def() != null) {
            values(operands, spot.def().value, null, site);
        }
        if (op >= Opcodes.IALOAD && op <= Opcodes.SALOAD) {
            readElement(spot, operands);
        } else if (op >= Opcodes.IASTORE && op <= Opcodes.SASTORE) {
            writeElement(spot, operands);
        } else if (op >= Opcodes.IRETURN && op <= Opcodes.ARETURN) {
            flow(spot, operands[0], spot.code.result, null);
            graph.edge(spot.local, spot.code.result.value, null, site, false);
        } else {
            switch (op) {
                case Opcodes.IDIV, Opcodes.IREM, Opcodes.LDIV, Opcodes.LREM -> divide(spot, operands[1]);
                case Opcodes.ATHROW -> {
                    relevant(spot, spot.effect, "decides whether an exception is thrown", false);
                    wholeRelevant(spot, operands[0], "is thrown", true);
                }
                case Opcodes.MONITORENTER, Opcodes.MONITOREXIT -> {
                    wholeRelevant(spot, operands[0], "is locked", true);
                    mayThrow(spot);
                }
                case Opcodes.ARRAYLENGTH -> dereference(spot, operands[0]);
                case Opcodes.NEWARRAY, Opcodes.ANEWARRAY, Opcodes.MULTIANEWARRAY -> {
                    for (Val size : operands) {
                        notNegative(spot, size);
                    }
                }
                default -> { }
            }
        }
    }

    void notNegative(Spot spot, Val size) {
        for (Def root : size.roots()) {
            if (constant(root) == null || constant(root) < 0) {
                mayThrow(spot, size, "may be a negative size");
            }
        }
    }

    private void divide(Spot spot, Val divisor) {
        for (Def root : divisor.roots()) {
            if (constant(root) == null || constant(root) == 0) {
                mayThrow(spot, divisor, "may be zero where it divides");
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

    private void readElement(Spot spot, Val[] operands) {
        Def def = spot.def();
        for (Def array : operands[0].defs()) {
            graph.edge(array.object, def.value, null, spot.site(), false);
            if (def.object >= 0 && array.object >= 0) {
                alias(array.object, def.object, null, spot.site());
            }
        }
        if (!isSwitchMap(operands)) {
            index(spot, operands);
        }
    }

    /** The table that a switch over an enum goes by has an entry for each constant. */
    private boolean isSwitchMap(Val[] operands) {
        return operands[0].roots().stream().allMatch(r -> r.kind == Kind.STATIC
                && ((FieldInsnNode) r.code.instruction(r.at)).name.startsWith("$SwitchMap$"))
            && operands[1].roots().stream().allMatch(r -> r.kind == Kind.CALL
                && r.code.instruction(r.at) instanceof MethodInsnNode m && m.name.equals("ordinal"));
    }

    private void writeElement(Spot spot, Val[] operands) {
        for (Def array : operands[0].defs()) {
            which(spot, operands[0], array, "decides which array is written");
            graph.edge(spot.effect, array.object, "decides whether an array is written", spot.site(), false);
            values(new Val[] {operands[1]}, array.object, null, spot.site());
            into(spot, operands[2], array.object);
        }
        index(spot, operands);
        if (spot.insn().getOpcode() == Opcodes.AASTORE) {
            mayThrow(spot, operands[2], "may be of another type than the array takes");
        }
    }

    /** Whether an object is changed depends on which of those that a reference may refer to is the one. */
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
                calls.escape(spot, r);
            }
        }
    }

    private void index(Spot spot, Val[] operands) {
        mayThrow(spot, operands[0], "may be null, or shorter than an index");
        relevant(spot, operands[1], "may be an index that an array does not have", true);
    }
}
