package harrier.runtime.analysis.flow;

import harrier.runtime.analysis.flow.Def.Kind;
import harrier.runtime.analysis.flow.Def.Val;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/**
 * Abstract interpretation of one method: which definitions each value may come from. It leaves the
 * operands of every instruction in the {@link Code}.
 *
 * <p>Loads and stores under a branch make definitions of their own. Otherwise it would not show that
 * a branch decides which of two older values a variable, or the operand stack, holds afterwards.
 */
final class Flow extends Interpreter<Val> {
    private static final String OBJECT = "Ljava/lang/Object;";

    private final Code code;

    Flow(Code code) {
        super(Opcodes.ASM9);
        this.code = code;
    }

    @Override
    public Val newValue(Type type) {
        if (type == Type.VOID_TYPE) {
            return null;
        }
        return type == null || type.getSize() == 1 ? Val.UNKNOWN : new Val(new Def[0], 2);
    }

    @Override
    public Val newParameterValue(boolean isInstanceMethod, int local, Type type) {
        int at = 0;
        for (Def p : code.parameters) {
            Val value = new Val(new Def[] {p}, Type.getType(p.type).getSize());
            if (at == local) {
                return value;
            }
            at += value.size();
        }
        throw new IllegalArgumentException("no parameter at " + local);
    }

    @Override
    public Val newExceptionValue(TryCatchBlockNode block, Frame<Val> handlerFrame, Type exceptionType) {
        int at = code.method.node().instructions.indexOf(block.handler);
        return val(code.define(at, Kind.CAUGHT, exceptionType.getDescriptor()), 1);
    }

    @Override
    public Val newOperation(AbstractInsnNode insn) {
        return switch (insn.getOpcode()) {
            case Opcodes.ACONST_NULL -> made(insn, Kind.CONSTANT, "null");
            case Opcodes.LCONST_0, Opcodes.LCONST_1 -> made(insn, Kind.CONSTANT, "J");
            case Opcodes.DCONST_0, Opcodes.DCONST_1 -> made(insn, Kind.CONSTANT, "D");
            case Opcodes.LDC -> made(insn, Kind.CONSTANT, constantType(((LdcInsnNode) insn).cst));
            case Opcodes.GETSTATIC -> made(insn, Kind.STATIC, ((FieldInsnNode) insn).desc);
            case Opcodes.NEW -> made(insn, Kind.NEW, "L" + ((TypeInsnNode) insn).desc + ";");
            case Opcodes.JSR -> throw new UnsupportedOperationException("subroutines");
            default -> made(insn, Kind.CONSTANT, "I");
        };
    }

    private static String constantType(Object constant) {
        if (constant instanceof String) {
            return "Ljava/lang/String;";
        } else if (constant instanceof Long) {
            return "J";
        } else if (constant instanceof Double) {
            return "D";
        } else if (constant instanceof Type) {
            return "Ljava/lang/Class;";
        }
        return constant instanceof Number ? "I" : OBJECT;
    }

    @Override
    public Val copyOperation(AbstractInsnNode insn, Val value) {
        int op = insn.getOpcode();
        int at = at(insn);
        boolean isMove = op <= Opcodes.ALOAD || op >= Opcodes.ISTORE && op <= Opcodes.ASTORE || op == Opcodes.SWAP;
        if (!isMove || code.control.deciders(code.control.blockOf(at)).isEmpty()) {
            return value;
        }
        // SWAP moves two values at once; they become one definition, which is either.
        Val[] before = code.operands(at);
        code.setOperands(at, op == Opcodes.SWAP && before != null ? before[0].or(value) : value);
        return val(code.define(at, Kind.COPY, OBJECT), value.size());
    }

