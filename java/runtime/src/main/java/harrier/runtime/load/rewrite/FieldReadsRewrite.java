package harrier.runtime.load.rewrite;

import harrier.runtime.wire.FieldNumber;
import java.util.Set;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Has code note in {@link FieldReads} which instance fields of the program it reads: by instructions, by the handles of
 * a record's generated methods; and that it may read any where it uses handles or reflection.
 */
final class FieldReadsRewrite extends ClassVisitor {
    private static final String HOLDER = FieldReads.HOLDER.replace('.', '/');
    /** How much more of the stack a note needs. */
    private static final int ROOM = 3;
    /** Their methods may read fields of their arguments. */
    private static final Set<String> READERS = Set.of("java/lang/invoke/VarHandle", "java/lang/invoke/MethodHandle",
        "java/lang/invoke/MethodHandleProxies", "java/lang/reflect/Field", "java/io/ObjectOutputStream",
        "sun/misc/Unsafe", "java/util/concurrent/atomic/AtomicIntegerFieldUpdater",
        "java/util/concurrent/atomic/AtomicLongFieldUpdater", "java/util/concurrent/atomic/AtomicReferenceFieldUpdater");

    private final Hierarchy hierarchy;

    FieldReadsRewrite(ClassVisitor next, Hierarchy hierarchy) {
        super(Opcodes.ASM9, next);
        this.hierarchy = hierarchy;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
            String[] exceptions) {
        return new Reads(super.visitMethod(access, name, descriptor, signature, exceptions));
    }

    private final class Reads extends MethodVisitor {
        Reads(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            if (opcode == Opcodes.GETFIELD) {
                note(owner, name, descriptor);
            }
            super.visitFieldInsn(opcode, owner, name, descriptor);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            for (Object argument : arguments) {
                if (argument instanceof Handle h && h.getTag() == Opcodes.H_GETFIELD) {
                    note(h.getOwner(), h.getName(), h.getDesc());
                }
            }
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
            if (READERS.contains(owner)) {
                note(FieldNumber.ANY);
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
        }

        private void note(String owner, String name, String descriptor) {
            String declaring = hierarchy.declaring(owner, name + descriptor);
            if (declaring != null) {
                note(FieldReads.number(declaring, name));
            }
        }

        private void note(int number) {
            mv.visitFieldInsn(Opcodes.GETSTATIC, HOLDER, FieldReads.MARKS, "[B");
            mv.visitIntInsn(Opcodes.SIPUSH, number);
            mv.visitInsn(Opcodes.ICONST_1);
            mv.visitInsn(Opcodes.BASTORE);
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(stack + ROOM, locals);
        }
    }
}
