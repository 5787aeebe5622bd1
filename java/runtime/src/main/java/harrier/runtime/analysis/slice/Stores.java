package harrier.runtime.analysis.slice;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * What is stored in fields, from all stores in the program: whether a field is ever null, of which class
 * exactly its object is, and which types of values a collection holds that nobody else gets hold of.
 */
final class Stores {
    private static final Set<String> READS = Set.of("size", "isEmpty", "get", "getOrDefault", "containsKey", "contains",
        "indexOf", "lastIndexOf", "clear", "remove", "poll", "pollFirst", "pollLast", "peek", "peekFirst", "peekLast",
        "keySet");
    private static final Set<String> ADDS = Set.of("add", "addFirst", "addLast", "offer", "offerFirst", "offerLast",
        "push");
    private static final Set<String> GIVES = Set.of("get", "getOrDefault", "poll", "pollFirst", "pollLast", "peek",
        "peekFirst", "peekLast", "put", "putIfAbsent", "merge");
    private static final Set<String> PUTS = Set.of("put", "putIfAbsent");

    private final Reach reach;
    private final Map<String, Facts> fields = new HashMap<>();
    /** What the program passes to the parameters of its methods. */
    private final Map<Def, List<Val>> passed = new HashMap<>();
    private final Set<Def> maybeNull = new HashSet<>();
    /** Where objects that are made go: more than one place, and they are shared. */
    private final Map<Def, List<AbstractInsnNode>> uses = new HashMap<>();

    /** Objects that are made by a constructor which may give them a behaviour of their own, such as an order. */
    private final Set<Def> special = new HashSet<>();

    /** Lists that are made with the elements of others. */
    private final Set<Def> filled = new HashSet<>();

    /** The values that collections hold which somebody adds. */
    private final Map<Facts, List<Val>> held = new HashMap<>();

    /** What is known of one field. */
    private static final class Facts {
        /** The values that are stored in it. */
        final List<Val> values = new ArrayList<>();
        /** Whether code stores in it that was not looked at. */
        boolean unseen;
        /** Whether every constructor gives it a value. */
        boolean initialised;
        boolean maybeNull;
        /** Whether its object is reachable by other ways as well. */
        boolean shared;
        final Set<String> keys = new HashSet<>();
        final Set<String> elements = new HashSet<>();
        boolean nullElements;
    }

    Stores(Reach reach) {
        this.reach = reach;
        for (Code code : reach.codes()) {
            for (int at = 0; at < code.size(); at++) {
                if (code.operands(at) != null) {
                    use(code, at);
                }
            }
        }
        findUnseenStores();
        findInitialised();
        findShared();
        findNulls();
    }

    private Facts facts(Field field) {
        Facts known = fields.get(field.key());
        if (known == null) {
            known = new Facts();
            fields.put(field.key(), known);
        }
        return known;
    }

    private void use(Code code, int at) {
        AbstractInsnNode insn = code.instruction(at);
        Val[] operands = code.operands(at);
        if (insn instanceof FieldInsnNode f && f.getOpcode() == Opcodes.PUTFIELD) {
            Field field = reach.classes.field(f.owner, f.name);
            if (field != null) {
                facts(field).values.add(operands[1]);
            }
        }
        for (Method m : insn instanceof MethodInsnNode call ? reach.targets(call).methods() : List.<Method>of()) {
            List<Def> parameters = reach.code(m).parameters;
            for (int i = 0; i < operands.length; i++) {
                append(passed, parameters.get(i), operands[i]);
            }
        }
        if (Constructors.isConstruction(insn, 0) && !Library.constructs((MethodInsnNode) insn)
                && !Library.copies((MethodInsnNode) insn)) {
            special.addAll(operands[0].roots());
        } else if (Constructors.isConstruction(insn, 0) && Library.copies((MethodInsnNode) insn)) {
            filled.addAll(operands[0].roots());
        }
        for (int i = 0; i < operands.length; i++) {
            for (Def root : operands[i].roots()) {
                if (root.kind == Kind.FIELD) {
                    useField(root, code, at, i);
                } else if (root.kind == Kind.NEW && !Constructors.isConstruction(insn, i) && code.def(at) != root) {
                    append(uses, root, insn);
                }
            }
        }
    }

    private static <K, V> void append(Map<K, List<V>> lists, K key, V value) {
        List<V> known = lists.get(key);
        if (known == null) {
            known = new ArrayList<>();
            lists.put(key, known);
        }
        known.add(value);
    }

