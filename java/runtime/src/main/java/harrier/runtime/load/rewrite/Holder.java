package harrier.runtime.load.rewrite;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Makes classes that hold an array in a static field, for code that is rewritten. Each loader of a program defines its own. */
final class Holder {
    private Holder() {}

    /**
     * The class file of a holder.
     *
     * @param type the binary name of the class
     * @param field the name of the field
     * @param descriptor the type of the array
     * @param length how many elements it has
     */
    static byte[] of(String type, String field, String descriptor, int length) {
        String name = type.replace('.', '/');
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL, name, null, "java/lang/Object", null);
        writer.visitField(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL, field, descriptor, null, null).visitEnd();
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
        code.visitCode();
        code.visitIntInsn(Opcodes.SIPUSH, length);
        code.visitMultiANewArrayInsn(descriptor, 1);
        code.visitFieldInsn(Opcodes.PUTSTATIC, name, field, descriptor);
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(1, 0);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }
}
