package harrier.runtime.load.rewrite;

import harrier.runtime.rules.refuse.Replacements;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * Has a thread leave a method after each call that waits, and come back before it. What is on the operand stack below
 * the arguments of the call is saved, and the local variables that are read later; other variables hold null or zero
 * afterwards. The call is made once more with arguments that mean nothing: what it reaches comes back to its own frame.
 */
final class LeavingMethod {
    private static final String FRAMES = "harrier/host/Frames";
    private static final String OBJECT = "Ljava/lang/Object;";

    private final ClassNode type;
    private final MethodNode method;
    private final Predicate<AbstractInsnNode> waits;
    private final boolean isStatic;

    LeavingMethod(ClassNode type, MethodNode method, Predicate<AbstractInsnNode> waits) {
        this.type = type;
        this.method = method;
        this.waits = waits;
        isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
    }

    /** Rewrites it, unless its class file does not say what types are where: then no thread can leave it. */
    void rewrite() {
        FrameTypes types = new FrameTypes(type, method);
        if (!types.find(waits) || !new LateNew(method, types).rewrite(waits)) {
            return;
        }
        types = new FrameTypes(type, method);
        if (!types.find(waits)) {
            return;
        }
        Liveness live = new Liveness(method);
        List<Call> calls = new ArrayList<>();
        int line = 0;
        int place = 0;
        for (AbstractInsnNode node : method.instructions.toArray()) {
            place += isNumbered(node) ? 1 : 0;
            if (node instanceof LineNumberNode number) {
                line = number.line;
            } else if (waits.test(node) && types.before(node) != null) {
                calls.add(new Call((MethodInsnNode) node, place, line, types.before(node), types.after(node), live.after(node)));
            }
        }
        calls.forEach(Call::leave);
        method.instructions.insert(entry(calls, types.first()));
    }

    /**
     * Reports whether an instruction counts for the numbers of calls. They are the same whatever other classes there are, and in a copy of the
     * program whose code calls a hook at its lines: frames of one are come back to in another.
     */
    private static boolean isNumbered(AbstractInsnNode node) {
        return node instanceof MethodInsnNode call
            && (!call.owner.startsWith("harrier/host/") || isStandIn(call) || Replacements.isLeaving(call.owner) || call.owner.equals("harrier/host/ActorThread"));
    }

    private static boolean isStandIn(MethodInsnNode call) {
        return Replacements.isBlocking(call.owner) || call.owner.equals(Replacements.REFLECTION);
    }

    /** The code with which the method begins. */
    private InsnList entry(List<Call> calls, Frame<BasicValue> first) {
        InsnList code = new InsnList();
        LabelNode start = new LabelNode();
        LabelNode[] backs = calls.stream().map(c -> new LabelNode()).toArray(LabelNode[]::new);
        code.add(frames("place", "()I"));
        code.add(new LookupSwitchInsnNode(start, calls.stream().mapToInt(c -> c.place).toArray(), backs));
        for (int i = 0; i < backs.length; i++) {
            code.add(backs[i]);
            code.add(FrameTypes.node(first));
            calls.get(i).comeBack(code);
        }
        code.add(start);
        code.add(FrameTypes.node(first));
        code.add(new InsnNode(Opcodes.NOP));
        return code;
    }

