package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Classes;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Def.Kind;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.analysis.flow.Lambda;
import harrier.runtime.analysis.flow.Library;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.analysis.flow.Types;
import harrier.runtime.jdk.ExternalEffect;
import harrier.runtime.jdk.JdkMethods;
import java.util.Set;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Draws the edges of calls to methods outside of the program: those in {@link Library}, and all others. */
final class ForeignCalls {
    private static final Set<String> BASES = Set.of("java/lang/Object", "java/lang/Record", "java/lang/Enum",
        Classes.ACTOR, Classes.SCENARIO);
    /** Methods of Object that nobody can override. */
    private static final Set<String> OF_MONITORS = Set.of("wait()V", "wait(J)V", "wait(JI)V", "notify()V", "notifyAll()V");
    private static final Set<String> OF_OBJECT = Set.of("equals", "hashCode", "toString");

    private final Edges edges;
    private final QuorumMessages quorumMessages;
    private final Durations durations;
    private final boolean timersInOrder;
    private final Graph graph;
    private final Heap heap;
    private final Reach reach;
    private final Types types;
    private final Stores stores;
    private final Containers containers;
    private final Calls calls;

    ForeignCalls(Edges edges, Calls calls, QuorumMessages quorumMessages, boolean timersInOrder) {
        this.quorumMessages = quorumMessages;
        this.timersInOrder = timersInOrder;
        this.edges = edges;
        this.calls = calls;
        graph = edges.graph;
        heap = edges.heap;
        reach = edges.reach;
        types = edges.types;
        stores = edges.stores;
        containers = edges.containers;
        durations = new Durations(stores);
    }

    /**
     * A call that leads out of the program.
     *
     * @param base the class that has the method: the call's, or the first superclass outside
     */
    void call(Spot spot, MethodInsnNode call, String base, Val[] operands) {
        boolean known = call.name.equals("<init>") ? construct(spot, call, base, operands)
            : call.getOpcode() == Opcodes.INVOKESTATIC ? ofClass(spot, call, operands)
            : quorumMessages.call(spot, call, operands) || ofObject(spot, call, base, operands);
        if (!known) {
            String owner = call.owner.substring(call.owner.lastIndexOf('/') + 1).replace('$', '.');
            unknown(spot, call.name.equals("<init>") ? "new " + owner : owner + "." + call.name,
                isDelayed(call, operands) && !timersInOrder ? withoutDelay(operands) : withoutTasks(spot, call, operands));
            look(spot, base, call.name, call.desc);
        }
    }

    /**
     * Reports whether a call schedules a task on an event loop. Where tasks run at any moment, nothing depends on the
     * delay.
     */
    private boolean isDelayed(MethodInsnNode call, Val[] operands) {
        return call.name.startsWith("schedule") && call.desc.startsWith("J", call.desc.indexOf(';') + 1)
            && stores.isOnly(operands[0], "Lharrier/EventLoop;");
    }

    private static Val[] withoutDelay(Val[] operands) {
        return IntStream.range(0, operands.length).filter(i -> i != 2).mapToObj(i -> operands[i]).toArray(Val[]::new);
    }

    /**
     * All operands but objects of the program that a method outside takes as functions: it keeps and calls them, and does nothing
     * else with them. In a program with threads it is known where these calls lead ({@link Criterion}).
     */
    private Val[] withoutTasks(Spot spot, MethodInsnNode call, Val[] operands) {
        Type[] takes = Type.getArgumentTypes(call.desc);
        int first = operands.length - takes.length;
        return reach.waiting == null ? operands : IntStream.range(0, operands.length).filter(i -> {
            boolean isTask = i >= first && ExternalEffect.isFunction(Types.name(takes[i - first].getDescriptor()))
                && operands[i].roots().stream().allMatch(r -> isPlainTask(r.type));
            if (isTask) {
                edges.kept(spot, operands[i], "may be run by a thread");
            }
            return !isTask;
        }).mapToObj(i -> operands[i]).toArray(Val[]::new);
    }

    /** Reports whether the objects of a type have nothing but methods of functions that code outside may call. */
    private boolean isPlainTask(String type) {
        return types.kind(type) == Types.Kind.PROGRAM && reach.classes.family(Types.name(type)).stream().flatMap(c -> reach.classes.lineage(c).stream())
            .flatMap(c -> reach.classes.node(c).methods.stream()).noneMatch(m -> ExternalEffect.CALLED.contains(m.name));
    }

