package harrier.runtime.load.rewrite;

import harrier.runtime.origin.AddedNames;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Gives records code for their {@code equals} and {@code hashCode}. The virtual machine would compose it of method handles when it
 * is first called, which takes 20 ms where hardly anything is compiled yet: as long as hundreds of local steps.
 */
final class RecordRewrite extends ClassVisitor {
    private static final String BOOTSTRAP = "java/lang/runtime/ObjectMethods";
    /** The components, behind the record's class and their names. */
    private static final int COMPONENTS = 2;
    private static final int FACTOR = 31;

    private String type;
    private List<Handle> components = List.of();
    private boolean hasEquals;
    private boolean hasHashCode;

    RecordRewrite(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        type = name;
        super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
            @Override
            public void visitInvokeDynamicInsn(String method, String of, Handle bootstrap, Object... arguments) {
                boolean isEquals = method.equals("equals");
                if (!bootstrap.getOwner().equals(BOOTSTRAP) || !isEquals && !method.equals("hashCode")) {
                    super.visitInvokeDynamicInsn(method, of, bootstrap, arguments);
                    return;
                }
                components = Arrays.stream(arguments).skip(COMPONENTS).map(Handle.class::cast).toList();
                hasEquals |= isEquals;
                hasHashCode |= !isEquals;
                super.visitMethodInsn(Opcodes.INVOKESTATIC, type, added(method), of, false);
            }
        };
    }

    /** The name of the method that has the code, marked so that stacks leave out its frames. */
    private static String added(String method) {
        return method + AddedNames.METHOD_MARK;
    }

    @Override
    public void visitEnd() {
        if (hasEquals) {
            addEquals();
        }
        if (hasHashCode) {
            addHashCode();
        }
        super.visitEnd();
    }

    private MethodVisitor add(String method, String descriptor) {
        MethodVisitor code = super.visitMethod(Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC, added(method),
            descriptor, null, null);
        code.visitCode();
        return code;
    }

    private void addEquals() {
        MethodVisitor code = add("equals", "(L" + type + ";Ljava/lang/Object;)Z");
        Label another = new Label();
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitVarInsn(Opcodes.ALOAD, 1);
        code.visitJumpInsn(Opcodes.IF_ACMPNE, another);
        give(code, Opcodes.ICONST_1);
        code.visitLabel(another);
        code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
        Label differs = new Label();
        code.visitVarInsn(Opcodes.ALOAD, 1);
        code.visitTypeInsn(Opcodes.INSTANCEOF, type);
        code.visitJumpInsn(Opcodes.IFEQ, differs);
        code.visitVarInsn(Opcodes.ALOAD, 1);
        code.visitTypeInsn(Opcodes.CHECKCAST, type);
        code.visitVarInsn(Opcodes.ASTORE, 2);
        for (Handle c : components) {
            get(code, 0, c);
            get(code, 2, c);
            code.visitJumpInsn(compare(code, Type.getType(c.getDesc())), differs);
        }
        give(code, Opcodes.ICONST_1);
        code.visitLabel(differs);
        code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
        give(code, Opcodes.ICONST_0);
        code.visitMaxs(4, 3);
        code.visitEnd();
    }

    private static void give(MethodVisitor code, int constant) {
        code.visitInsn(constant);
        code.visitInsn(Opcodes.IRETURN);
    }

    private void get(MethodVisitor code, int variable, Handle component) {
        code.visitVarInsn(Opcodes.ALOAD, variable);
        code.visitFieldInsn(Opcodes.GETFIELD, type, component.getName(), component.getDesc());
    }

    /** Compares two values, and returns the instruction that jumps if they differ. */
    private static int compare(MethodVisitor code, Type of) {
        switch (of.getSort()) {
            case Type.LONG -> code.visitInsn(Opcodes.LCMP);
            case Type.FLOAT -> code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Float", "compare", "(FF)I", false);
            case Type.DOUBLE -> code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/Double", "compare", "(DD)I", false);
            case Type.OBJECT, Type.ARRAY -> {
                code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/util/Objects", "equals", "(Ljava/lang/Object;Ljava/lang/Object;)Z", false);
                return Opcodes.IFEQ;
            }
            default -> {
                return Opcodes.IF_ICMPNE;
            }
        }
        return Opcodes.IFNE;
    }

    /** As the virtual machine does it, so that hash collections iterate in the same order. */
    private void addHashCode() {
        MethodVisitor code = add("hashCode", "(L" + type + ";)I");
        code.visitInsn(Opcodes.ICONST_0);
        for (Handle c : components) {
            code.visitIntInsn(Opcodes.BIPUSH, FACTOR);
            code.visitInsn(Opcodes.IMUL);
            get(code, 0, c);
            String of = c.getDesc().length() > 1 ? "Ljava/lang/Object;" : c.getDesc();
            code.visitMethodInsn(Opcodes.INVOKESTATIC, hasher(of.charAt(0)), "hashCode", "(" + of + ")I", false);
            code.visitInsn(Opcodes.IADD);
        }
        code.visitInsn(Opcodes.IRETURN);
        code.visitMaxs(3, 1);
        code.visitEnd();
    }

    private static String hasher(char type) {
        return switch (type) {
            case 'Z' -> "java/lang/Boolean";
            case 'B' -> "java/lang/Byte";
            case 'C' -> "java/lang/Character";
            case 'S' -> "java/lang/Short";
            case 'I' -> "java/lang/Integer";
            case 'J' -> "java/lang/Long";
            case 'F' -> "java/lang/Float";
            case 'D' -> "java/lang/Double";
            default -> "java/util/Objects";
        };
    }
}
