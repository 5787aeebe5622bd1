package harrier.runtime.load.rewrite;

import harrier.runtime.rules.refuse.Replacements;
import harrier.runtime.rules.refuse.Replacements.Replacement;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Writes the calls of hooks into code. */
final class Hook {
    static final String HOOKS = "harrier/host/Hooks";
    private static final String PLACE = "Ljava/lang/String;";

    private Hook() {}

    /** Asks whether a source may be called. */
    static void check(MethodVisitor code, int source, String place) {
        code.visitLdcInsn(source);
        code.visitLdcInsn(place);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "check", "(I" + PLACE + ")V", false);
    }

    /** Asks whether a source may be called for the receiver on the stack. */
    static void checkReceiver(MethodVisitor code, CallRewrite.Called called, int source, String place) {
        if (called.isVirtual()) {
            code.visitLdcInsn(called.name() + called.descriptor());
        } else {
            code.visitInsn(Opcodes.ACONST_NULL);
        }
        code.visitLdcInsn(source);
        code.visitLdcInsn(place);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, "check", "(Ljava/lang/Object;Ljava/lang/String;I" + PLACE + ")V", false);
    }

    /** Lets a hook change an object that was made, or put another one in its place. */
    static void made(MethodVisitor code, String hooks, String type, String place) {
        code.visitLdcInsn(place);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, hooks, "made",
            "(L" + type + ";" + PLACE + ")L" + type + ";", false);
    }

    /** Hooks take and give any objects for interfaces that older JDKs lack: to verification these are the same. */
    private static String reference(String type) {
        return type.startsWith(Replacements.BUILDER) ? "Ljava/lang/Object;" : "L" + type + ";";
    }

    private static String given(String descriptor) {
        int end = descriptor.indexOf(')') + 1;
        return descriptor.startsWith("L" + Replacements.BUILDER, end) ? descriptor.substring(0, end) + "Ljava/lang/Object;" : descriptor;
    }

    /** The descriptor of a hook that is called instead of a method. */
    static String descriptor(Replacement replacement, CallRewrite.Called called) {
        boolean isStatic = called.opcode() == Opcodes.INVOKESTATIC;
        String arguments = called.descriptor().substring(1).replace(")", PLACE + ")");
        return "(" + (isStatic ? "" : reference(replacement.receiver())) + given(arguments);
    }

    /** Calls a hook instead of a method, or before it. */
    static void call(MethodVisitor code, Replacement replacement, CallRewrite.Called called, String place) {
        if (replacement.looks()) {
            boolean isOne = Type.getArgumentTypes(replacement.descriptor()).length == 1;
            code.visitInsn(isOne ? Opcodes.DUP : Opcodes.DUP2);
        }
        code.visitLdcInsn(place);
        if (replacement.then() == null) {
            code.visitMethodInsn(Opcodes.INVOKESTATIC, replacement.owner(), replacement.hook(), descriptor(replacement, called), false);
            return;
        }
        code.visitMethodInsn(Opcodes.INVOKESTATIC, replacement.owner(), replacement.hook(),
            replacement.descriptor().replace(")", PLACE + ")"), false);
        int opcode = called.opcode() == Opcodes.NEW ? Opcodes.INVOKESPECIAL : called.opcode();
        code.visitMethodInsn(opcode, called.owner(), called.name(), replacement.then(), called.isInterface());
    }
}