    /**
     * A method outside is called that may read fields: those of actors, too, which properties may have without their
     * type.
     */
    void look(Spot spot, String owner, String name, String descriptor) {
        if (JdkMethods.of(owner, name, descriptor).sees() == ExternalEffect.ALL) {
            edges.relevant(spot, heap.reachable("L" + Classes.ACTOR + ";"), "may be read by " + name, true);
        }
    }

    private boolean construct(Spot spot, MethodInsnNode call, String base, Val[] operands) {
        if (BASES.contains(base)) {
            return true;
        }
        if (Library.constructs(call)) {
            for (int i = 1; i < operands.length; i++) {
                if (!call.owner.contains("/atomic/")) {
                    edges.notNegative(spot, operands[i]);
                }
                put(spot, operands[0], operands[i]);
            }
            return true;
        }
        if (Library.copies(call) && (call.desc.equals("(Ljava/lang/String;)V")
                || Library.isContainer(String.valueOf(containers.exact(operands[1]))))) {
            edges.dereference(spot, operands[1]);
            put(spot, operands[0], operands[1]);
            return true;
        }
        return false;
    }

    /** A value goes into the objects that a reference may refer to. */
    private void put(Spot spot, Val container, Val value) {
        for (Def d : container.defs()) {
            if (d.object >= 0) {
                edges.into(spot, value, d.object);
            }
        }
    }

    private boolean ofClass(Spot spot, MethodInsnNode call, Val[] operands) {
        if (Library.printed(call) == 0) {
            calls.print(spot, operands[0], spot.def().value);
            return true;
        }
        if (call.owner.equals("java/util/Objects") && call.name.equals("requireNonNull") && operands.length == 1) {
            edges.dereference(spot, operands[0]);
            edges.flow(spot, operands[0], spot.def(), null);
            return true;
        }
        if (operands.length == 0 && call.name.equals("of") && Set.of("java/util/List", "java/util/Set", "java/util/Map")
                .contains(call.owner)) {
            return true;
        }
        if (Library.isStatic(call.owner, call.name, call.desc) || durations.isTotal(call, operands)) {
            handOn(spot, operands);
            into(spot, operands);
            return true;
        }
        return false;
    }

    /** Functions among the operands may become part of the result, and be called later. */
    private void handOn(Spot spot, Val[] operands) {
        for (Val v : operands) {
            for (Def r : v.roots()) {
                if (r.kind == Kind.LAMBDA) {
                    calls.escape(spot, r);
                }
            }
        }
    }

    /** The result shows all operands. */
    private void into(Spot spot, Val[] operands) {
        if (spot.def() != null) {
            for (Val v : operands) {
                edges.whole(v, spot.def().value, null, spot.site());
            }
        }
    }

    private boolean ofObject(Spot spot, MethodInsnNode call, String base, Val[] operands) {
        Val receiver = operands[0];
        if (OF_MONITORS.contains(call.name + call.desc)) {
            for (Val v : operands) {
                edges.kept(spot, v, "decides who waits");
            }
            edges.mayThrow(spot);
            return true;
        }
        if (call.owner.startsWith("[") && call.name.equals("clone")) {
            edges.dereference(spot, receiver);
            into(spot, operands);
            put(spot, spot.def().read(), receiver);
            return true;
        }
        boolean isPlain = reach.classes.isPlain(call.owner);
        if (call.name.equals("getClass") || isPlain && BASES.contains(base) && OF_OBJECT.contains(call.name)) {
            edges.dereference(spot, receiver);
            for (Val v : operands) {
                for (Def d : v.defs()) {
                    graph.edge(d.value, spot.def().value, null, spot.site(), false);
                }
            }
            return true;
        }
        String needs = Library.ofValue(call.owner, reach.classes.isEnum(call.owner), call);
        if (needs == null && durations.isTotal(call, operands)) {
            needs = "";
        }
        if (needs != null) {
            edges.dereference(spot, receiver);
            if (needs.contains("n")) {
                edges.dereference(spot, operands[1]);
            }
            handOn(spot, operands);
            into(spot, operands);
            return true;
        }
        if (Library.prints(call) && isConsole(receiver)) {
            if (Library.printed(call) >= 0) {
                calls.print(spot, operands[1], -1);
            }
            return true;
        }
        String type = containers.exact(receiver);
        needs = type == null ? null : Library.ofContainer(type, call.name, call.desc);
        return needs != null && container(spot, call, needs, operands);
    }

    private static boolean isConsole(Val value) {
        for (Def d : value.roots()) {
            if (d.kind != Kind.STATIC || !((FieldInsnNode) d.code.instruction(d.at)).owner.equals("java/lang/System")) {
                return false;
            }
        }
        return true;
    }

