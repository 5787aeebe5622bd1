package harrier.runtime.load;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Replaces calls that would end the process by {@link harrier.host.Hooks#exit}, which refuses them. */
final class ExitRewrite extends ClassVisitor {
    private static final String HOOKS = "harrier/host/Hooks";

    private ExitRewrite(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    static byte[] rewrite(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new ExitRewrite(writer), 0);
        return writer.toByteArray();
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
            String[] exceptions) {
        return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
            /** Method references: System::exit. */
            @Override
            public void visitInvokeDynamicInsn(String method, String type, Handle bootstrap, Object... arguments) {
                Object[] rewritten = arguments.clone();
                for (int i = 0; i < rewritten.length; i++) {
                    if (rewritten[i] instanceof Handle h && hook(h.getOwner(), h.getName()) != null) {
                        rewritten[i] = new Handle(Opcodes.H_INVOKESTATIC, HOOKS, "exit",
                            hook(h.getOwner(), h.getName()), false);
                    }
                }
                super.visitInvokeDynamicInsn(method, type, bootstrap, rewritten);
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String method, String type, boolean isInterface) {
                String hook = hook(owner, method);
                if (hook != null) {
                    super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "exit", hook, false);
                } else {
                    super.visitMethodInsn(opcode, owner, method, type, isInterface);
                }
            }
        };
    }

    /** The descriptor of the hook that stands in for a method, or null if the method stays. */
    private static String hook(String owner, String method) {
        if (owner.equals("java/lang/System") && method.equals("exit")) {
            return "(I)V";
        } else if (owner.equals("java/lang/Runtime") && (method.equals("exit") || method.equals("halt"))) {
            return "(Ljava/lang/Runtime;I)V";
        }
        return null;
    }
}