    /** A collection that a field holds is looked at, changed, or given away. */
    private void useField(Def read, Code code, int at, int operand) {
        AbstractInsnNode insn = code.instruction(at);
        Field field = field(read);
        if (field == null || insn instanceof JumpInsnNode || code.def(at) != null && code.def(at).kind == Kind.COPY) {
            return;
        }
        Facts facts = facts(field);
        if (!(insn instanceof MethodInsnNode call) || operand != 0 || call.getOpcode() == Opcodes.INVOKESTATIC
                || !Library.isCollection(call.owner)) {
            facts.shared = true;
            return;
        }
        Val[] operands = code.operands(at);
        if (ADDS.contains(call.name) && operands.length == 2) {
            add(facts.keys, operands[1]);
            hold(facts, operands[1]);
        } else if (PUTS.contains(call.name)) {
            add(facts.keys, operands[1]);
            hold(facts, operands[2]);
        } else if (call.name.equals("merge") && operands.length == 4) {
            add(facts.keys, operands[1]);
            hold(facts, operands[2]);
            String sum = boxedResult(operands[3]);
            facts.elements.add(sum == null ? "Ljava/lang/Object;" : sum);
        } else if (call.name.equals("computeIfAbsent")) {
            add(facts.keys, operands[1]);
            facts.elements.add("Ljava/lang/Object;");
        } else if (call.name.equals("iterator") && !call.owner.endsWith("Map") || READS.contains(call.name)) {
            return;
        } else {
            facts.shared = true;
        }
    }

    private static void add(Set<String> types, Val value) {
        for (Def r : value.roots()) {
            types.add(r.type);
        }
        if (value.defs().length == 0) {
            types.add("Ljava/lang/Object;");
        }
    }

    private void hold(Facts facts, Val value) {
        add(facts.elements, value);
        append(held, facts, value);
    }

    /** The class that a reference like {@code Integer::sum} takes and gives, null for other functions. */
    static String boxedResult(Val function) {
        for (Def root : function.roots()) {
            if (root.kind != Kind.LAMBDA || function.roots().size() != 1) {
                return null;
            }
            return switch (Lambda.of(root).key()) {
                case "java/lang/Integer.sum(II)I", "java/lang/Integer.max(II)I", "java/lang/Integer.min(II)I",
                    "java/lang/Math.max(II)I", "java/lang/Math.min(II)I" -> "Ljava/lang/Integer;";
                case "java/lang/Long.sum(JJ)J", "java/lang/Long.max(JJ)J", "java/lang/Long.min(JJ)J",
                    "java/lang/Math.max(JJ)J", "java/lang/Math.min(JJ)J" -> "Ljava/lang/Long;";
                default -> null;
            };
        }
        return null;
    }

    /** Methods that are not looked at run only where everything they can reach is relevant; but they store. */
    private void findUnseenStores() {
        Set<MethodNode> seen = new HashSet<>();
        for (Code code : reach.codes()) {
            seen.add(code.method.node());
        }
        for (String name : reach.classes.names()) {
            for (MethodNode m : reach.classes.node(name).methods) {
                if (!seen.contains(m)) {
                    for (AbstractInsnNode insn : m.instructions) {
                        if (insn instanceof FieldInsnNode f) {
                            Field field = reach.classes.field(f.owner, f.name);
                            if (field != null) {
                                facts(field).shared = true;
                                facts(field).unseen |= f.getOpcode() == Opcodes.PUTFIELD && !m.name.equals("<init>");
                            }
                        }
                    }
                }
            }
        }
    }

    private void findInitialised() {
        Constructors constructors = new Constructors(reach);
        fields.forEach((field, facts) -> facts.initialised = constructors.initialise(field));
    }

    /** Parameters that get values from elsewhere than calls in the program may be null. */
    private void findOpenParameters() {
        Set<String> handedOn = new HashSet<>();
        for (Code code : reach.codes()) {
            for (int at = 0; at < code.size(); at++) {
                if (code.def(at) != null && code.def(at).kind == Kind.LAMBDA) {
                    for (Method m : reach.implementations(Lambda.of(code.def(at)))) {
                        handedOn.add(m.key());
                    }
                }
            }
        }
        for (Code code : reach.codes()) {
            String owner = code.method.owner().name;
            boolean outside = handedOn.contains(code.method.key()) || code.method.node().name.equals("equals")
                || !reach.classes.isPlain(owner);
            for (String c : reach.classes.family(owner)) {
                outside |= reach.classes.hasForeignInterface(c);
            }
            for (Def p : code.parameters) {
                boolean message = code.handler && (p.at == 1 || p.at == 2 && code.quorumElement != null);
                if (outside || !message && (code.handler || !passed.containsKey(p))) {
                    maybeNull.add(p);
                }
            }
        }
    }

