package harrier.runtime.load.rewrite;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Calls {@link harrier.host.Looks} in the methods by which hash collections compare, other than those that the compiler makes for
 * records: code of the program sees there what a look-up of the JDK's keeps to itself.
 */
final class LooksRewrite extends ClassVisitor {
    private static final String LOOKS = "harrier/host/Looks";

    LooksRewrite(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        String hook = (access & (Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT)) != 0 ? null : hook(name, descriptor);
        return hook == null ? next : new MethodNode(Opcodes.ASM9, access, name, descriptor, signature, exceptions) {
            @Override
            public void visitEnd() {
                if (!isMade(this)) {
                    instructions.insert(call(hook));
                }
                accept(next);
            }
        };
    }

    /** What a method calls first; null for nothing. */
    private static String hook(String name, String descriptor) {
        return switch (name) {
            case "hashCode" -> descriptor.equals("()I") ? "ownHashCode" : null;
            case "equals" -> descriptor.equals("(Ljava/lang/Object;)Z") ? "ownEquals" : null;
            case "compareTo" -> descriptor.endsWith(";)I") ? "ownEquals" : null;
            default -> null;
        };
    }

    /** Reports whether the compiler made a method, of a record. */
    private static boolean isMade(MethodNode method) {
        for (AbstractInsnNode node : method.instructions) {
            if (node instanceof InvokeDynamicInsnNode dynamic && dynamic.bsm.getOwner().equals("java/lang/runtime/ObjectMethods")) {
                return true;
            }
        }
        return false;
    }

    private static MethodInsnNode call(String hook) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, LOOKS, hook, "()V", false);
    }
}
