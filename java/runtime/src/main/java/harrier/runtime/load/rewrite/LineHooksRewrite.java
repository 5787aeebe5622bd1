package harrier.runtime.load.rewrite;

import harrier.runtime.origin.AddedNames;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Has code call a hook at each line of the source that it begins, and before it returns to another. */
final class LineHooksRewrite extends ClassVisitor {
    LineHooksRewrite(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        if (AddedNames.isAsking(name)) {
            return next;
        }
        return new MethodNode(Opcodes.ASM9, access, name, descriptor, signature, exceptions) {
            @Override
            public void visitEnd() {
                for (AbstractInsnNode node : instructions.toArray()) {
                    if (node instanceof LineNumberNode) {
                        begin(this, node);
                    } else if (node.getOpcode() >= Opcodes.IRETURN && node.getOpcode() <= Opcodes.RETURN) {
                        instructions.insertBefore(node, call("returns"));
                    }
                }
                accept(next);
            }
        };
    }

    /** The hook comes after the frame that may stand at the line, and after the NEW that frames name by its place. */
    private static void begin(MethodNode method, AbstractInsnNode line) {
        AbstractInsnNode first = line;
        while (first.getNext() != null && first.getOpcode() < 0) {
            first = first.getNext();
        }
        if (first.getOpcode() == Opcodes.NEW) {
            method.instructions.insert(first, call("line"));
        } else {
            method.instructions.insertBefore(first, call("line"));
        }
    }

    private static MethodInsnNode call(String hook) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, Hook.HOOKS, hook, "()V", false);
    }
}