    /** Supposes that nothing is ever null, and takes back what that contradicts, until nothing does. */
    private void findNulls() {
        for (Facts f : fields.values()) {
            f.maybeNull = !f.initialised || f.unseen;
        }
        findOpenParameters();
        for (boolean changed = true; changed;) {
            changed = false;
            for (Map.Entry<Def, List<Val>> p : passed.entrySet()) {
                if (!maybeNull.contains(p.getKey()) && !allNonNull(p.getValue())) {
                    maybeNull.add(p.getKey());
                    changed = true;
                }
            }
            for (Facts f : fields.values()) {
                if (!f.maybeNull && !allNonNull(f.values)) {
                    f.maybeNull = true;
                    changed = true;
                }
            }
            for (Map.Entry<Facts, List<Val>> h : held.entrySet()) {
                if (!h.getKey().nullElements && !allNonNull(h.getValue())) {
                    h.getKey().nullElements = true;
                    changed = true;
                }
            }
        }
    }

    private void findShared() {
        for (Facts f : fields.values()) {
            f.shared |= f.unseen;
            for (Val v : f.values) {
                for (Def d : v.roots()) {
                    f.shared |= d.kind != Kind.NEW || filled.contains(d) || uses.getOrDefault(d, List.of()).size() != 1;
                }
            }
        }
    }

    /** Reports whether somebody else than the runtime may call a method with something for a parameter. */
    boolean isPassed(Def parameter) {
        return passed.containsKey(parameter) || maybeNull.contains(parameter);
    }

    private Field field(Def read) {
        FieldInsnNode insn = (FieldInsnNode) read.code.instruction(read.at);
        return reach.classes.field(insn.owner, insn.name);
    }

    private Facts factsOf(Def read) {
        Field field = field(read);
        return field == null ? null : fields.get(field.key());
    }

    /** The values that a field, unless it is null, or a parameter has; null if code that is not looked at may give it others. */
    List<Val> sources(Def d) {
        if (d.kind == Kind.FIELD) {
            return factsOf(d) == null || factsOf(d).unseen ? null : factsOf(d).values;
        }
        return d.kind == Kind.PARAMETER && !maybeNull.contains(d) ? passed.get(d) : null;
    }

    /**
     * Reports whether a value, unless it is null, is of a type for certain, by what is stored in fields and passed to
     * parameters.
     */
    boolean isOnly(Val value, String type) {
        return isOnly(value, type, new HashSet<>());
    }

    private boolean isOnly(Val value, String type, Set<Def> supposed) {
        return value.defs().length > 0 && value.roots().stream().allMatch(d -> d.type.equals(type) || !supposed.add(d)
            || sources(d) != null && sources(d).stream().allMatch(v -> isOnly(v, type, supposed)));
    }

    boolean nonNull(Val value) {
        List<Def> roots = value.roots();
        for (Def d : roots) {
            if (!nonNull(d)) {
                return false;
            }
        }
        return !roots.isEmpty();
    }

    private boolean allNonNull(List<Val> values) {
        for (Val v : values) {
            if (!nonNull(v)) {
                return false;
            }
        }
        return true;
    }

    private boolean nonNull(Def d) {
        return switch (d.kind) {
            case PARAMETER -> d.at == 0 && !d.code.method.is(Opcodes.ACC_STATIC) || !maybeNull.contains(d);
            case NEW, LAMBDA, CAUGHT -> true;
            case CONSTANT -> !d.type.equals("null");
            case FIELD -> factsOf(d) != null && !factsOf(d).maybeNull;
            case STATIC -> isConstant((FieldInsnNode) d.code.instruction(d.at));
            case CAST -> nonNull(d.operands()[0]);
            case CALL -> returnsObject(d);
            default -> !Types.isReference(d.type);
        };
    }

