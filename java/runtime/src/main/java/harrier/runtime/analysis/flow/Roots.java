package harrier.runtime.analysis.flow;

import harrier.PropertyAnnotation;
import harrier.PropertyAnnotation.Holds;
import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Classes.Method;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.jdk.ExternalEffect;
import harrier.runtime.jdk.JdkMethods;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** The methods that the runtime calls: handlers, guards, properties, the set-up. */
public final class Roots {
    static final String HANDLER = "Lharrier/Handler;";
    static final String INTERNAL = "Lharrier/Internal;";
    private static final String LTL = "Lharrier/Ltl;";
    private static final String LTL_ALL = "Lharrier/Ltl$All;";
    /** The method of the final condition that needs no annotation. */
    static final String FINAL = "expectFinal";
    /** Interfaces whose methods concern objects that a property read as a whole before. */
    private static final Set<String> INERT = Set.of("java/lang/Comparable", "java/io/Serializable", "java/lang/Cloneable");

    private final Classes classes;
    private final Map<String, Method> handlers = new LinkedHashMap<>();
    private final Map<String, Method> guards = new LinkedHashMap<>();
    /** What says how many messages a quorum handler takes. */
    private final Map<String, Method> sizes = new LinkedHashMap<>();
    private final List<Field> sizeFields = new ArrayList<>();
    /** Those that get no messages: start, onRestart and internal handlers. */
    private final Map<String, Method> starts = new LinkedHashMap<>();
    /** What decides after each step whether it may change its actor so. */
    private final Map<String, Method> stepInvariants = new LinkedHashMap<>();
    /** Methods of objects that code outside of the program may call while a property is evaluated. */
    private final Map<String, Method> callbacks = new LinkedHashMap<>();
    /** Functions that may be called then. */
    private final Map<String, Method> functions = new LinkedHashMap<>();
    private final Collection<String> actors;
    private final String scenario;

    public Roots(Classes classes, String scenario, Collection<String> actors) {
        this.classes = classes;
        this.scenario = scenario;
        this.actors = actors;
        for (String a : actors) {
            addActor(a);
        }
        for (Method m : properties(Holds.OF_EACH_STEP::equals)) {
            addNamed(stepInvariants, scenario, m.node().name, ")Z");
        }
    }

    /** Those of an actor's class. */
    List<Method> stepInvariants(String actor) {
        return stepInvariants.values().stream()
            .filter(m -> m.parameters() == 2 && classes.isSubtype(actor, Type.getArgumentTypes(m.node().desc)[0].getInternalName())).toList();
    }

    /** The methods that get messages. */
    public Collection<Method> receivers() {
        Map<String, Method> all = new LinkedHashMap<>(handlers);
        all.putAll(guards);
        return all.values();
    }

    private void addActor(String actor) {
        for (Method m : annotated(actor, HANDLER)) {
            add(handlers, m);
            add(handlers, classes.method(actor, m.node().name, m.node().desc));
            addGuards(actor, (String) value(m.node(), HANDLER, "when"));
            addSizes(actor, (String) value(m.node(), HANDLER, "quorum"));
        }
        for (Method m : annotated(actor, INTERNAL)) {
            add(starts, m);
            add(starts, classes.method(actor, m.node().name, m.node().desc));
            addGuards(actor, (String) value(m.node(), INTERNAL, "when"));
        }
        add(starts, classes.method(actor, "start", "()V"));
        add(starts, classes.method(actor, "onRestart", "()V"));
    }

    private static void add(Map<String, Method> methods, Method method) {
        if (method != null && !method.is(Opcodes.ACC_ABSTRACT)) {
            methods.put(method.key(), method);
        }
    }

    /** All that a guard's name may mean. */
    private void addGuards(String actor, String name) {
        addNamed(guards, actor, name, ")Z");
    }

    private void addNamed(Map<String, Method> methods, String actor, String name, String ending) {
        for (String c : ancestry(actor)) {
            for (MethodNode m : classes.node(c).methods) {
                if (m.name.equals(name) && m.desc.endsWith(ending)) {
                    add(methods, new Method(classes.node(c), m));
                }
            }
        }
    }

    /** All that the name of a quorum's size may mean. */
    private void addSizes(String actor, String name) {
        addNamed(sizes, actor, name, "()I");
        for (String c : ancestry(actor)) {
            for (Field f : classes.instanceFields(c)) {
                if (f.node().name.equals(name)) {
                    sizeFields.add(f);
                }
            }
        }
    }

    List<String> ancestry(String name) {
        List<String> all = new ArrayList<>(classes.lineage(name));
        for (String i : classes.interfaces(name)) {
            if (classes.has(i)) {
                all.add(i);
            }
        }
        return all;
    }

    List<Method> annotated(String type, String annotation) {
        List<Method> found = new ArrayList<>();
        for (String c : ancestry(type)) {
            for (MethodNode m : classes.node(c).methods) {
                if (isAnnotated(m.visibleAnnotations, annotation)) {
                    found.add(new Method(classes.node(c), m));
                }
            }
        }
        return found;
    }