    @Override
    public Val unaryOperation(AbstractInsnNode insn, Val value) {
        code.setOperands(at(insn), value);
        return switch (insn.getOpcode()) {
            case Opcodes.GETFIELD -> made(insn, Kind.FIELD, ((FieldInsnNode) insn).desc);
            case Opcodes.CHECKCAST -> made(insn, Kind.CAST,
                Type.getObjectType(((TypeInsnNode) insn).desc).getDescriptor());
            case Opcodes.NEWARRAY -> made(insn, Kind.NEW, primitiveArray(((IntInsnNode) insn).operand));
            case Opcodes.ANEWARRAY -> made(insn, Kind.NEW,
                "[" + Type.getObjectType(((TypeInsnNode) insn).desc).getDescriptor());
            case Opcodes.LNEG, Opcodes.I2L, Opcodes.F2L, Opcodes.D2L -> made(insn, Kind.OTHER, "J");
            case Opcodes.DNEG, Opcodes.I2D, Opcodes.L2D, Opcodes.F2D -> made(insn, Kind.OTHER, "D");
            case Opcodes.IFEQ, Opcodes.IFNE, Opcodes.IFLT, Opcodes.IFGE, Opcodes.IFGT, Opcodes.IFLE,
                Opcodes.IFNULL, Opcodes.IFNONNULL, Opcodes.TABLESWITCH, Opcodes.LOOKUPSWITCH, Opcodes.PUTSTATIC,
                Opcodes.ATHROW, Opcodes.MONITORENTER, Opcodes.MONITOREXIT, Opcodes.IRETURN, Opcodes.LRETURN,
                Opcodes.FRETURN, Opcodes.DRETURN, Opcodes.ARETURN -> null;
            default -> made(insn, Kind.OTHER, "I");
        };
    }

    private static String primitiveArray(int type) {
        return switch (type) {
            case Opcodes.T_BOOLEAN -> "[Z";
            case Opcodes.T_CHAR -> "[C";
            case Opcodes.T_BYTE -> "[B";
            case Opcodes.T_SHORT -> "[S";
            case Opcodes.T_INT -> "[I";
            case Opcodes.T_FLOAT -> "[F";
            case Opcodes.T_DOUBLE -> "[D";
            default -> "[J";
        };
    }

    @Override
    public Val binaryOperation(AbstractInsnNode insn, Val first, Val second) {
        code.setOperands(at(insn), first, second);
        return switch (insn.getOpcode()) {
            case Opcodes.LALOAD, Opcodes.LADD, Opcodes.LSUB, Opcodes.LMUL, Opcodes.LDIV, Opcodes.LREM, Opcodes.LSHL,
                Opcodes.LSHR, Opcodes.LUSHR, Opcodes.LAND, Opcodes.LOR, Opcodes.LXOR -> made(insn, Kind.OTHER, "J");
            case Opcodes.DALOAD, Opcodes.DADD, Opcodes.DSUB, Opcodes.DMUL, Opcodes.DDIV, Opcodes.DREM ->
                made(insn, Kind.OTHER, "D");
            case Opcodes.AALOAD -> made(insn, Kind.OTHER, OBJECT);
            case Opcodes.IF_ICMPEQ, Opcodes.IF_ICMPNE, Opcodes.IF_ICMPLT, Opcodes.IF_ICMPGE, Opcodes.IF_ICMPGT,
                Opcodes.IF_ICMPLE, Opcodes.IF_ACMPEQ, Opcodes.IF_ACMPNE, Opcodes.PUTFIELD -> null;
            default -> made(insn, Kind.OTHER, "I");
        };
    }

    @Override
    public Val ternaryOperation(AbstractInsnNode insn, Val first, Val second, Val third) {
        code.setOperands(at(insn), first, second, third);
        return null;
    }

    @Override
    public Val naryOperation(AbstractInsnNode insn, List<? extends Val> values) {
        code.setOperands(at(insn), values.toArray(new Val[0]));
        if (insn instanceof MethodInsnNode m) {
            Type type = Type.getReturnType(m.desc);
            return type == Type.VOID_TYPE ? null : made(insn, Kind.CALL, type.getDescriptor());
        }
        if (insn instanceof InvokeDynamicInsnNode m) {
            boolean lambda = Lambda.of(m) != null;
            return made(insn, lambda ? Kind.LAMBDA : Kind.CALL, Type.getReturnType(m.desc).getDescriptor());
        }
        return made(insn, Kind.NEW, ((MultiANewArrayInsnNode) insn).desc);
    }

    @Override
    public void returnOperation(AbstractInsnNode insn, Val value, Val expected) {
        // unaryOperation has noted the value.
    }

    @Override
    public Val merge(Val first, Val second) {
        return first.or(second);
    }

    private Val made(AbstractInsnNode insn, Kind kind, String type) {
        return val(code.define(at(insn), kind, type), type.equals("J") || type.equals("D") ? 2 : 1);
    }

    private static Val val(Def def, int size) {
        return new Val(new Def[] {def}, size);
    }

    private int at(AbstractInsnNode insn) {
        return code.method.node().instructions.indexOf(insn);
    }
}
