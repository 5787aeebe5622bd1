package harrier.runtime.load.rewrite;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Has the handlers of exceptions that catch any error, those of {@code finally} among them, call a hook first: it throws again what
 * ends an execution that does not return.
 */
final class HandlersRewrite extends ClassVisitor {
    private static final Set<String> ERRORS = Set.of("java/lang/Throwable", "java/lang/Error");

    private boolean hasFrames;

    HandlersRewrite(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        super.visit(version, access, name, signature, superName, interfaces);
        hasFrames = (version & 0xFFFF) >= Opcodes.V1_6;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        return new Code(super.visitMethod(access, name, descriptor, signature, exceptions));
    }

    /** An entry of a method's table of exceptions. */
    private record Block(Label start, Label end, Label handler) {}

    private final class Code extends MethodVisitor {
        private final List<Block> blocks = new ArrayList<>();
        private final Set<Label> visited = new HashSet<>();
        /** Whether a handler has begun that calls the hook behind the frame. */
        private boolean begins;

        Code(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
            super.visitTryCatchBlock(start, end, handler, type);
            if (type == null || ERRORS.contains(type)) {
                blocks.add(new Block(start, end, handler));
            }
        }

        @Override
        public void visitLabel(Label label) {
            super.visitLabel(label);
            if (blocks.isEmpty()) {
                return;
            }
            visited.add(label);
            boolean isHandler = false;
            for (Block b : blocks) {
                isHandler |= b.handler == label;
            }
            begins |= isHandler && !catchesItself(label);
            if (begins && !hasFrames) {
                call();
            }
        }

        /** Reports whether what a handler throws at its start it catches itself, as those that leave a monitor do. */
        private boolean catchesItself(Label handler) {
            for (Block b : blocks) {
                if (b.handler == handler && visited.contains(b.start) && !visited.contains(b.end)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void visitFrame(int type, int numLocal, Object[] local, int numStack, Object[] stack) {
            super.visitFrame(type, numLocal, local, numStack, stack);
            if (begins) {
                call();
            }
        }

        private void call() {
            begins = false;
            super.visitInsn(Opcodes.DUP);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, Hook.HOOKS, "caught", "(Ljava/lang/Throwable;)V", false);
        }

        @Override
        public void visitMaxs(int stack, int locals) {
            super.visitMaxs(blocks.isEmpty() ? stack : Math.max(stack, 2), locals);
        }
    }
}