    public static boolean isAnnotated(List<AnnotationNode> annotations, String type) {
        for (AnnotationNode a : annotations == null ? List.<AnnotationNode>of() : annotations) {
            if (a.desc.equals(type)) {
                return true;
            }
        }
        return false;
    }

    static Object value(MethodNode method, String annotation, String name) {
        for (AnnotationNode a : method.visibleAnnotations) {
            for (int i = 0; a.desc.equals(annotation) && a.values != null && i < a.values.size(); i += 2) {
                if (a.values.get(i).equals(name)) {
                    return a.values.get(i + 1);
                }
            }
        }
        return "";
    }

    /** What evaluates each property, by the name of its method: an annotated one or {@link #FINAL}. */
    public Map<String, Map<String, Method>> properties() {
        Map<String, Map<String, Method>> found = new TreeMap<>();
        for (Method m : properties(Holds::isOfStates)) {
            Map<String, Method> of = found.computeIfAbsent(m.node().name, name -> new LinkedHashMap<>());
            add(of, m);
            add(of, classes.method(scenario, m.node().name, m.node().desc));
        }
        add(found.computeIfAbsent(FINAL, name -> new LinkedHashMap<>()), classes.method(scenario, FINAL, "()Z"));
        for (String name : predicates()) {
            addNamed(found.computeIfAbsent(name, n -> new LinkedHashMap<>()), scenario, name, ")Z");
        }
        return found;
    }

    /** The methods that declare properties which hold in some place. */
    private List<Method> properties(Predicate<Holds> where) {
        return ancestry(scenario).stream().map(classes::node).flatMap(c -> c.methods.stream()
            .filter(m -> !declaredBy(m, where).isEmpty()).map(m -> new Method(c, m))).toList();
    }

    private static List<PropertyAnnotation> declaredBy(MethodNode method, Predicate<Holds> where) {
        return Stream.of(PropertyAnnotation.values())
            .filter(a -> where.test(a.holds()) && isAnnotated(method.visibleAnnotations, a.type().descriptorString())).toList();
    }

    /** The names of the methods that formulas ask for. */
    private Set<String> predicates() {
        Set<String> names = new TreeSet<>();
        for (String c : ancestry(scenario)) {
            for (MethodNode m : classes.node(c).methods) {
                for (PropertyAnnotation a : declaredBy(m, Holds::isOfRuns)) {
                    names.add(m.name);
                    if (!a.other().isEmpty()) {
                        names.add((String) value(m, a.type().descriptorString(), a.other()));
                    }
                }
            }
            for (AnnotationNode a : classes.node(c).visibleAnnotations == null ? List.<AnnotationNode>of() : classes.node(c).visibleAnnotations) {
                addFormulas(a, names);
            }
        }
        return names;
    }

    /** Adds the names in the formula of an annotation, or in those of one that holds several. */
    private static void addFormulas(AnnotationNode a, Set<String> names) {
        for (int i = 0; (a.desc.equals(LTL) || a.desc.equals(LTL_ALL)) && i < a.values.size(); i += 2) {
            Object value = a.values.get(i + 1);
            if (value instanceof List<?> several) {
                several.forEach(one -> addFormulas((AnnotationNode) one, names));
            } else if (a.values.get(i).equals("value")) {
                names.addAll(Formulas.names((String) value));
            }
        }
    }

    /** Reports whether code outside of the program may call a method. */
    public boolean isCalledFromOutside(Method method) {
        return callbacks.containsKey(method.key()) || functions.containsKey(method.key());
    }

    /** The methods that code outside of the program may call. */
    public Collection<Method> calledFromOutside() {
        return Stream.concat(callbacks.values().stream(), functions.values().stream()).toList();
    }

    /** The methods that decide whether messages are accepted. */
    public Collection<Method> guards() {
        return guards.values();
    }

    /** The methods that may give the number of messages that a quorum handler takes. */
    public Collection<Method> quorumSizes() {
        return sizes.values();
    }

    /** The fields that may hold that number. */
    public List<Field> quorumSizeFields() {
        return sizeFields;
    }

    /** The methods that decide whether a property holds. */
    public Collection<Method> evaluating() {
        return Stream.concat(properties().values().stream().flatMap(m -> m.values().stream()), stepInvariants.values().stream()).toList();
    }

    /** What runs without a message: start, onRestart and internal handlers. */
    public Collection<Method> starts() {
        return starts.values();
    }

    /** The set-up, and the constructor that runs before it. */
    private Collection<Method> setUp() {
        Map<String, Method> found = new LinkedHashMap<>();
        add(found, classes.method(scenario, "<init>", "()V"));
        add(found, classes.method(scenario, "setUp", "()V"));
        return found.values();
    }

