package harrier.runtime.load.rewrite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * The types of the variables and of the operand stack of a method around some calls, by the frames that the class file
 * has where control joins, and the instructions from there on.
 */
final class FrameTypes {
    /** The type of null. */
    static final Type OF_NULL = Type.getObjectType("null");
    /** How much more of the stack rewrites may have used than the class file says. */
    private static final int ROOM = 8;

    private final ClassNode type;
    private final MethodNode method;
    private final Map<AbstractInsnNode, Frame<BasicValue>> before = new HashMap<>();
    private final Map<AbstractInsnNode, Frame<BasicValue>> after = new HashMap<>();
    private final Typing typing = new Typing();

    FrameTypes(ClassNode type, MethodNode method) {
        this.type = type;
        this.method = method;
    }

    /** An object that no constructor has run on. */
    static final class Fresh extends BasicValue {
        final AbstractInsnNode made;

        Fresh(Type type, AbstractInsnNode made) {
            super(type);
            this.made = made;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Fresh fresh && fresh.made == made;
        }

        @Override
        public int hashCode() {
            return made.hashCode();
        }
    }

    /** Those of BasicInterpreter that know the classes of references. */
    private static final class Typing extends BasicInterpreter {
        Typing() {
            super(Opcodes.ASM9);
        }

        @Override
        public BasicValue newValue(Type type) {
            boolean isReference = type != null && type.getSort() >= Type.ARRAY;
            return isReference ? new BasicValue(type.equals(OF_NULL) ? OF_NULL : type) : super.newValue(type);
        }

        @Override
        public BasicValue newOperation(AbstractInsnNode node) throws AnalyzerException {
            BasicValue made = super.newOperation(node);
            return node.getOpcode() == Opcodes.NEW ? new Fresh(made.getType(), node) : made;
        }

        @Override
        public BasicValue binaryOperation(AbstractInsnNode node, BasicValue first, BasicValue second) throws AnalyzerException {
            if (node.getOpcode() != Opcodes.AALOAD) {
                return super.binaryOperation(node, first, second);
            }
            Type array = first.getType();
            return newValue(array.getSort() != Type.ARRAY ? OF_NULL : Type.getType(array.getDescriptor().substring(1)));
        }
    }

    /** Finds the types around calls, and before all constructors; false if the class file does not say. */
    boolean find(Predicate<AbstractInsnNode> calls) {
        try {
            Frame<BasicValue> now = first();
            for (AbstractInsnNode node : method.instructions) {
                if (node instanceof FrameNode frame) {
                    now = of(frame);
                } else if (node.getOpcode() >= 0 && now != null) {
                    now = step(node, now, calls.test(node) || isConstructor(node));
                } else if (node.getOpcode() >= 0 && calls.test(node)) {
                    return false;
                }
            }
            return true;
        } catch (AnalyzerException | IndexOutOfBoundsException | IllegalStateException e) {
            return false;
        }
    }

    static boolean isConstructor(AbstractInsnNode node) {
        return node instanceof MethodInsnNode call && call.name.equals("<init>");
    }

    private Frame<BasicValue> step(AbstractInsnNode node, Frame<BasicValue> now, boolean isWanted) throws AnalyzerException {
        if (isWanted) {
            before.put(node, new Frame<>(now));
        }
        BasicValue made = !isConstructor(node) ? null
            : now.getStack(now.getStackSize() - 1 - Type.getArgumentTypes(((MethodInsnNode) node).desc).length);
        now.execute(node, typing);
        if (made instanceof Fresh) {
            replace(now, made, typing.newValue(made.getType()));
        }
        if (isWanted) {
            after.put(node, new Frame<>(now));
        }
        int opcode = node.getOpcode();
        boolean isEnd = opcode == Opcodes.GOTO || opcode == Opcodes.ATHROW || opcode == Opcodes.TABLESWITCH || opcode == Opcodes.LOOKUPSWITCH
            || opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
        return isEnd ? null : now;
    }

    private static void replace(Frame<BasicValue> frame, BasicValue old, BasicValue by) {
        for (int i = 0; i < frame.getLocals(); i++) {
            if (frame.getLocal(i).equals(old)) {
                frame.setLocal(i, by);
            }
        }
        for (int i = 0; i < frame.getStackSize(); i++) {
            if (frame.getStack(i).equals(old)) {
                frame.setStack(i, by);
            }
        }
    }

