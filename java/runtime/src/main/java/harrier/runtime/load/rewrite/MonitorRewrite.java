package harrier.runtime.load.rewrite;

import harrier.runtime.rules.refuse.Replacements;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Has hooks enter and leave the monitors of a method, those of {@code synchronized} methods too. */
record MonitorRewrite(ClassNode type, MethodNode method) {
    private static final String EXIT = "exit";

    /** Reports whether a method was rewritten. */
    static boolean isIn(MethodNode m) {
        for (AbstractInsnNode node : m.instructions) {
            if (node instanceof MethodInsnNode call && call.owner.equals(Replacements.STAND_INS) && call.name.equals(EXIT)) {
                return true;
            }
        }
        return false;
    }

    void rewrite() {
        Place place = new Place(type.name, method.name, type.sourceFile);
        int line = -1;
        for (AbstractInsnNode node : method.instructions.toArray()) {
            if (node instanceof LineNumberNode number) {
                line = line < 0 ? number.line : line;
                place.line(number.line);
            } else if (node.getOpcode() == Opcodes.MONITORENTER) {
                method.instructions.insertBefore(node, enter(place));
                method.instructions.remove(node);
            } else if (node.getOpcode() == Opcodes.MONITOREXIT) {
                method.instructions.set(node, exit());
            }
        }
        if ((method.access & Opcodes.ACC_SYNCHRONIZED) != 0 && (method.access & (Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT)) == 0) {
            place.line(line);
            synchronize(place);
        }
    }

    private static InsnList enter(Place place) {
        InsnList code = new InsnList();
        code.add(new LdcInsnNode(place.toString()));
        code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, Replacements.BLOCKING, "enter", "(Ljava/lang/Object;Ljava/lang/String;)V", false));
        return code;
    }

    private static MethodInsnNode exit() {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, Replacements.STAND_INS, EXIT, "(Ljava/lang/Object;)V", false);
    }

    private AbstractInsnNode monitor() {
        return (method.access & Opcodes.ACC_STATIC) != 0 ? new LdcInsnNode(Type.getObjectType(type.name)) : new VarInsnNode(Opcodes.ALOAD, 0);
    }

    /** Enters the monitor of a method as it begins, and leaves it however it ends. */
    private void synchronize(Place place) {
        method.access &= ~Opcodes.ACC_SYNCHRONIZED;
        for (AbstractInsnNode node : method.instructions.toArray()) {
            if (node.getOpcode() >= Opcodes.IRETURN && node.getOpcode() <= Opcodes.RETURN) {
                method.instructions.insertBefore(node, monitor());
                method.instructions.insertBefore(node, exit());
            }
        }
        LabelNode start = new LabelNode();
        LabelNode end = new LabelNode();
        InsnList before = new InsnList();
        before.add(monitor());
        before.add(enter(place));
        before.add(start);
        before.add(new InsnNode(Opcodes.NOP));
        method.instructions.insert(before);
        method.instructions.add(end);
        method.instructions.add(new FrameNode(Opcodes.F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
        if ((method.access & Opcodes.ACC_STATIC) == 0) {
            FrameNode frame = (FrameNode) method.instructions.getLast();
            frame.local = java.util.List.of(type.name);
        }
        method.instructions.add(monitor());
        method.instructions.add(exit());
        method.instructions.add(new InsnNode(Opcodes.ATHROW));
        method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
    }
}
