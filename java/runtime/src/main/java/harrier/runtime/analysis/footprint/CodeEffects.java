package harrier.runtime.analysis.footprint;

import harrier.runtime.analysis.flow.Classes;
import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Classes.Method;
import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Def.Kind;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.analysis.flow.Lambda;
import harrier.runtime.analysis.flow.Library;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.analysis.flow.Types;
import harrier.runtime.analysis.footprint.Effects.Deed;
import harrier.runtime.jdk.ExternalEffect;
import harrier.runtime.jdk.JdkMethods;
import harrier.runtime.wire.Target;
import harrier.runtime.wire.TouchedField;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * What the instructions of a method do by themselves, without the methods of the program that they call.
 *
 * <p>Changing an object is writing each field that may hold it. Changes of an object that the same method made,
 * before it is put anywhere, are not seen by others, so constructors write nothing.
 */
final class CodeEffects {
    private final Reach reach;
    private final Classes classes;
    private final Escapes escapes;
    private final Objects objects;
    private final SendTargets targets;
    private final Callbacks callbacks;
    private final Code code;
    private final Effects effects = new Effects();
    /** Whether objects may be compared, sorted or printed by code outside. */
    private String compares;
    /** The methods that code outside may call. */
    private final Set<Method> called = new LinkedHashSet<>();
    private boolean callsAny;

    CodeEffects(Code code, Reach reach, Escapes escapes, Objects objects, SendTargets targets, Callbacks callbacks) {
        this.callbacks = callbacks;
        this.code = code;
        this.reach = reach;
        this.escapes = escapes;
        this.objects = objects;
        this.targets = targets;
        classes = reach.classes;
        for (int at = 0; at < code.size(); at++) {
            Val[] operands = code.operands(at);
            if (operands != null || code.def(at) != null) {
                instruction(code.instruction(at), operands == null ? new Val[0] : operands, code.site(at).at());
            }
        }
    }

    Effects effects() {
        return effects;
    }

    /** Where code outside may compare, sort or print objects; null if nowhere. */
    String compares() {
        return compares;
    }

    /** The methods of the program that code outside may call. */
    Set<Method> called() {
        return called;
    }

    /** Reports whether code outside may call all that it may call at all. */
    boolean callsAny() {
        return callsAny;
    }

    static String name(Field field) {
        return field.owner().name.replace('/', '.') + "." + field.node().name;
    }

    private void instruction(AbstractInsnNode insn, Val[] operands, String where) {
        int op = insn.getOpcode();
        if (insn instanceof FieldInsnNode access) {
            field(access, operands, where);
        } else if (insn instanceof MethodInsnNode call) {
            call(call, operands, where);
        } else if (insn instanceof InvokeDynamicInsnNode indy) {
            make(indy, operands, where);
        } else if (op >= Opcodes.IASTORE && op <= Opcodes.SASTORE) {
            change(operands[0], where);
        } else if (op == Opcodes.MONITORENTER) {
            effects.anything(where + ": locks an object");
        }
    }

    private void field(FieldInsnNode access, Val[] operands, String where) {
        Field field = classes.field(access.owner, access.name);
        int op = access.getOpcode();
        if (field == null) {
            if (op == Opcodes.PUTFIELD || op == Opcodes.PUTSTATIC) {
                effects.anything(where + ": writes " + access.name + ", which is not the program's");
            }
        } else if (op == Opcodes.GETFIELD || op == Opcodes.GETSTATIC) {
            effects.read(name(field), where);
        } else if (op == Opcodes.PUTSTATIC || !isFresh(operands[0])) {
            effects.write(name(field), where);
        }
    }

    /** Reports whether an object is one that is just being made. */
    private boolean isFresh(Val object) {
        for (Def root : object.roots()) {
            boolean made = root.kind == Kind.NEW
                || code.isConstructor() && root.kind == Kind.PARAMETER && root.at == 0;
            if (!made) {
                return false;
            }
        }
        return object.defs().length > 0;
    }

    /** A value's object is changed. */
    private void change(Val value, String where) {
        change(objects.changing(value), where);
    }

    private void change(BitSet changed, String where) {
        // Code outside does not write fields of the program's objects.
        changed.stream().filter(o -> o == Objects.UNKNOWN
                || reach.types.kind(objects.maker(o).type) == Types.Kind.OPAQUE).forEach(o -> change(o, where));
    }

    private void change(int object, String where) {
        if (object == Objects.UNKNOWN) {
            effects.write(TouchedField.ANY_FIELD, where + ": changes an object that is not followed");
        }
        objects.holders(object).forEach(f -> effects.write(name(f), where));
    }

