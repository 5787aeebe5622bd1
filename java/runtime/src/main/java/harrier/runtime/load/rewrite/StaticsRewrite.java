package harrier.runtime.load.rewrite;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Calls {@link harrier.host.Hooks} at each write of a static field outside of its class's initializer, and of where
 * initializers begin and end.
 */
final class StaticsRewrite extends PlacedRewrite {
    private boolean hasStatics;
    private boolean hasInitializer;

    /** Whether static fields belong to processes, so that they hold something else from step to step. */
    private final boolean isOfProcesses;

    StaticsRewrite(ClassVisitor next, boolean isOfProcesses) {
        super(next);
        this.isOfProcesses = isOfProcesses;
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        // The constant of a class, which hooks are given, is there since Java 5.
        super.visit((version & 0xffff) < Opcodes.V1_5 ? Opcodes.V1_5 : version, access, name, signature, superName, interfaces);
    }

    @Override
    public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
        int not = Opcodes.ACC_ENUM | Opcodes.ACC_SYNTHETIC;
        hasStatics |= (access & Opcodes.ACC_STATIC) != 0 && !isInterface && value == null && (access & not) == 0;
        // Compiled code takes a final one for a constant.
        boolean isSet = isOfProcesses && (access & Opcodes.ACC_STATIC) != 0 && !isInterface && value == null;
        return super.visitField(isSet ? access & ~Opcodes.ACC_FINAL : access, name, descriptor, signature, value);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
            String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        if (name.equals("<clinit>")) {
            hasInitializer = true;
            return new Initializer(next, name);
        }
        return new Accesses(next, name);
    }

    /** Without an initializer nothing would notice that the class is initialized. */
    @Override
    public void visitEnd() {
        if (hasStatics && !hasInitializer) {
            MethodVisitor method = visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
            method.visitCode();
            method.visitInsn(Opcodes.RETURN);
            method.visitMaxs(0, 0);
            method.visitEnd();
        }
        super.visitEnd();
    }

    private static void tellWrite(MethodVisitor code, String owner, String name, Place place) {
        code.visitLdcInsn(owner.replace('/', '.') + "." + name);
        code.visitLdcInsn(place.toString());
        code.visitMethodInsn(Opcodes.INVOKESTATIC, Hook.HOOKS, "staticWrite", "(Ljava/lang/String;Ljava/lang/String;)V", false);
    }

    /** An initializer must not see what a process has in a field: it runs once, for all processes. */
    private void tellRead(MethodVisitor code, int opcode, String owner, String name, Place place) {
        if (isOfProcesses && opcode == Opcodes.GETSTATIC && !owner.startsWith("java/")) {
            code.visitLdcInsn(owner.replace('/', '.') + "." + name);
            code.visitLdcInsn(place.toString());
            code.visitMethodInsn(Opcodes.INVOKESTATIC, Hook.HOOKS, "staticRead", "(Ljava/lang/String;Ljava/lang/String;)V", false);
        }
    }

    private final class Initializer extends Code {
        Initializer(MethodVisitor next, String method) {
            super(next, method);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            if (!owner.equals(type)) {
                if (opcode == Opcodes.PUTSTATIC) {
                    tellWrite(mv, owner, name, place);
                }
                tellRead(mv, opcode, owner, name, place);
            }
            super.visitFieldInsn(opcode, owner, name, descriptor);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            super.visitMethodInsn(Opcodes.INVOKESTATIC, Hook.HOOKS, "initializing", "()V", false);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.RETURN) {
                super.visitLdcInsn(Type.getObjectType(type));
                super.visitMethodInsn(Opcodes.INVOKESTATIC, Hook.HOOKS, "initialized", "(Ljava/lang/Class;)V", false);
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(stack + 2, locals);
        }
    }

    private final class Accesses extends Code {
        Accesses(MethodVisitor next, String method) {
            super(next, method);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            if (opcode == Opcodes.PUTSTATIC) {
                tellWrite(mv, owner, name, place);
            }
            tellRead(mv, opcode, owner, name, place);
            super.visitFieldInsn(opcode, owner, name, descriptor);
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(stack + 2, locals);
        }
    }
}
