package harrier.runtime.load.rewrite;

import java.util.Set;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Calls {@link harrier.host.Looks} where code may find out more of actors' names than those show by themselves: in the methods by
 * which hash collections compare, other than those that the compiler makes for records, and where fields are read by reflection.
 */
final class LooksRewrite extends ClassVisitor {
    private static final String LOOKS = "harrier/host/Looks";
    /** Their methods may read fields of what they are given, those of names included. */
    private static final Set<String> READERS = Set.of("java/lang/invoke/VarHandle", "java/lang/invoke/MethodHandle",
        "java/lang/reflect/Field", "java/io/ObjectOutputStream", "sun/misc/Unsafe");

    LooksRewrite(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        String hook = (access & (Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT)) != 0 ? null : hook(name, descriptor);
        MethodVisitor reads = new Reads(next);
        return hook == null ? reads : new MethodNode(Opcodes.ASM9, access, name, descriptor, signature, exceptions) {
            @Override
            public void visitEnd() {
                if (!isMade(this)) {
                    instructions.insert(call(hook));
                }
                accept(reads);
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

    private static final class Reads extends MethodVisitor {
        Reads(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
            if (READERS.contains(owner)) {
                super.visitMethodInsn(Opcodes.INVOKESTATIC, LOOKS, "atFields", "()V", false);
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
        }
    }
}