    /** All that a value consists of is read: it is encoded. */
    private void readWhole(Val value, String where) {
        Set<String> seen = new HashSet<>();
        objects.partsOf(value).stream().forEach(o -> readParts(o, seen, where));
        for (Def root : value.roots()) {
            readFields(root.type, seen, where);
        }
    }

    private void readParts(int object, Set<String> seen, String where) {
        Def maker = objects.maker(object);
        if (maker == null) {
            effects.read(TouchedField.ANY_FIELD, where + ": reads an object that is not followed");
        } else if (maker.kind == Kind.PARAMETER && maker.code.quorumElement != null) {
            readFields(maker.code.quorumElement, seen, where);
        } else {
            readFields(maker.type, seen, where);
        }
    }

    private void readFields(String type, Set<String> seen, String where) {
        String top = Types.name(type);
        if (reach.types.kind(type) == Types.Kind.VALUE || !classes.has(top) || !seen.add(top)
                || classes.isSubtype(top, Classes.ACTOR)) {
            return;
        }
        for (String c : classes.family(top)) {
            for (String up : classes.has(c) ? classes.lineage(c) : List.<String>of()) {
                for (Field f : classes.instanceFields(up)) {
                    effects.read(name(f), where);
                    readFields(f.node().desc, seen, where);
                    objects.inField(f).stream().forEach(o -> {
                        if (objects.maker(o) != null && seen.add("object " + o)) {
                            readParts(o, seen, where);
                        }
                    });
                }
            }
        }
    }

    private void call(MethodInsnNode call, Val[] operands, String where) {
        if (escapes.foundFunctions(operands, false)) {
            effects.anything(where + ": uses a function that was made elsewhere");
        }
        boolean outside = reach.targets(call).others() && reach.lambdas(call).isEmpty();
        if (!outside) {
            return;
        }
        String base = classes.has(call.owner) ? classes.foreignSuper(call.owner) : call.owner;
        if (base.equals(Classes.ACTOR) && !call.name.equals("<init>")) {
            actor(call, operands, where);
        } else {
            foreign(call, base, operands, where);
        }
    }

    private void actor(MethodInsnNode call, Val[] operands, String where) {
        switch (call.name) {
            case "send" -> send(operands[1], operands[2], where);
            case "reply" -> {
                message(operands[1], Set.of(new SendTargets.Origin(Target.TO_SENDER, null, "")), where);
            }
            case "create" -> {
                effects.deeds.add(Deed.CREATES);
                readWhole(operands[2], where);
            }
            case "stop" -> effects.deeds.add(Deed.STOPS);
            case "invoked", "returned" -> {
                effects.deeds.add(Deed.RECORDS);
                readWhole(operands[1], where);
            }
            case "setTimer", "cancelTimer" -> {
                agenda(where, true);
                readWhole(operands[1], where);
            }
            case "eventLoop" -> agenda(where, true);
            case "clock" -> agenda(where, false);
            case "choose", "self", "start", "getClass", "hashCode", "equals", "toString" -> { }
            default -> effects.anything(where + ": calls " + call.name);
        }
    }

    private void agenda(String where, boolean changes) {
        effects.read(TouchedField.AGENDA, where);
        if (changes) {
            effects.write(TouchedField.AGENDA, where);
        }
    }

    private void send(Val to, Val message, String where) {
        message(message, targets.of(to), where);
        for (Def root : to.roots()) {
            if (root.kind == Kind.LAMBDA || classes.has(Types.name(root.type))) {
                effects.anything(where + ": asks an iterator of the program's own for names");
            }
        }
    }

    private void message(Val message, Set<SendTargets.Origin> receivers, String where) {
        readWhole(message, where);
        for (String type : targets.types(message)) {
            for (SendTargets.Origin o : receivers) {
                String why = o.to() == Target.TO_ANYBODY ? where + ": sends " + o.why() : where;
                effects.send(type, o.to(), o.field() == null ? "" : name(o.field()),
                    type.isEmpty() ? why + ", a message whose class is not known" : why);
            }
        }
    }