    private boolean container(Spot spot, MethodInsnNode call, String needs, Val[] operands) {
        Val receiver = operands[0];
        if (needs.contains("m")) {
            String type = Containers.boxedResult(operands[3]);
            if (type == null || !containers.holdsOnly(receiver, type)) {
                return false;
            }
            edges.dereference(spot, operands[2]);
        }
        if (needs.contains("f") && !isSupplier(operands[2])) {
            return false;
        }
        edges.dereference(spot, receiver);
        boolean changes = needs.contains("+");
        for (Def d : receiver.defs()) {
            if (changes) {
                edges.which(spot, receiver, d, "decides which collection is changed");
                graph.edge(spot.effect(), d.object, "decides whether a collection is changed", spot.site(), false);
            }
            if (spot.def() != null && spot.def().object >= 0) {
                edges.alias(d.object, spot.def().object, null, spot.site());
            }
        }
        into(spot, operands);
        for (int i = 1; i < operands.length; i++) {
            boolean isFunction = isFunction(operands[i]);
            if (changes && Library.printed(call) == i) {
                for (Def d : receiver.defs()) {
                    calls.print(spot, operands[i], d.object);
                }
            } else if (changes && !(isFunction && needs.contains("f"))) {
                put(spot, receiver, operands[i]); // a function may be kept, too, and called later
            } else if (isFunction) {
                for (Def d : receiver.defs()) {
                    for (Def function : operands[i].roots()) {
                        calls.callback(spot, function, d.object, true);
                    }
                }
            }
        }
        if (operands.length > 1) {
            key(spot, needs, operands);
        }
        return true;
    }

    private static boolean isFunction(Val value) {
        for (Def root : value.roots()) {
            if (root.kind != Kind.LAMBDA) {
                return false;
            }
        }
        return !value.roots().isEmpty();
    }

    /** Reports whether a function makes new values out of nothing but a key. */
    private static boolean isSupplier(Val function) {
        if (!isFunction(function)) {
            return false;
        }
        for (Def r : function.roots()) {
            Lambda lambda = Lambda.of(r);
            boolean closed = lambda.captured() == 0 && lambda.implementation().getTag() == Opcodes.H_INVOKESTATIC
                && isOwn(r);
            if (!closed && !Library.makesContainer(lambda)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOwn(Def lambda) {
        return Lambda.of(lambda).implementation().getOwner().equals(lambda.code.method.owner().name);
    }

    private boolean hashes(Val key) {
        for (Def r : key.roots()) {
            if (!types.hashes(r.type)) {
                return false;
            }
        }
        return true;
    }

    /** The first argument is looked for among others, or must not be null. */
    private void key(Spot spot, String needs, Val[] operands) {
        Val key = operands[1];
        if (needs.contains("n")) {
            edges.dereference(spot, key);
        }
        boolean hashed = needs.contains("h");
        boolean ordered = needs.contains("k");
        if (hashed && !hashes(key)
                || ordered && !containers.ordersKeys(operands[0], key)) {
            unknown(spot, ordered ? "compareTo" : "equals", new Val[] {operands[0], key});
        }
        if (ordered) {
            edges.dereference(spot, key);
        }
        for (Def r : key.roots()) {
            if (hashed && types.kind(r.type) == Types.Kind.PROGRAM) {
                for (Def d : operands[0].defs()) {
                    graph.edge(heap.compared(r.type), d.object, null, spot.site(), false);
                }
            }
        }
    }

    /**
     * A call of which nothing is known: it may read and change all that it gets, keep it, or throw. So all of
     * it is relevant.
     */
    void unknown(Spot spot, String name, Val[] operands) {
        String phrase = "goes to " + name + ", which may do anything with it or throw";
        int hub = graph.node();
        for (Val v : operands) {
            edges.wholeRelevant(spot, v, phrase, true);
            edges.whole(v, hub, null, spot.site());
            for (Def d : v.defs()) {
                if (d.object >= 0) {
                    edges.alias(d.object, hub, null, spot.site());
                }
            }
        }
        edges.relevant(spot, spot.effect(), "decides whether " + name + " is called, which may throw", true);
        graph.edge(spot.effect(), hub, null, spot.site(), false);
        Def def = spot.def();
        if (def != null) {
            graph.edge(hub, def.value, null, spot.site(), false);
            if (def.object >= 0) {
                edges.alias(def.object, hub, null, spot.site());
            }
        }
        for (Val v : operands) {
            for (Def r : v.roots()) {
                if (r.kind == Kind.LAMBDA) {
                    calls.callback(spot, r, hub, false);
                }
            }
        }
    }
}
