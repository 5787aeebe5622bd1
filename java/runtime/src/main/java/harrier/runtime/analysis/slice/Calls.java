package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Classes;
import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Classes.Method;
import harrier.runtime.analysis.flow.Classes.Targets;
import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Def.Kind;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.analysis.flow.Lambda;
import harrier.runtime.analysis.flow.Library;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.analysis.flow.Types;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Draws the edges of calls: within the program, to the API, and of lambdas. {@link ForeignCalls} has the others. */
final class Calls {
    private final Edges edges;
    private final boolean timersInOrder;
    private final Graph graph;
    private final Heap heap;
    private final Reach reach;
    private final Types types;
    private final ForeignCalls foreign;
    private final Set<String> sent = new LinkedHashSet<>();

    /** @param timersInOrder whether durations decide which timer may fire */
    Calls(Edges edges, QuorumMessages quorumMessages, boolean timersInOrder) {
        this.timersInOrder = timersInOrder;
        this.edges = edges;
        graph = edges.graph;
        heap = edges.heap;
        reach = edges.reach;
        types = edges.types;
        foreign = new ForeignCalls(edges, this, quorumMessages, timersInOrder);
    }

    Set<String> sent() {
        return sent;
    }

    void call(Spot spot, MethodInsnNode call, Val[] operands) {
        Targets targets = reach.targets(call);
        Set<Def> lambdas = reach.lambdas(call);
        if (targets.methods().isEmpty() && lambdas.isEmpty()) {
            outside(spot, call, operands);
            return;
        }
        boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
        if (lambdas.isEmpty() && targets.methods().size() == 1 && !targets.others() && !isStatic) {
            Field got = gotten(targets.methods().get(0));
            if (got != null) {
                edges.read(spot, got, operands[0]);
                return;
            }
        }
        if (!isStatic) {
            edges.dereference(spot, operands[0]);
        }
        boolean several = targets.methods().size() + lambdas.size() + (targets.others() ? 1 : 0) > 1;
        if (several && spot.def() != null) {
            values(operands[0], spot.def().value, spot);
        }
        for (Method m : targets.methods()) {
            Code code = reach.code(m);
            enter(spot, code);
            if (several) {
                values(operands[0], code.entry, spot);
            }
            pass(spot, operands, 0, code, 0);
        }
        for (Def made : lambdas) {
            throughInterface(spot, Lambda.of(made), operands);
        }
        if (targets.others()) {
            outside(spot, call, operands);
        }
    }

    /** A call through a functional interface of the program may run a lambda. */
    private void throughInterface(Spot spot, Lambda lambda, Val[] operands) {
        List<Method> methods = reach.implementations(lambda);
        for (Method m : methods) {
            Code code = reach.code(m);
            enter(spot, code);
            values(operands[0], code.entry, spot);
            pass(spot, operands, 1, code, lambda.first());
        }
        if (methods.isEmpty()) {
            foreign.unknown(spot, lambda.implementation().getName(), operands);
        }
    }

    private void values(Val from, int to, Spot spot) {
        for (Def d : from.defs()) {
            graph.edge(d.value, to, null, spot.site(), false);
        }
    }

    private void enter(Spot spot, Code code) {
        graph.edge(spot.effect(), code.entry, null, spot.site(), false);
        if (code.component == spot.code().component) {
            edges.relevant(spot, spot.effect(), "decides how deep a recursion goes", true);
        }
    }

    /** Operands become parameters, and the result comes back. */
    private void pass(Spot spot, Val[] operands, int from, Code code, int to) {
        for (int i = from; i < operands.length && to + i - from < code.parameters.size(); i++) {
            edges.flow(spot, operands[i], code.parameters.get(to + i - from), null);
        }
        if (spot.def() != null) {
            edges.flow(spot, code.result.read(), spot.def(), null);
        }
    }

    /** The field that a method gives, if it does nothing else. */
    private Field gotten(Method method) {
        int step = 0;
        Field field = null;
        for (AbstractInsnNode insn : method.node().instructions) {
            if (insn.getOpcode() < 0) {
                continue;
            }
            boolean fits = switch (step++) {
                case 0 -> insn instanceof VarInsnNode v && v.getOpcode() == Opcodes.ALOAD && v.var == 0;
                case 1 -> insn instanceof FieldInsnNode f && f.getOpcode() == Opcodes.GETFIELD
                    && (field = reach.classes.field(f.owner, f.name)) != null;
                case 2 -> insn.getOpcode() >= Opcodes.IRETURN && insn.getOpcode() <= Opcodes.ARETURN;
                default -> false;
            };
            if (!fits) {
                return null;
            }
        }
        return step == 3 ? field : null;
    }