    private void foreign(MethodInsnNode call, String base, Val[] operands, String where) {
        callBack(operands);
        String what = where + ": calls " + classes.shown(base) + "." + call.name;
        if (ExternalEffect.ofAgenda(base, call.name) || ExternalEffect.tellsTime(base, call.name)) {
            agenda(where, !call.name.equals("instant"));
        }
        if (Library.prints(call) || base.equals("java/util/logging/Logger")) {
            compares = compares == null ? what : compares;
            return;
        }
        for (int i = 0; i < operands.length; i++) {
            if (Objects.takesFunction(call, i)) {
                changeOpaque(operands[i], where); // it is called, and may be an object of the JDK that changes by that
            }
        }
        boolean makes = call.name.equals("<init>"); // nobody else has the object yet
        JdkMethods.Method method = JdkMethods.of(base, call.name, call.desc);
        if (method.changesResults()) {
            changeResults(operands, where);
        }
        look(method.sees(), escapes.hasObjects(makes ? Arrays.copyOfRange(operands, 1, operands.length) : operands),
            what);
        if (method.does() == JdkMethods.Deed.CHANGES && !makes) {
            for (int i = 0; i < (method.changesItself() ? 1 : operands.length); i++) {
                changeOpaque(operands[i], where);
            }
        } else if (method.does() == JdkMethods.Deed.GIVES && operands.length > 0
                && (objects.hasOrderByAccess() || isKept(operands[0]))) {
            changeOpaque(operands[0], where);
        }
    }

    /** What functions give is changed, and methods of it are called. */
    private void changeResults(Val[] functions, String where) {
        BitSet results = objects.results(functions);
        change(objects.changing(results), where);
        callBack(results);
    }

    private void callBack(Val[] operands) {
        for (Val v : callbacks.isEmpty() ? new Val[0] : operands) {
            callBack(objects.partsOf(v));
        }
    }

    private void callBack(BitSet parts) {
        if (callbacks.mayBeAny(parts, objects)) {
            callsAny = true;
        } else {
            called.addAll(callbacks.of(parts, objects));
        }
    }

    private void look(ExternalEffect effect, boolean hasObjects, String what) {
        if (effect == ExternalEffect.ALL || effect == ExternalEffect.FUNCTIONS && hasObjects) {
            effects.anything(what);
        } else if (effect == ExternalEffect.OBJECTS && hasObjects && compares == null) {
            compares = what;
        }
    }

    private void changeOpaque(Val value, String where) {
        for (Def root : value.roots()) {
            if (reach.types.kind(root.type) == Types.Kind.OPAQUE && root.kind != Kind.LAMBDA) {
                change(value, where);
                return;
            }
        }
    }

    /** Reports whether an iterator is one that a field keeps. */
    private boolean isKept(Val iterator) {
        return iterator.roots().stream().anyMatch(r -> r.kind == Kind.FIELD && r.type.endsWith("Iterator;"));
    }

    private void make(InvokeDynamicInsnNode indy, Val[] operands, String where) {
        Lambda lambda = Lambda.of(indy);
        if (lambda == null) {
            if (indy.bsm.getOwner().equals("java/lang/runtime/ObjectMethods")) {
                classes.instanceFields(code.method.owner().name).forEach(f -> effects.read(name(f), where));
            }
            look(ExternalEffect.of(indy.bsm), escapes.hasObjects(operands), where + ": compares or prints");
            return;
        }
        if (escapes.foundFunctions(operands, false)) {
            effects.anything(where + ": uses a function that was made elsewhere");
        }
        if (reach.implementations(lambda).isEmpty()) {
            refer(lambda, operands, where);
        }
    }

    /** A reference to a method outside. */
    private void refer(Lambda lambda, Val[] captured, String where) {
        callBack(captured);
        Handle h = lambda.implementation();
        boolean isStatic = h.getTag() == Opcodes.H_INVOKESTATIC || h.getTag() == Opcodes.H_NEWINVOKESPECIAL;
        MethodInsnNode call = new MethodInsnNode(Opcodes.INVOKEVIRTUAL, h.getOwner(), h.getName(), h.getDesc(),
            h.isInterface());
        String base = classes.has(h.getOwner()) ? classes.foreignSuper(h.getOwner()) : h.getOwner();
        String what = where + ": calls " + classes.shown(base) + "." + h.getName();
        JdkMethods.Method method = JdkMethods.of(base, h.getName(), h.getDesc());
        boolean changes = method.does() == JdkMethods.Deed.CHANGES && escapes.takesObjects(call, isStatic);
        if (base.equals(Classes.ACTOR) || escapes.takesFunctions(call, false)
                || changes && (!method.changesItself() || captured.length == 0) && !h.getName().equals("<init>")) {
            effects.anything(what);
            return;
        }
        look(method.sees(), escapes.takesObjects(call, isStatic), what);
        if (changes && captured.length > 0) {
            change(captured[0], where);
        }
    }
}
