package harrier.runtime.load.rewrite;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Which local variables of a method are read after each instruction before they are written, other than to be incremented. */
public final class Liveness {
    private final MethodNode method;
    private final AbstractInsnNode[] nodes;
    private final BitSet[] before;
    private final List<List<LabelNode>> handlers = new ArrayList<>();

    public Liveness(MethodNode method) {
        this.method = method;
        nodes = method.instructions.toArray();
        before = new BitSet[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            before[i] = new BitSet();
            handlers.add(handlers(i));
        }
        boolean changes = true;
        while (changes) {
            changes = false;
            for (int i = nodes.length - 1; i >= 0; i--) {
                BitSet now = beforeOf(i);
                changes |= !now.equals(before[i]);
                before[i] = now;
            }
        }
    }

    /** The variables that are read after an instruction, or where an exception of it is caught. */
    public BitSet after(AbstractInsnNode node) {
        int i = method.instructions.indexOf(node);
        BitSet live = normally(i);
        caught(i, live);
        return live;
    }

    private List<LabelNode> handlers(int i) {
        List<LabelNode> found = new ArrayList<>();
        for (TryCatchBlockNode b : method.tryCatchBlocks) {
            if (method.instructions.indexOf(b.start) <= i && i < method.instructions.indexOf(b.end)) {
                found.add(b.handler);
            }
        }
        return found;
    }

    private void caught(int i, BitSet live) {
        handlers.get(i).forEach(h -> live.or(before[method.instructions.indexOf(h)]));
    }

    private BitSet beforeOf(int i) {
        BitSet live = normally(i);
        if (nodes[i] instanceof VarInsnNode variable) {
            live.set(variable.var, variable.getOpcode() < Opcodes.ISTORE || variable.getOpcode() > Opcodes.ASTORE);
        } // a variable that is only incremented is read by nobody
        caught(i, live);
        return live;
    }

    private BitSet normally(int i) {
        BitSet live = new BitSet();
        int opcode = nodes[i].getOpcode();
        if (nodes[i] instanceof JumpInsnNode jump) {
            add(live, jump.label);
        } else if (nodes[i] instanceof TableSwitchInsnNode table) {
            add(live, table.dflt);
            table.labels.forEach(l -> add(live, l));
        } else if (nodes[i] instanceof LookupSwitchInsnNode lookup) {
            add(live, lookup.dflt);
            lookup.labels.forEach(l -> add(live, l));
        }
        boolean isEnd = opcode == Opcodes.GOTO || opcode == Opcodes.ATHROW || opcode == Opcodes.TABLESWITCH || opcode == Opcodes.LOOKUPSWITCH
            || opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
        if (!isEnd && i + 1 < nodes.length) {
            live.or(before[i + 1]);
        }
        return live;
    }

    private void add(BitSet live, LabelNode label) {
        live.or(before[method.instructions.indexOf(label)]);
    }
}
