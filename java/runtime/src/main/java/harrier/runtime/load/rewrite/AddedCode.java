package harrier.runtime.load.rewrite;

import harrier.runtime.load.rewrite.CallRewrite.Called;
import harrier.runtime.rules.refuse.Replacements.Replacement;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Writes the code of a static method that does one call, after asking.
 *
 * @param code where to
 * @param place where the call was
 */
record AddedCode(MethodVisitor code, String place) {
    /**
     * Writes the code.
     *
     * @param descriptor of the method that the code is for: it takes what the call takes
     * @param replacement the method that stands in for the called one, or null
     * @param source the number of the source that it is, or -1
     */
    void write(Called called, String descriptor, Replacement replacement, int source) {
        boolean constructs = called.opcode() == Opcodes.NEW;
        if (source >= 0 && called.isVirtual()) {
            code.visitVarInsn(Opcodes.ALOAD, 0);
            Hook.checkReceiver(code, called, source, place);
        } else if (source >= 0) {
            Hook.check(code, source, place);
        }
        if (constructs) {
            code.visitTypeInsn(Opcodes.NEW, called.owner());
            code.visitInsn(Opcodes.DUP);
        }
        int locals = 0;
        for (Type argument : Type.getArgumentTypes(descriptor)) {
            code.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), locals);
            locals += argument.getSize();
        }
        if (replacement != null) {
            Hook.call(code, replacement, called, place);
            if (constructs && called.owner().equals(CallRewrite.RANDOM)) {
                Hook.made(code, CallRewrite.MADE.get(CallRewrite.RANDOM), CallRewrite.RANDOM, place);
            }
        } else {
            code.visitMethodInsn(constructs ? Opcodes.INVOKESPECIAL : called.opcode(), called.owner(), called.name(),
                called.descriptor(), called.isInterface());
        }
        code.visitInsn(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN));
        // The object and its copy, the arguments, and what a hook takes and gives.
        code.visitMaxs(locals + 6, locals);
    }
}
