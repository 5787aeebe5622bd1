package harrier.runtime.load.rewrite;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Puts {@link harrier.host.ActorThread} in the place of {@link Thread} where a class extends it or makes one. */
final class ThreadClassRewrite extends ClassVisitor {
    private static final String THREAD = "java/lang/Thread";
    private static final String OWN = "harrier/host/ActorThread";

    ThreadClassRewrite(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        super.visit(version, access, name, signature, THREAD.equals(superName) ? OWN : superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
            @Override
            public void visitTypeInsn(int opcode, String type) {
                super.visitTypeInsn(opcode, opcode == Opcodes.NEW && type.equals(THREAD) ? OWN : type);
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String called, String calledDescriptor, boolean isInterface) {
                super.visitMethodInsn(opcode, opcode == Opcodes.INVOKESPECIAL && owner.equals(THREAD) ? OWN : owner, called, calledDescriptor,
                    isInterface);
            }
        };
    }
}