    /** Finds all methods that may run. */
    public void reach(Reach reach) {
        for (Code receiver : reach.from(receivers(), Code.STEPS)) {
            receiver.handler = true;
            receiver.quorumElement = QuorumParameter.elements(receiver.method);
            // A guard that takes any collection gets that of its handler.
            receiver.isSet = QuorumParameter.takesSet(receiver.method, guards.containsKey(receiver.method.key()));
        }
        reach.from(sizes.values(), Code.STEPS);
        reach.from(starts.values(), Code.STEPS);
        reach.from(evaluating(), Code.PROPERTIES);
        reach.from(setUp(), 0);
        reach.finish();
        // The methods found may in turn make functions and objects that are called from outside.
        for (int before = -1; before != callbacks.size() + functions.size();) {
            before = callbacks.size() + functions.size();
            findFunctions(reach);
            findObjects(reach);
            if (mayCallBack(reach)) {
                for (String actor : actors) {
                    addCallbacks(actor, true);
                }
            }
            // What was made before may be a thread, or run by one.
            int part = reach.waiting == null ? Code.PROPERTIES : Code.STEPS;
            reach.from(callbacks.values(), part);
            reach.from(functions.values(), part);
            reach.finish();
        }
    }

    /** Functions that were made before properties run, and may be kept for them. */
    private void findFunctions(Reach reach) {
        for (Code code : reach.codes()) {
            for (int at = 0; !code.isIn(Code.STEPS | Code.PROPERTIES) && at < code.size(); at++) {
                Val[] operands = isSetUp(reach, code.instruction(at)) ? null : code.operands(at);
                for (Val v : operands == null ? new Val[0] : operands) {
                    addFunctions(reach, v);
                }
            }
        }
    }

    private void addFunctions(Reach reach, Val value) {
        for (Def root : value.roots()) {
            if (root.kind == Def.Kind.LAMBDA) {
                for (Method m : reach.implementations(Lambda.of(root))) {
                    add(functions, m);
                }
            }
        }
    }

    /** Reports whether an instruction calls a method of the API that calls functions at once: all but {@code process}. */
    private boolean isSetUp(Reach reach, AbstractInsnNode insn) {
        return insn instanceof MethodInsnNode call && !call.name.equals("process") && classes.isSubtype(call.owner, Classes.SCENARIO)
            && reach.targets(call).methods().isEmpty();
    }

    /** Objects that properties may hand to code outside of the program, which calls their methods. */
    private void findObjects(Reach reach) {
        addCallbacks(scenario, false);
        for (Code code : reach.codes()) {
            String type = code.method.owner().name;
            // An actor may hand itself on too, such as to its event loop.
            if (code.isConstructor() && (!actors.contains(type) || hasForeignInterface(type))) {
                addCallbacks(type, code.isIn(Code.PROPERTIES));
            }
        }
    }

    private boolean hasForeignInterface(String type) {
        return classes.interfaces(type).stream().anyMatch(i -> !classes.has(i) && !INERT.contains(i));
    }

    /** Reports whether properties hand objects that they read to methods outside that may call equals, toString and the like. */
    private boolean mayCallBack(Reach reach) {
        for (Code code : reach.codes()) {
            for (int at = 0; code.isIn(Code.PROPERTIES) && at < code.size(); at++) {
                AbstractInsnNode insn = code.instruction(at);
                if (insn instanceof MethodInsnNode m && !isHarmless(m.owner, m.name, m.desc)) {
                    return true;
                }
                if (insn instanceof InvokeDynamicInsnNode indy) {
                    Lambda lambda = Lambda.of(indy);
                    if (lambda == null || !isHarmless(lambda.implementation().getOwner(),
                            lambda.implementation().getName(), lambda.implementation().getDesc())) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean isHarmless(String owner, String name, String descriptor) {
        return classes.has(owner) || JdkMethods.of(owner, name, descriptor).sees() == ExternalEffect.NOTHING;
    }

    /** The methods of a class that code outside of the program may call. */
    private void addCallbacks(String type, boolean ofObject) {
        Set<String> foreign = new HashSet<>(classes.interfaces(type));
        foreign.removeIf(i -> classes.has(i) || !ofObject && INERT.contains(i));
        boolean all = !foreign.isEmpty() || !classes.isPlain(type);
        for (String c : ancestry(type)) {
            for (MethodNode m : classes.node(c).methods) {
                boolean hidden = m.name.startsWith("<") || (m.access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) != 0;
                if (!hidden && (all || ofObject && Set.of("equals", "hashCode", "toString").contains(m.name))) {
                    add(callbacks, new Method(classes.node(c), m));
                }
            }
        }
    }

    /** The types of messages that handlers take, classes of the program and others. */
    public Set<String> messageTypes() {
        Set<String> found = new HashSet<>();
        for (Method m : handlers.values()) {
            Type[] types = Type.getArgumentTypes(m.node().desc);
            if (types.length > 0) {
                String several = QuorumParameter.elements(m);
                found.add(several == null ? types[0].getDescriptor() : several);
            }
        }
        return found;
    }
}