    /** The types before a call; null if nothing leads to it. */
    Frame<BasicValue> before(AbstractInsnNode call) {
        return before.get(call);
    }

    Frame<BasicValue> after(AbstractInsnNode call) {
        return after.get(call);
    }

    /** The types with which the method begins. */
    Frame<BasicValue> first() {
        Frame<BasicValue> first = empty();
        int at = 0;
        if ((method.access & Opcodes.ACC_STATIC) == 0) {
            first.setLocal(at++, typing.newValue(Type.getObjectType(type.name)));
        }
        for (Type argument : Type.getArgumentTypes(method.desc)) {
            first.setLocal(at, typing.newValue(argument));
            at += argument.getSize();
        }
        return first;
    }

    private Frame<BasicValue> empty() {
        Frame<BasicValue> frame = new Frame<>(method.maxLocals + ROOM, method.maxStack + ROOM);
        for (int i = 0; i < frame.getLocals(); i++) {
            frame.setLocal(i, BasicValue.UNINITIALIZED_VALUE);
        }
        return frame;
    }

    private Frame<BasicValue> of(FrameNode node) {
        Frame<BasicValue> frame = empty();
        int at = 0;
        for (Object local : node.local == null ? List.of() : node.local) {
            BasicValue value = value(local);
            frame.setLocal(at, value);
            at += value.getSize();
        }
        for (Object stack : node.stack == null ? List.of() : node.stack) {
            frame.push(value(stack));
        }
        return frame;
    }

    private BasicValue value(Object verified) {
        if (verified instanceof String name) {
            return typing.newValue(Type.getObjectType(name));
        } else if (verified instanceof LabelNode label) {
            AbstractInsnNode made = made(label);
            return new Fresh(Type.getObjectType(((org.objectweb.asm.tree.TypeInsnNode) made).desc), made);
        } else if (verified.equals(Opcodes.INTEGER)) {
            return BasicValue.INT_VALUE;
        } else if (verified.equals(Opcodes.FLOAT)) {
            return BasicValue.FLOAT_VALUE;
        } else if (verified.equals(Opcodes.LONG)) {
            return BasicValue.LONG_VALUE;
        } else if (verified.equals(Opcodes.DOUBLE)) {
            return BasicValue.DOUBLE_VALUE;
        } else if (verified.equals(Opcodes.NULL)) {
            return typing.newValue(OF_NULL);
        }
        return BasicValue.UNINITIALIZED_VALUE;
    }

    /** The instruction that makes the object which frames name by a label. */
    static AbstractInsnNode made(LabelNode label) {
        AbstractInsnNode node = label;
        while (node.getOpcode() < 0) {
            node = node.getNext();
        }
        return node;
    }

    /** What a class file says of such types. */
    static FrameNode node(Frame<BasicValue> frame) {
        List<Object> locals = new ArrayList<>();
        for (int i = 0; i < frame.getLocals(); i += frame.getLocal(i).getSize()) {
            locals.add(verified(frame.getLocal(i)));
        }
        while (!locals.isEmpty() && locals.get(locals.size() - 1).equals(Opcodes.TOP)) {
            locals.remove(locals.size() - 1);
        }
        List<Object> stack = new ArrayList<>();
        for (int i = 0; i < frame.getStackSize(); i++) {
            stack.add(verified(frame.getStack(i)));
        }
        return new FrameNode(Opcodes.F_NEW, locals.size(), locals.toArray(), stack.size(), stack.toArray());
    }

    private static Object verified(BasicValue value) {
        if (value == BasicValue.UNINITIALIZED_VALUE) {
            return Opcodes.TOP;
        }
        Type type = value.getType();
        return switch (type.getSort()) {
            case Type.INT -> Opcodes.INTEGER;
            case Type.FLOAT -> Opcodes.FLOAT;
            case Type.LONG -> Opcodes.LONG;
            case Type.DOUBLE -> Opcodes.DOUBLE;
            default -> type.equals(OF_NULL) ? Opcodes.NULL : type.getInternalName();
        };
    }
}
