package harrier.runtime.analysis.flow;

import harrier.runtime.analysis.flow.Classes.Method;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.load.rewrite.Liveness;
import harrier.runtime.load.rewrite.WaitingCalls;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/** A method that may run, and where the values in it come from. */
public final class Code {
    public static final int STEPS = 1;
    public static final int PROPERTIES = 2;
    public static final int CONSTRUCTORS = 4;

    public final Method method;
    public final Control control;
    /** {@code this}, if there is one, and the parameters. */
    public final List<Def> parameters = new ArrayList<>();
    /** What the method returns. */
    public final Def result;
    /** The node of the method being called. */
    public int entry;
    /** The contexts in which it may run, of the three below; other code is part of the set-up only. */
    private int parts;
    /** Whether the runtime calls it with a message: a handler, or a guard. */
    public boolean handler;
    /** If it is called with several messages, their type; else null. */
    public String quorumElement;
    /** Whether these may come as a set, which compares them. */
    public boolean isSet;
    /** What the method may call, itself; for finding recursion. */
    public final List<Code> callees = new ArrayList<>();
    public int component;

    /** By instruction: what a frame of a thread keeps that leaves the method there. */
    private final Map<Integer, List<Val>> kept = new HashMap<>();
    private final Val[][] operands;
    private final Def[] defs;
    private final int[] lines;
    private final String shown;

    /** @param waiting which instructions may wait; null if the program has no threads */
    Code(Method method, Classes classes, WaitingCalls waiting) throws AnalyzerException {
        this.method = method;
        int size = method.node().instructions.size();
        operands = new Val[size][];
        defs = new Def[size];
        lines = lines();
        shown = shown(classes);
        if (!method.is(Opcodes.ACC_STATIC)) {
            parameters.add(new Def(Def.Kind.PARAMETER, 0, "L" + method.owner().name + ";", this));
        }
        for (Type t : Type.getArgumentTypes(method.node().desc)) {
            parameters.add(new Def(Def.Kind.PARAMETER, parameters.size(), t.getDescriptor(), this));
        }
        result = new Def(Def.Kind.RESULT, 0, Type.getReturnType(method.node().desc).getDescriptor(), this);
        control = new Control(method.node());
        Frame<Val>[] frames = new Analyzer<>(new Flow(this)).analyze(method.owner().name, method.node());
        if (waiting != null) {
            findKept(frames, waiting);
        }
    }

    private void findKept(Frame<Val>[] frames, WaitingCalls waiting) {
        Liveness live = new Liveness(method.node());
        for (int at = 0; at < frames.length; at++) {
            Frame<Val> frame = frames[at];
            if (frame == null || !waiting.mayLeave(instruction(at))) {
                continue;
            }
            List<Val> values = new ArrayList<>();
            int taken = operands[at] == null || waiting.mayPreempt(instruction(at)) ? 0 : operands[at].length;
            for (int i = 0; i < frame.getStackSize() - taken; i++) {
                values.add(frame.getStack(i));
            }
            BitSet read = live.after(instruction(at));
            for (int i = 0; i < frame.getLocals(); i++) {
                if (read.get(i) || i == 0 && !method.is(Opcodes.ACC_STATIC)) {
                    values.add(frame.getLocal(i));
                }
            }
            kept.put(at, values);
        }
    }

    public boolean isIn(int part) {
        return (parts & part) != 0;
    }

    /** Notes the contexts in which it may run; returns whether some are new. */
    boolean runsIn(int more) {
        int before = parts;
        parts |= more;
        return parts != before;
    }

    int parts() {
        return parts;
    }

    public AbstractInsnNode instruction(int at) {
        return method.node().instructions.get(at);
    }

    public int size() {
        return operands.length;
    }

    /** What an instruction takes; null if it is never reached or takes nothing. */
    public Val[] operands(int at) {
        return operands[at];
    }

    /** The values in variables and on the operand stack that are read after an instruction at which a thread may leave the method, and {@code this}. */
    public List<Val> kept(int at) {
        return kept.getOrDefault(at, List.of());
    }

    void setOperands(int at, Val... values) {
        operands[at] = values;
    }

    /** What an instruction gives; null if nothing. */
    public Def def(int at) {
        return defs[at];
    }

    Def define(int at, Def.Kind kind, String type) {
        if (defs[at] == null) {
            defs[at] = new Def(kind, at, type, this);
        }
        return defs[at];
    }

    public boolean isConstructor() {
        return method.node().name.equals("<init>");
    }

    public boolean isLambda() {
        return method.is(Opcodes.ACC_SYNTHETIC) && method.node().name.startsWith("lambda$");
    }

    public Site site(int at) {
        return new Site(shown, method.owner().sourceFile, lines[at]);
    }

    /** Where the method begins. */
    public Site start() {
        int at = 0;
        while (at < lines.length - 1 && lines[at] == 0) {
            at++;
        }
        return site(at);
    }

    private int[] lines() {
        int[] found = new int[operands.length];
        int line = 0;
        for (int i = 0; i < found.length; i++) {
            if (method.node().instructions.get(i) instanceof LineNumberNode l) {
                line = l.line;
            }
            found[i] = line;
        }
        return found;
    }

    private String shown(Classes classes) {
        String type = classes.shown(method.owner().name);
        String name = method.node().name;
        if (isConstructor()) {
            return type + "'s constructor";
        }
        if (isLambda()) {
            String[] parts = name.split("\\$");
            return "a lambda in " + type + (parts.length > 2 && !parts[1].equals("new") ? "." + parts[1] : "");
        }
        List<String> types = new ArrayList<>();
        for (Type t : Type.getArgumentTypes(method.node().desc)) {
            String full = t.getClassName();
            types.add(t.getSort() == Type.OBJECT ? classes.shown(t.getInternalName())
                : full.substring(full.lastIndexOf('.') + 1));
        }
        return type + "." + name + "(" + String.join(", ", types) + ")";
    }
}