    private void outside(Spot spot, MethodInsnNode call, Val[] operands) {
        String base = reach.classes.has(call.owner) ? reach.classes.foreignSuper(call.owner) : call.owner;
        boolean isNew = call.name.equals("<init>");
        if (Classes.ACTOR.equals(base) && !isNew && isActorMethod(call.name)) {
            actor(spot, call.name, operands);
        } else if (Classes.SCENARIO.equals(base) && !isNew) {
            scenario(call.name, operands);
        } else {
            foreign.call(spot, call, base, operands);
        }
    }

    private static boolean isActorMethod(String name) {
        return Set.of("send", "reply", "create", "choose", "invoked", "returned", "self", "start", "onRestart", "setTimer",
            "cancelTimer", "stop", "watch", "unwatch", "disconnect", "eventLoop", "clock").contains(name);
    }

    private void actor(Spot spot, String name, Val[] operands) {
        switch (name) {
            case "send" -> {
                receiver(spot, operands[1], shown(operands[2]));
                iterated(spot, operands[1]);
                message(spot, operands[2]);
            }
            case "reply" -> message(spot, operands[1]);
            case "create" -> {
                String what = shown(operands[2]);
                edges.relevant(spot, spot.effect(), "decides whether " + what + " is created", false);
                edges.relevant(spot, operands[1], "decides in which role " + what + " is created", false);
                edges.relevant(spot, operands[2], "decides which " + what + " is created", false);
            }
            case "choose" -> {
                edges.relevant(spot, spot.effect(), "decides whether choose is called", false);
                edges.relevant(spot, operands[1], "decides among how many alternatives choose chooses", false);
            }
            case "invoked", "returned" -> {
                edges.relevant(spot, spot.effect(), "decides whether " + name + " is recorded", false);
                edges.wholeRelevant(spot, operands[1], "is recorded in the history", false);
            }
            case "setTimer", "cancelTimer" -> timer(spot, name, operands);
            case "watch", "unwatch", "disconnect" -> {
                edges.relevant(spot, spot.effect(), "decides whether " + name + " is called", false);
                edges.relevant(spot, operands[1], "decides of whom " + name + " is called", false);
            }
            case "stop" -> edges.relevant(spot, spot.effect(), "decides whether the actor stops", false);
            // It starts the actor, with all that start does.
            case "onRestart" -> edges.relevant(spot, spot.effect(), "decides whether start is called", false);
            // An event loop or a clock by itself shows nothing; the methods called on them are not known.
            case "eventLoop", "clock" -> { }
            case "self" -> {
                if (spot.code().isIn(Code.CONSTRUCTORS)) {
                    edges.mayThrow(spot); // there is no name yet
                }
            }
            default -> { }
        }
    }

    private void receiver(Spot spot, Val to, String what) {
        String phrase = "decides to whom " + what + " is sent";
        edges.relevant(spot, to, phrase, false);
        for (Def d : to.defs()) {
            edges.relevant(spot, d.object, phrase, false);
        }
    }

    /** Receivers that the program gives by an iterator of its own: its code runs, and is not looked at. */
    private void iterated(Spot spot, Val to) {
        for (Def r : to.roots()) {
            if (r.kind == Kind.LAMBDA || reach.classes.has(Types.name(r.type))) {
                foreign.unknown(spot, "iterator", new Val[] {to});
                return;
            }
        }
    }

    /** A message is sent. Its fields are relevant where somebody reads them. */
    private void message(Spot spot, Val message) {
        String what = shown(message);
        edges.relevant(spot, spot.effect(), "decides whether " + what + " is sent", false);
        edges.relevant(spot, message, "decides which " + what + " is sent", false);
        for (Def d : message.defs()) {
            edges.relevant(spot, d.object, "is sent", false);
        }
        noteSent(message);
    }

    /** A timer is compared with others by content, so all of it is relevant. Its durations are where timers fire in order. */
    private void timer(Spot spot, String name, Val[] operands) {
        edges.relevant(spot, spot.effect(), "decides whether " + name + " is called", false);
        edges.wholeRelevant(spot, operands[1], "tells a timer from others", false);
        for (int i = 2; i < operands.length; i++) {
            edges.dereference(spot, operands[i]);
            if (timersInOrder) {
                edges.relevant(spot, operands[i], "decides when a timer fires", false);
            }
        }
        noteSent(operands[1]);
    }

    private void noteSent(Val message) {
        for (Def r : message.roots()) {
            if (types.kind(r.type) == Types.Kind.PROGRAM) {
                sent.add(Types.name(r.type));
            }
        }
    }

    /** What to call a value: its type, if there is one name for it. */
    private String shown(Val value) {
        Set<String> names = new LinkedHashSet<>();
        for (Def r : value.roots()) {
            names.add(r.type.startsWith("L") && !r.type.equals("Ljava/lang/Object;")
                ? reach.classes.shown(Types.name(r.type)) : "a message");
        }
        return String.join(" or ", names);
    }