    private static MethodInsnNode frames(String name, String descriptor) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, FRAMES, name, descriptor, false);
    }

    /**
     * A call that may wait.
     *
     * @param before the types before it, its arguments on the stack
     * @param after those behind it, its result on the stack
     * @param live the variables that are read after it
     */
    private final class Call {
        private final MethodInsnNode call;
        private final int place;
        private final int line;
        private final Frame<BasicValue> before;
        private final Frame<BasicValue> after;
        private final BitSet live;
        private final LabelNode back = new LabelNode();
        /** How many values are on the stack below the arguments. */
        private final int below;

        Call(MethodInsnNode call, int place, int line, Frame<BasicValue> before, Frame<BasicValue> after, BitSet live) {
            this.call = call;
            this.place = place;
            this.line = line;
            this.before = before;
            this.after = after;
            this.live = live;
            below = before.getStackSize() - Type.getArgumentTypes(call.desc).length - (call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1);
        }

        /** Puts the place to come back to before the call, and leaves behind it. */
        void leave() {
            InsnList start = new InsnList();
            start.add(new InsnNode(Opcodes.NOP)); // a frame may stand there already
            start.add(back);
            start.add(FrameTypes.node(before));
            method.instructions.insertBefore(call, start);
            InsnList code = new InsnList();
            LabelNode stays = new LabelNode();
            code.add(frames("isLeft", "()Z"));
            code.add(new JumpInsnNode(Opcodes.IFEQ, stays));
            int result = Type.getReturnType(call.desc).getSize();
            if (result > 0) {
                code.add(new InsnNode(result == 2 ? Opcodes.POP2 : Opcodes.POP));
            }
            for (int i = below - 1; i >= 0; i--) {
                save(code, before.getStack(i));
            }
            for (int i = isStatic ? 0 : 1; i < before.getLocals(); i++) {
                if (isKept(i)) {
                    code.add(new VarInsnNode(before.getLocal(i).getType().getOpcode(Opcodes.ILOAD), i));
                    save(code, before.getLocal(i));
                }
            }
            code.add(isStatic ? new InsnNode(Opcodes.ACONST_NULL) : new VarInsnNode(Opcodes.ALOAD, 0));
            code.add(new LdcInsnNode(type.name.replace('/', '.') + "." + method.name + method.desc));
            code.add(new LdcInsnNode(line));
            code.add(new LdcInsnNode(place));
            code.add(frames("saved", "(" + OBJECT + "Ljava/lang/String;II)V"));
            Type returned = Type.getReturnType(method.desc);
            if (returned.getSort() != Type.VOID) {
                code.add(nothing(returned));
            }
            code.add(new InsnNode(returned.getOpcode(Opcodes.IRETURN)));
            code.add(stays);
            code.add(FrameTypes.node(after));
            code.add(new InsnNode(Opcodes.NOP));
            method.instructions.insert(call, code);
        }

        /** Whether a variable has a value that is saved. */
        private boolean isKept(int i) {
            return isSet(i) && live.get(i) && before.getLocal(i).getType() != FrameTypes.OF_NULL;
        }

        private boolean isSet(int i) {
            return before.getLocal(i) != BasicValue.UNINITIALIZED_VALUE;
        }

        /** Takes the values of the frame, and goes to the call. */
        void comeBack(InsnList code) {
            for (int i = before.getLocals() - 1; i >= (isStatic ? 0 : 1); i--) {
                if (isSet(i)) {
                    Type of = before.getLocal(i).getType();
                    if (isKept(i)) {
                        value(code, of);
                    } else {
                        code.add(nothing(of));
                    }
                    code.add(new VarInsnNode(of.getOpcode(Opcodes.ISTORE), i));
                }
            }
            for (int i = 0; i < below; i++) {
                if (before.getStack(i).getType() == FrameTypes.OF_NULL) {
                    code.add(new InsnNode(Opcodes.ACONST_NULL));
                } else {
                    value(code, before.getStack(i).getType());
                }
            }
            for (int i = below; i < before.getStackSize(); i++) {
                argument(code, before.getStack(i).getType(), i == below);
            }
            code.add(new JumpInsnNode(Opcodes.GOTO, back));
        }

        /** Pushes an argument of the call: only what a method is called on decides anything. */
        private void argument(InsnList code, Type of, boolean isFirst) {
            boolean isReceiver = isFirst && of.getSort() >= Type.ARRAY && of != FrameTypes.OF_NULL
                && (call.getOpcode() != Opcodes.INVOKESTATIC || isStandIn(call));
            if (!isReceiver) {
                code.add(nothing(of));
            } else if (call.getOpcode() == Opcodes.INVOKESPECIAL && !call.owner.equals(type.name)) {
                code.add(new VarInsnNode(Opcodes.ALOAD, 0)); // super
            } else {
                code.add(frames("receiver", "()" + OBJECT));
                cast(code, of);
            }
        }

        private static void cast(InsnList code, Type to) {
            if (!to.getInternalName().startsWith(Replacements.BUILDER)) { // ThreadBuilder, which takes its place, does not implement it
                code.add(new TypeInsnNode(Opcodes.CHECKCAST, to.getInternalName()));
            }
        }

        private void value(InsnList code, Type of) {
            code.add(frames("value", "()" + OBJECT));
            Type box = box(of);
            cast(code, box == null ? of : box);
            if (box != null) {
                code.add(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, box.getInternalName(), of.getClassName() + "Value",
                    "()" + of.getDescriptor(), false));
            }
        }

        private void save(InsnList code, BasicValue value) {
            Type of = value.getType();
            if (of == FrameTypes.OF_NULL) {
                code.add(new InsnNode(Opcodes.POP));
                return;
            }
            Type box = box(of);
            if (box != null) {
                code.add(new MethodInsnNode(Opcodes.INVOKESTATIC, box.getInternalName(), "valueOf",
                    "(" + of.getDescriptor() + ")" + box.getDescriptor(), false));
            }
            code.add(frames("save", "(" + OBJECT + ")V"));
        }
    }

    /** The class of boxes of a primitive type; null for references. */
    private static Type box(Type type) {
        return switch (type.getSort()) {
            case Type.INT -> Type.getType(Integer.class);
            case Type.LONG -> Type.getType(Long.class);
            case Type.FLOAT -> Type.getType(Float.class);
            case Type.DOUBLE -> Type.getType(Double.class);
            default -> null;
        };
    }

    /** Pushes null or zero. */
    private static InsnNode nothing(Type type) {
        return new InsnNode(switch (type.getSort()) {
            case Type.LONG -> Opcodes.LCONST_0;
            case Type.FLOAT -> Opcodes.FCONST_0;
            case Type.DOUBLE -> Opcodes.DCONST_0;
            case Type.ARRAY, Type.OBJECT -> Opcodes.ACONST_NULL;
            default -> Opcodes.ICONST_0;
        });
    }
}
