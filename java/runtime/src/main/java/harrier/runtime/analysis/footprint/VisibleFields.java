package harrier.runtime.analysis.footprint;

import harrier.runtime.analysis.flow.Classes;
import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Classes.Method;
import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.analysis.flow.Lambda;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.jdk.ExternalEffect;
import harrier.runtime.jdk.JdkMethods;
import harrier.runtime.load.rewrite.FieldReads;
import harrier.runtime.wire.FieldNumber;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Which fields a property may read: those that code reads which it may run. What others have done to an object
 * does not matter, so this needs no data flow, but of functions: those that a property did not make itself may
 * be any of the program's.
 *
 * <p>Code outside of the program reads no field of its own accord. It may call methods of its arguments
 * ({@link ExternalEffect}), and these are read like the property itself.
 */
public final class VisibleFields {
    private final Reach reach;
    private final Classes classes;
    private final Map<String, String> read = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private final Deque<Method> work = new ArrayDeque<>();
    private final Escapes escapes;
    private final Callbacks callbacks;
    /** All that code outside may do with its arguments, as known so far. */
    private ExternalEffect external = ExternalEffect.NOTHING;
    /** Whether actors get hold of their event loops or clocks, which have an equals and a text of their own. */
    private boolean usesAgenda;
    private boolean agenda;
    private String all;

    /** Finds the fields that a property may read, given the methods that evaluate it. */
    public VisibleFields(Reach reach, Collection<Method> property, Callbacks callbacks, Escapes escapes) {
        this.escapes = escapes;
        this.callbacks = callbacks;
        this.reach = reach;
        classes = reach.classes;
        reach.codes().forEach(this::find);
        work.addAll(property);
        callBack(false);
        while (!work.isEmpty() && all == null) {
            Method m = work.poll();
            if (seen.add(m.key())) {
                visit(m);
            }
        }
    }

    /** Where a field may be read, as file and line; empty if it is not. */
    public String of(Field field) {
        return all != null ? all : read.getOrDefault(field.key(), "");
    }

    /** What {@link FieldReads} calls the fields that may be read, of whatever object; ascending. */
    public List<Integer> numbers() {
        if (all != null) {
            return List.of(FieldNumber.ANY);
        }
        Set<Integer> numbers = new TreeSet<>();
        for (String key : read.keySet()) {
            int dot = key.lastIndexOf('.');
            numbers.add(FieldReads.number(key.substring(0, dot), key.substring(dot + 1)));
        }
        return List.copyOf(numbers);
    }

    /** Reports whether timers, tasks and the clock may be seen. */
    public boolean ofAgenda() {
        return agenda || all != null;
    }

    private void visit(Method method) {
        if (method.is(Opcodes.ACC_NATIVE)) {
            all = method.owner().sourceFile + ": calls " + method.node().name + ", which is native";
        }
        Code code = reach.known(method);
        int line = 0;
        for (int at = 0; at < method.node().instructions.size(); at++) {
            AbstractInsnNode insn = method.node().instructions.get(at);
            if (insn instanceof LineNumberNode l) {
                line = l.line;
            }
            String where = method.owner().sourceFile + ":" + line;
            Val[] operands = code == null ? null : code.operands(at);
            if (insn instanceof FieldInsnNode f && f.getOpcode() == Opcodes.GETFIELD) {
                Field field = classes.field(f.owner, f.name);
                if (field != null) {
                    read.putIfAbsent(field.key(), where);
                }
            } else if (insn instanceof MethodInsnNode call) {
                work.addAll(reach.targets(call).methods());
                reach.lambdas(call).forEach(made -> work.addAll(reach.implementations(Lambda.of(made))));
                call(call, operands, where);
            } else if (insn instanceof InvokeDynamicInsnNode indy) {
                make(method, indy, operands, where);
            }
        }
    }

    private void call(MethodInsnNode call, Val[] operands, String where) {
        boolean outside = reach.targets(call).methods().isEmpty() || reach.targets(call).others();
        if (operands != null ? escapes.foundFunctions(operands, outside) : escapes.takesFunctions(call, outside)) {
            see(ExternalEffect.FUNCTIONS, "is given a function", where);
        }
        if (outside && reach.lambdas(call).isEmpty()) {
            String base = classes.has(call.owner) ? classes.foreignSuper(call.owner) : call.owner;
            agenda |= ExternalEffect.ofAgenda(base, call.name);
            ExternalEffect more = JdkMethods.of(base, call.name, call.desc).sees();
            if (more == ExternalEffect.ALL
                    || (operands == null ? escapes.takesObjects(call, call.getOpcode() == Opcodes.INVOKESTATIC)
                    : escapes.hasObjects(operands))) {
                see(more, "calls " + classes.shown(base) + "." + call.name, where);
            }
        }
    }

    private void make(Method method, InvokeDynamicInsnNode indy, Val[] operands, String where) {
        Lambda lambda = Lambda.of(indy);
        if (lambda == null) {
            if (indy.bsm.getOwner().equals("java/lang/runtime/ObjectMethods")) {
                classes.instanceFields(method.owner().name).forEach(f -> read.putIfAbsent(f.key(), where));
            }
            if (operands == null || escapes.hasObjects(operands)) {
                see(ExternalEffect.of(indy.bsm), "compares or prints", where);
            }
            return;
        }
        work.addAll(reach.implementations(lambda));
        var h = lambda.implementation();
        int opcode = h.getTag() == Opcodes.H_INVOKESTATIC ? Opcodes.INVOKESTATIC : Opcodes.INVOKEVIRTUAL;
        call(new MethodInsnNode(opcode, h.getOwner(), h.getName(), h.getDesc(), h.isInterface()), null, where);
    }

    /** Code outside may do this much with objects of the program. */
    private void see(ExternalEffect more, String what, String where) {
        if (more == ExternalEffect.ALL) {
            all = where + ": " + what;
        }
        if (more.compareTo(external) <= 0) {
            return;
        }
        for (Code code : List.copyOf(reach.codes())) {
            if (code.isConstructor()) {
                object(code.method.owner().name, where + ": " + what);
            }
        }
        for (Lambda f : escapes.functions()) {
            if (more != ExternalEffect.OBJECTS || escapes.mayCompare(f)) {
                work.addAll(reach.implementations(f));
            }
        }
        if (more != ExternalEffect.OBJECTS) {
            callBack(true);
        }
        agenda |= usesAgenda || more != ExternalEffect.OBJECTS;
        external = more;
    }

    /** What code outside may call of its own accord, of the objects that the program makes. */
    private void callBack(boolean callsFunctions) {
        reach.codes().stream().filter(Code::isConstructor)
            .forEach(c -> work.addAll(callbacks.of(c.method.owner().name, callsFunctions)));
    }

    /** The methods of an object that comparing, sorting and printing calls. */
    private void object(String type, String where) {
        for (String c : classes.lineage(type)) {
            for (MethodNode m : classes.node(c).methods) {
                if (ExternalEffect.CALLED.contains(m.name)) {
                    work.add(new Method(classes.node(c), m));
                }
            }
            if (classes.isRecord(c)) {
                classes.instanceFields(c).forEach(f -> read.putIfAbsent(f.key(), where));
            }
        }
    }

    private void find(Code code) {
        for (int at = 0; at < code.size(); at++) {
            if (code.instruction(at) instanceof MethodInsnNode call) {
                usesAgenda |= classes.isSubtype(call.owner, Classes.ACTOR)
                    && (call.name.equals("eventLoop") || call.name.equals("clock"));
            }
        }
    }
}