    /** The set-up is fixed, so nothing in it depends on anything; elsewhere the scenario only gives actors. */
    private void scenario(String name, Val[] operands) {
        if (name.equals("send") && operands.length == 3) {
            noteSent(operands[2]);
        }
    }

    void dynamic(Spot spot, InvokeDynamicInsnNode insn, Val[] operands) {
        Lambda lambda = Lambda.of(insn);
        String bootstrap = insn.bsm.getOwner();
        if (lambda != null) {
            capture(spot, lambda, operands);
        } else if (Library.isConcatenation(insn)) {
            for (Val v : operands) {
                print(spot, v, spot.def().value);
            }
        } else if (bootstrap.equals("java/lang/runtime/ObjectMethods")) {
            ofRecord(spot, insn.name, operands);
        } else if (bootstrap.equals("java/lang/runtime/SwitchBootstraps")) {
            values(operands[0], spot.def().value, spot);
        } else {
            foreign.unknown(spot, insn.name, operands);
        }
    }

    private void capture(Spot spot, Lambda lambda, Val[] operands) {
        List<Method> methods = reach.implementations(lambda);
        if (methods.isEmpty()) {
            foreign.look(spot, lambda.implementation().getOwner(), lambda.implementation().getName(), lambda.implementation().getDesc());
        }
        int shift = lambda.implementation().getTag() == Opcodes.H_NEWINVOKESPECIAL ? 1 : 0;
        for (Method m : methods) {
            Code code = reach.code(m);
            for (int i = 0; i < operands.length; i++) {
                edges.flow(spot, operands[i], code.parameters.get(i + shift), null);
            }
        }
        for (Val v : operands) {
            values(v, spot.def().value, spot);
            if (methods.isEmpty()) {
                edges.wholeRelevant(spot, v, "goes to " + lambda.implementation().getName()
                    + ", which is not known here", true);
            }
            if (reach.classes.has(lambda.type())) {
                edges.whole(v, heap.reachable(lambda.type()), null, spot.site());
                edges.whole(v, heap.contents(lambda.type()), null, spot.site());
            }
        }
    }

    /**
     * A function that was handed to a method outside is called there.
     *
     * @param hub the node of what that method was given
     * @param known whether its result is only kept
     */
    void callback(Spot spot, Def made, int hub, boolean known) {
        Lambda lambda = Lambda.of(made);
        for (Method m : reach.implementations(lambda)) {
            Code code = reach.code(m);
            enter(spot, code);
            graph.edge(hub, code.entry, null, spot.site(), false);
            for (int i = lambda.first(); i < code.parameters.size(); i++) {
                Def p = code.parameters.get(i);
                graph.edge(hub, p.value, null, spot.site(), false);
                if (p.object >= 0) {
                    edges.alias(p.object, hub, null, spot.site());
                }
            }
            edges.into(spot, code.result.read(), hub);
            if (!known) {
                escape(spot, made);
            }
        }
    }

    /** A function gets where its calls are not seen. Who calls it is known to be relevant, with what it is given. */
    void escape(Spot spot, Def made) {
        Lambda lambda = Lambda.of(made);
        if (reach.classes.has(lambda.type())) {
            return;
        }
        for (Method m : reach.implementations(lambda)) {
            Code code = reach.code(m);
            for (int i = lambda.first(); i < code.parameters.size(); i++) {
                edges.relevant(spot, code.parameters.get(i).object, "is changed by a function that is handed on", true);
            }
            edges.wholeRelevant(spot, code.result.read(), "is what a function gives that is handed on", true);
        }
    }

    /** What the compiler makes of a record's equals, hashCode and toString. */
    private void ofRecord(Spot spot, String name, Val[] operands) {
        ClassNode record = spot.code().method.owner();
        String type = "L" + record.name + ";";
        for (Field f : reach.classes.instanceFields(record.name)) {
            int place = heap.place(f).value;
            graph.edge(place, spot.def().value, Edges.READ, spot.site(), false);
            if (spot.code().isIn(Code.PROPERTIES)) {
                graph.edge(place, Graph.PROPERTIES, Edges.READ + ", for a property", spot.site(), false);
            }
        }
        for (Val v : operands) {
            edges.whole(v, spot.def().value, null, spot.site());
        }
        if (!(name.equals("toString") ? types.prints(type) : types.hashes(type))) {
            foreign.unknown(spot, name, operands);
        }
    }

    /** A value's text shows in a node. */
    void print(Spot spot, Val value, int to) {
        values(value, to, spot);
        for (Def root : value.roots()) {
            if (types.kind(root.type) == Types.Kind.OPAQUE) {
                foreign.unknown(spot, "toString", new Val[] {value});
                edges.whole(value, to, null, spot.site());
            }
        }
        for (Method m : reach.printers(value)) {
            Code code = reach.code(m);
            enter(spot, code);
            edges.flow(spot, value, code.parameters.get(0), null);
            graph.edge(code.result.value, to, null, spot.site(), false);
        }
    }
}
