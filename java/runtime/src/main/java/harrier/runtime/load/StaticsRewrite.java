package harrier.runtime.load;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Tells {@link harrier.host.Hooks} of each write of a static field outside of its class's initializer, and of where
 * initializers begin and end.
 */
final class StaticsRewrite extends ClassVisitor {
    private static final String HOOKS = "harrier/host/Hooks";

    private String type;
    private String file;

    StaticsRewrite(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        super.visit(version, access, name, signature, superName, interfaces);
        type = name;
    }

    @Override
    public void visitSource(String source, String debug) {
        super.visitSource(source, debug);
        file = source;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
            String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        return name.equals("<clinit>") ? new Initializer(next) : new Writes(next, new Place(type, name, file));
    }

    private final class Initializer extends MethodVisitor {
        Initializer(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "initializing", "()V", false);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.RETURN) {
                super.visitLdcInsn(Type.getObjectType(type));
                super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "initialized", "(Ljava/lang/Class;)V", false);
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(stack + 1, locals);
        }
    }

    private static final class Writes extends MethodVisitor {
        private final Place place;

        Writes(MethodVisitor next, Place place) {
            super(Opcodes.ASM9, next);
            this.place = place;
        }

        @Override
        public void visitLineNumber(int line, org.objectweb.asm.Label start) {
            super.visitLineNumber(line, start);
            place.line(line);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            if (opcode == Opcodes.PUTSTATIC) {
                super.visitLdcInsn(owner.substring(owner.lastIndexOf('/') + 1).replace('$', '.') + "." + name);
                super.visitLdcInsn(place.toString());
                super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "staticWrite",
                    "(Ljava/lang/String;Ljava/lang/String;)V", false);
            }
            super.visitFieldInsn(opcode, owner, name, descriptor);
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(stack + 2, locals);
        }
    }
}