    private boolean isConstant(FieldInsnNode insn) {
        if (insn.owner.equals("java/lang/System") || insn.owner.equals("java/time/Duration")) {
            return true;
        }
        Field field = reach.classes.field(insn.owner, insn.name);
        return field != null && (field.node().access & Opcodes.ACC_ENUM) != 0;
    }

    private boolean returnsObject(Def d) {
        if (!(d.code.instruction(d.at) instanceof MethodInsnNode call)) {
            return true; // string concatenation, and what the compiler makes for records
        }
        if (!reach.targets(call).methods().isEmpty() || !reach.lambdas(call).isEmpty()) {
            return false;
        }
        if (call.name.equals("getOrDefault")) {
            Facts facts = owned(d.operands()[0]);
            return facts != null && !facts.nullElements && nonNull(d.operands()[2])
                && !facts.elements.contains("Ljava/lang/Object;");
        }
        String owner = reach.classes.has(call.owner) ? reach.classes.foreignSuper(call.owner) : call.owner;
        return Library.returnsObject(owner, call) && !mayAskProgram(call);
    }

    /** Reports whether a call of a method that the JDK has as well may end in a method of the program's. */
    private boolean mayAskProgram(MethodInsnNode call) {
        return Library.printed(call) == 0 || !Set.of("append", "valueOf").contains(call.name)
            && reach.classes.hasChildren(call.owner);
    }

    /** The facts of the collections that a value may be, if nobody else gets hold of them; null otherwise. */
    private Facts owned(Val collection) {
        Facts found = null;
        for (Def root : collection.roots()) {
            Facts facts = root.kind == Kind.FIELD ? factsOf(root) : null;
            if (facts == null || facts.shared || found != null && found != facts) {
                return null;
            }
            found = facts;
        }
        return found;
    }

    /** The class of the object that a value refers to, if it is known exactly and a known one; or null. */
    String exact(Val value) {
        String found = null;
        for (Def root : value.roots()) {
            String type = exact(root);
            if (type == null || found != null && !found.equals(type)) {
                return null;
            }
            found = type;
        }
        return found;
    }

    private String exact(Def d) {
        if (d.kind == Kind.NEW) {
            return d.type.startsWith("L") && !special.contains(d) ? Types.name(d.type) : null;
        }
        if (d.kind != Kind.FIELD || factsOf(d) == null || factsOf(d).unseen) {
            return d.kind == Kind.CALL && isBuilder(d) ? "java/lang/StringBuilder" : null;
        }
        Set<String> types = new HashSet<>();
        for (Val v : factsOf(d).values) {
            for (Def root : v.roots()) {
                if (!root.type.equals("null")) {
                    types.add(root.kind == Kind.NEW && !special.contains(root) ? Types.name(root.type) : "");
                }
            }
        }
        String only = types.size() == 1 ? types.iterator().next() : "";
        return only.startsWith("[") || only.isEmpty() ? null : only;
    }

    private static boolean isBuilder(Def d) {
        return d.code.instruction(d.at) instanceof MethodInsnNode m && m.owner.equals("java/lang/StringBuilder")
            && m.name.equals("append") && m.desc.endsWith("Ljava/lang/StringBuilder;");
    }

    /** Reports whether all keys, and this one, are of one class with an order. Null is another matter. */
    boolean ordersKeys(Val collection, Val key) {
        Facts facts = owned(collection);
        if (facts == null) {
            return false;
        }
        Set<String> all = new HashSet<>(facts.keys);
        add(all, key);
        return all.size() == 1 && reach.types.isOrdered(all.iterator().next());
    }

    /** Reports whether a collection holds nothing but objects of a type. */
    boolean holdsOnly(Val collection, String type) {
        Facts facts = owned(collection);
        for (String e : facts == null ? Set.<String>of() : facts.elements) {
            if (!reach.types.is(e, type)) {
                return false;
            }
        }
        return facts != null;
    }

    /** Reports whether a value is of a type for certain, so that casting it cannot fail. */
    boolean is(Val value, String type) {
        for (Def d : value.roots()) {
            boolean element = d.kind == Kind.CALL && d.code.instruction(d.at) instanceof MethodInsnNode call
                && GIVES.contains(call.name) && d.operands().length > 0 && holdsOnly(d.operands()[0], type)
                && (!call.name.equals("getOrDefault") || is(d.operands()[2], type));
            if (!element && !reach.types.is(d.type, type)) {
                return false;
            }
        }
        return true;
    }
}
