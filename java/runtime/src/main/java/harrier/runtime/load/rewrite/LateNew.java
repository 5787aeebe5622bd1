package harrier.runtime.load.rewrite;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Makes an object right before its constructor is called where the arguments of that may wait: what no constructor has
 * run on cannot be saved. Until then null is in its place.
 */
record LateNew(MethodNode method, FrameTypes types) {
    /** Rewrites the method; false if its code is another than compilers make. */
    boolean rewrite(Predicate<AbstractInsnNode> waits) {
        Set<AbstractInsnNode> early = new HashSet<>();
        for (AbstractInsnNode node : method.instructions) {
            if (waits.test(node) && types.before(node) != null) {
                addFresh(types.before(node), early);
            }
        }
        if (early.isEmpty()) {
            return true;
        }
        for (AbstractInsnNode node : method.instructions.toArray()) {
            if (node instanceof FrameNode frame) {
                frame.local = frame.local == null ? null : frame.local.stream().map(v -> withNull(v, early)).toList();
                frame.stack = frame.stack == null ? null : frame.stack.stream().map(v -> withNull(v, early)).toList();
            } else if (FrameTypes.isConstructor(node) && types.before(node) != null && !makeLate((MethodInsnNode) node, early)) {
                return false;
            }
        }
        early.forEach(node -> method.instructions.set(node, new InsnNode(Opcodes.ACONST_NULL)));
        return true;
    }

    private static void addFresh(Frame<BasicValue> frame, Set<AbstractInsnNode> found) {
        for (int i = 0; i < frame.getLocals() + frame.getStackSize(); i++) {
            BasicValue value = i < frame.getLocals() ? frame.getLocal(i) : frame.getStack(i - frame.getLocals());
            if (value instanceof FrameTypes.Fresh fresh) {
                found.add(fresh.made);
            }
        }
    }

    private static Object withNull(Object verified, Set<AbstractInsnNode> early) {
        return verified instanceof LabelNode label && early.contains(FrameTypes.made(label)) ? Opcodes.NULL : verified;
    }

    /** Makes the object of a constructor that is made too early; it must be on the stack twice and nowhere else. */
    private boolean makeLate(MethodInsnNode constructor, Set<AbstractInsnNode> early) {
        Frame<BasicValue> frame = types.before(constructor);
        Type[] arguments = Type.getArgumentTypes(constructor.desc);
        int at = frame.getStackSize() - 1 - arguments.length;
        if (!(frame.getStack(at) instanceof FrameTypes.Fresh fresh) || !early.contains(fresh.made)) {
            return true;
        }
        if (at == 0 || !frame.getStack(at - 1).equals(fresh)) {
            return false;
        }
        InsnList code = new InsnList();
        int free = method.maxLocals;
        for (int i = arguments.length - 1; i >= 0; i--) {
            code.add(new VarInsnNode(arguments[i].getOpcode(Opcodes.ISTORE), free));
            free += arguments[i].getSize();
        }
        code.add(new InsnNode(Opcodes.POP2));
        code.add(new TypeInsnNode(Opcodes.NEW, constructor.owner));
        code.add(new InsnNode(Opcodes.DUP));
        int end = free;
        for (Type argument : arguments) {
            end -= argument.getSize();
            code.add(new VarInsnNode(argument.getOpcode(Opcodes.ILOAD), end));
        }
        method.instructions.insertBefore(constructor, code);
        method.maxLocals = free;
        return true;
    }
}
