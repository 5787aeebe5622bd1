package harrier.runtime.load.rewrite;

import java.util.Map;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** The conversions that a functional interface may ask for between its method and the implementation. */
final class Conversions {
    private static final Map<Integer, String> WRAPPERS = Map.of(
        Type.BOOLEAN, "java/lang/Boolean", Type.BYTE, "java/lang/Byte", Type.SHORT, "java/lang/Short",
        Type.CHAR, "java/lang/Character", Type.INT, "java/lang/Integer", Type.LONG, "java/lang/Long",
        Type.FLOAT, "java/lang/Float", Type.DOUBLE, "java/lang/Double");
    private static final Type[] PRIMITIVES = {Type.BOOLEAN_TYPE, Type.BYTE_TYPE, Type.SHORT_TYPE, Type.CHAR_TYPE,
        Type.INT_TYPE, Type.LONG_TYPE, Type.FLOAT_TYPE, Type.DOUBLE_TYPE};

    private Conversions() {}

    /** Turns the value on the stack into one of another type. */
    static void write(MethodVisitor m, Type from, Type to) {
        if (from.equals(to) || from.getSort() == Type.VOID) {
            return;
        }
        if (to.getSort() == Type.VOID) {
            m.visitInsn(from.getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
        } else if (isReference(from)) {
            fromReference(m, from, to);
        } else if (isReference(to)) {
            String wrapper = WRAPPERS.get(from.getSort());
            m.visitMethodInsn(Opcodes.INVOKESTATIC, wrapper, "valueOf", "(" + from + ")L" + wrapper + ";", false);
        } else {
            widen(m, from, to);
        }
    }

    private static boolean isReference(Type type) {
        return type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY;
    }

    private static void fromReference(MethodVisitor m, Type from, Type to) {
        if (isReference(to)) {
            if (!to.getInternalName().equals("java/lang/Object")) {
                m.visitTypeInsn(Opcodes.CHECKCAST, to.getInternalName());
            }
            return;
        }
        Type held = to;
        for (Type primitive : PRIMITIVES) {
            if (WRAPPERS.get(primitive.getSort()).equals(from.getInternalName())) {
                held = primitive;
            }
        }
        String wrapper = WRAPPERS.get(held.getSort());
        m.visitTypeInsn(Opcodes.CHECKCAST, wrapper);
        m.visitMethodInsn(Opcodes.INVOKEVIRTUAL, wrapper, held.getClassName() + "Value", "()" + held, false);
        widen(m, held, to);
    }

    private static void widen(MethodVisitor m, Type from, Type to) {
        int target = to.getSort();
        switch (from.getSort()) {
            case Type.DOUBLE -> { } // there is nothing wider
            case Type.LONG -> {
                if (target == Type.FLOAT || target == Type.DOUBLE) {
                    m.visitInsn(target == Type.FLOAT ? Opcodes.L2F : Opcodes.L2D);
                }
            }
            case Type.FLOAT -> {
                if (target == Type.DOUBLE) {
                    m.visitInsn(Opcodes.F2D);
                }
            }
            default -> {
                switch (target) {
                    case Type.LONG -> m.visitInsn(Opcodes.I2L);
                    case Type.FLOAT -> m.visitInsn(Opcodes.I2F);
                    case Type.DOUBLE -> m.visitInsn(Opcodes.I2D);
                    default -> { } // an int holds the smaller ones
                }
            }
        }
    }
}
