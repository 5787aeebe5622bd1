package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Def.Kind;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.analysis.flow.Site;
import harrier.runtime.analysis.flow.Types;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Draws the edges of each kind of instruction. {@link Calls} has those of calls. */
final class Instructions {
    private final Edges edges;
    private final Graph graph;
    private final Heap heap;
    private final Calls calls;
    private final QuorumMessages quorumMessages;

    Instructions(Edges edges, Calls calls, QuorumMessages quorumMessages) {
        this.edges = edges;
        this.calls = calls;
        this.quorumMessages = quorumMessages;
        graph = edges.graph;
        heap = edges.heap;
    }

    void draw(Spot spot, Val[] operands) {
        Def def = spot.def();
        if (def != null && def.merged) {
            // Which of several values is there afterwards; a value alone is there whenever it is used.
            graph.edge(spot.local(), def.value, null, spot.site(), false);
        }
        AbstractInsnNode insn = spot.insn();
        if (insn instanceof MethodInsnNode call) {
            calls.call(spot, call, operands);
        } else if (insn instanceof InvokeDynamicInsnNode indy) {
            calls.dynamic(spot, indy, operands);
        } else if (insn instanceof FieldInsnNode access) {
            field(spot, access, operands);
        } else if (def != null && def.kind == Kind.COPY) {
            edges.flow(spot, operands[0], def, null);
        } else if (def != null && def.kind == Kind.CAST) {
            edges.flow(spot, operands[0], def, null);
            if (!edges.containers.is(operands[0], def.type) && !quorumMessages.isElement(operands[0], def.type)) {
                edges.mayThrow(spot, operands[0],
                    "may fail to be a " + edges.reach.classes.shown(Types.name(def.type)));
            }
        } else {
            plain(spot, operands);
        }
    }

    private void field(Spot spot, FieldInsnNode insn, Val[] operands) {
        Field field = edges.reach.classes.field(insn.owner, insn.name);
        if (field == null && insn.getOpcode() == Opcodes.GETSTATIC) {
            edges.relevant(spot, spot.def().object, "belongs to a static that is not the program's", true);
            return;
        }
        if (field == null) {
            for (Val v : operands) {
                edges.wholeRelevant(spot, v, "goes to a field that is not the program's", true);
            }
            edges.relevant(spot, spot.effect(), "decides about a field that is not the program's", true);
            if (spot.def() != null) {
                edges.relevant(spot, spot.def().object, "is not the program's", true);
            }
            return;
        }
        switch (insn.getOpcode()) {
            case Opcodes.GETFIELD -> edges.read(spot, field, operands[0]);
            case Opcodes.PUTFIELD -> write(spot, field, operands[0], operands[1]);
            case Opcodes.GETSTATIC -> edges.take(spot, heap.place(field));
            default -> {
                graph.edge(spot.effect(), heap.place(field).value, "decides whether " + heap.shown(field)
                    + " is written", spot.site(), false);
                edges.flow(spot, operands[0], heap.place(field), "flows into " + heap.shown(field));
            }
        }
    }

    private void write(Spot spot, Field field, Val base, Val value) {
        Def place = heap.place(field);
        String shown = heap.shown(field);
        // Nobody sees an object before its constructor gives it away, so it does not show whether it was called.
        boolean fresh = spot.code().isConstructor() && base.roots().equals(List.of(spot.code().parameters.get(0)));
        graph.edge(fresh ? spot.local() : spot.effect(), place.value, "decides whether " + shown + " is written",
            spot.site(), false);
        if (!fresh) {
            edges.values(new Val[] {base}, place.value, "decides whose " + shown + " is written", spot.site());
            edges.dereference(spot, base);
        }
        edges.flow(spot, value, place, "flows into " + shown);
    }

    private void plain(Spot spot, Val[] operands) {
        int op = spot.insn().getOpcode();
        Site site = spot.site();
        if (spot.def() != null) {
            edges.values(operands, spot.def().value, null, site);
        }
        if (op >= Opcodes.IALOAD && op <= Opcodes.SALOAD) {
            readElement(spot, operands);
        } else if (op >= Opcodes.IASTORE && op <= Opcodes.SASTORE) {
            writeElement(spot, operands);
        } else if (op >= Opcodes.IRETURN && op <= Opcodes.ARETURN) {
            edges.flow(spot, operands[0], spot.code().result, null);
            graph.edge(spot.local(), spot.code().result.value, null, site, false);
        } else {
            switch (op) {
                case Opcodes.IDIV, Opcodes.IREM, Opcodes.LDIV, Opcodes.LREM -> divide(spot, operands[1]);
                case Opcodes.ATHROW -> {
                    edges.relevant(spot, spot.effect(), "decides whether an exception is thrown", false);
                    edges.wholeRelevant(spot, operands[0], "is thrown", true);
                }
                case Opcodes.MONITORENTER, Opcodes.MONITOREXIT -> {
                    edges.kept(spot, operands[0], "is locked");
                    edges.mayThrow(spot);
                }
                case Opcodes.ARRAYLENGTH -> edges.dereference(spot, operands[0]);
                case Opcodes.NEWARRAY, Opcodes.ANEWARRAY, Opcodes.MULTIANEWARRAY -> {
                    for (Val size : operands) {
                        edges.notNegative(spot, size);
                    }
                }
                default -> { }
            }
        }
    }

    private void divide(Spot spot, Val divisor) {
        for (Def root : divisor.roots()) {
            if (Edges.constant(root) == null || Edges.constant(root) == 0) {
                edges.mayThrow(spot, divisor, "may be zero where it divides");
            }
        }
    }

    private void readElement(Spot spot, Val[] operands) {
        Def def = spot.def();
        for (Def array : operands[0].defs()) {
            graph.edge(array.object, def.value, null, spot.site(), false);
            if (def.object >= 0 && array.object >= 0) {
                edges.alias(array.object, def.object, null, spot.site());
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
            edges.which(spot, operands[0], array, "decides which array is written");
            graph.edge(spot.effect(), array.object, "decides whether an array is written", spot.site(), false);
            edges.values(new Val[] {operands[1]}, array.object, null, spot.site());
            edges.into(spot, operands[2], array.object);
        }
        index(spot, operands);
        if (spot.insn().getOpcode() == Opcodes.AASTORE) {
            edges.mayThrow(spot, operands[2], "may be of another type than the array takes");
        }
    }

    private void index(Spot spot, Val[] operands) {
        edges.mayThrow(spot, operands[0], "may be null, or shorter than an index");
        edges.relevant(spot, operands[1], "may be an index that an array does not have", true);
    }
}
