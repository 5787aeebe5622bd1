package harrier.runtime.analysis;

import harrier.runtime.analysis.Classes.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** The methods that the runtime calls: handlers, guards, properties, the set-up. */
final class Roots {
    private static final String HANDLER = "Lharrier/Handler;";
    private static final String INVARIANT = "Lharrier/Invariant;";
    /** What properties may do with actors outside of the program without calling methods of theirs. */
    private static final Set<String> HARMLESS = Set.of("actors", "actor", "filter", "map", "mapToInt", "mapToLong",
        "mapToObj", "flatMap", "allMatch", "anyMatch", "noneMatch", "count", "sum", "max", "min", "findFirst", "findAny",
        "toList", "stream", "iterator", "hasNext", "next", "size", "isEmpty", "get", "isPresent", "orElseThrow",
        "orElse", "limit", "skip", "peek", "forEach", "intValue", "longValue", "booleanValue", "boxed", "range",
        "rangeClosed", "getAsInt", "getAsLong", "add", "<init>", "ordinal", "self", "length");

    private final Classes classes;
    private final Set<Method> handlers = new LinkedHashSet<>();
    private final Set<Method> guards = new LinkedHashSet<>();
    private final Set<Method> starts = new LinkedHashSet<>();
    private final List<String> actors;
    private final String scenario;

    Roots(Classes classes, String scenario, List<String> actors) {
        this.classes = classes;
        this.scenario = scenario;
        this.actors = actors;
        actors.forEach(this::addActor);
    }

    Set<Method> handlers() {
        return handlers;
    }

    private void addActor(String actor) {
        for (Method m : annotated(actor, HANDLER)) {
            if (!m.is(Opcodes.ACC_ABSTRACT)) {
                handlers.add(m);
            }
            addGuards(actor, (String) value(m.node(), HANDLER, "when"));
        }
        handlers.addAll(resolved(actor, annotated(actor, HANDLER)));
        Method start = classes.method(actor, "start", "()V");
        if (start != null) {
            starts.add(start);
        }
    }

    /** All that a guard's name may mean. */
    private void addGuards(String actor, String name) {
        for (String c : ancestry(actor)) {
            for (MethodNode m : classes.node(c).methods) {
                if (m.name.equals(name) && m.desc.endsWith(")Z") && (m.access & Opcodes.ACC_ABSTRACT) == 0) {
                    guards.add(new Method(classes.node(c), m));
                }
            }
        }
    }

    private List<String> ancestry(String name) {
        List<String> all = new ArrayList<>(classes.lineage(name));
        classes.interfaces(name).stream().filter(classes::has).forEach(all::add);
        return all;
    }

    private List<Method> annotated(String type, String annotation) {
        List<Method> found = new ArrayList<>();
        for (String c : ancestry(type)) {
            for (MethodNode m : classes.node(c).methods) {
                if (m.visibleAnnotations != null && m.visibleAnnotations.stream().anyMatch(a -> a.desc.equals(annotation))) {
                    found.add(new Method(classes.node(c), m));
                }
            }
        }
        return found;
    }

    private static Object value(MethodNode method, String annotation, String name) {
        for (AnnotationNode a : method.visibleAnnotations) {
            for (int i = 0; a.desc.equals(annotation) && a.values != null && i < a.values.size(); i += 2) {
                if (a.values.get(i).equals(name)) {
                    return a.values.get(i + 1);
                }
            }
        }
        return "";
    }

    /** The methods that are called in place of the given ones, where a class overrides them. */
    private List<Method> resolved(String type, List<Method> methods) {
        Map<String, Method> found = new LinkedHashMap<>();
        for (Method m : methods) {
            Method own = classes.method(type, m.node().name, m.node().desc);
            if (own != null && !own.is(Opcodes.ACC_ABSTRACT)) {
                found.put(own.key(), own);
            }
        }
        return List.copyOf(found.values());
    }

    private List<Method> properties() {
        List<Method> methods = annotated(scenario, INVARIANT);
        List<Method> found = new ArrayList<>(resolved(scenario, methods));
        methods.stream().filter(m -> !m.is(Opcodes.ACC_ABSTRACT)).forEach(found::add);
        Method expected = classes.method(scenario, "expectFinal", "()Z");
        if (expected != null) {
            found.add(expected);
        }
        return found;
    }

    /** Finds all methods that may run. */
    void reach(Reach reach) {
        reach.from(List.copyOf(handlers), c -> {
            c.inSteps = true;
            c.handler = true;
        });
        reach.from(List.copyOf(guards), c -> c.inSteps = true);
        reach.from(List.copyOf(starts), c -> c.inSteps = true);
        reach.from(properties(), c -> c.inProperties = true);
        List<Method> setUp = new ArrayList<>();
        for (MethodNode m : classes.has(scenario) ? classes.node(scenario).methods : List.<MethodNode>of()) {
            if (m.name.equals("<init>")) {
                setUp.add(new Method(classes.node(scenario), m));
            }
        }
        Method method = classes.method(scenario, "setUp", "()V");
        if (method != null) {
            setUp.add(method);
        }
        reach.from(setUp, c -> { });
        reach.finish();
        if (mayCallBack(reach)) {
            reach.from(callbacks(), c -> c.inProperties = true);
            reach.finish();
        }
    }

    /** Whether properties hand what they read to methods outside that may call equals, toString and the like. */
    private boolean mayCallBack(Reach reach) {
        for (Code code : reach.codes()) {
            for (int at = 0; code.inProperties && at < code.size(); at++) {
                AbstractInsnNode insn = code.instruction(at);
                if (insn instanceof MethodInsnNode m && !classes.has(m.owner) && !HARMLESS.contains(m.name)) {
                    return true;
                }
                if (insn instanceof InvokeDynamicInsnNode indy) {
                    Lambda lambda = Lambda.of(indy);
                    if (lambda == null || !classes.has(lambda.implementation().getOwner())
                            && !HARMLESS.contains(lambda.implementation().getName())) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** The methods of actors that code outside of the program may call. */
    private List<Method> callbacks() {
        Map<String, Method> found = new LinkedHashMap<>();
        for (String actor : actors) {
            boolean foreign = classes.interfaces(actor).stream().anyMatch(i -> !classes.has(i));
            for (String c : classes.lineage(actor)) {
                for (MethodNode m : classes.node(c).methods) {
                    boolean ofObject = Set.of("equals", "hashCode", "toString").contains(m.name);
                    if ((ofObject || foreign && (m.access & Opcodes.ACC_PUBLIC) != 0 && !m.name.equals("<init>"))
                            && (m.access & (Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT)) == 0) {
                        Method method = new Method(classes.node(c), m);
                        found.put(method.key(), method);
                    }
                }
            }
        }
        return List.copyOf(found.values());
    }

    /** What guards and properties answer is what matters in the first place. */
    void markAnswers(Influences influences) {
        for (Method m : guards) {
            mark(influences, m, "decides whether a message is accepted");
        }
        for (Method m : properties()) {
            mark(influences, m, "decides whether a property holds");
        }
    }

    private static void mark(Influences influences, Method m, String phrase) {
        influences.graph.edge(influences.reach.code(m).result.value, Graph.RELEVANT, phrase, null, false);
    }

    /** The types of messages that handlers take, classes of the program and others. */
    Set<String> messageTypes() {
        Set<String> found = new HashSet<>();
        for (Method m : handlers) {
            Type[] types = Type.getArgumentTypes(m.node().desc);
            if (types.length > 0) {
                found.add(types[0].getDescriptor());
            }
        }
        return found;
    }
}
