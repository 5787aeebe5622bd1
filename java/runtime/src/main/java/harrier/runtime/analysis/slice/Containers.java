package harrier.runtime.analysis.slice;

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
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The elements of the collections and other containers that fields hold: of which class exactly they are, and, if a field is
 * the only way to reach one, of which types its keys and elements are.
 */
final class Containers {
    /** The type of keys or elements of which nothing is known. */
    static final String ANY = "Ljava/lang/Object;";

    private static final Set<String> READS = Set.of("size", "isEmpty", "get", "getOrDefault", "containsKey", "contains",
        "indexOf", "lastIndexOf", "clear", "remove", "poll", "pollFirst", "pollLast", "peek", "peekFirst", "peekLast",
        "keySet");
    private static final Set<String> ADDS = Set.of("add", "addFirst", "addLast", "offer", "offerFirst", "offerLast",
        "push");
    private static final Set<String> GIVES = Set.of("get", "getOrDefault", "poll", "pollFirst", "pollLast", "peek",
        "peekFirst", "peekLast", "put", "putIfAbsent", "merge");
    private static final Set<String> PUTS = Set.of("put", "putIfAbsent");

    private final Reach reach;
    private final Stores stores;
    /** By the facts of the fields that hold them. */
    private final Map<Stores.Facts, Held> held = new HashMap<>();
    /** How often objects are used where they are made: more than once, and they are shared. */
    private final Map<Def, Integer> uses = new HashMap<>();
    /** Objects that are made by a constructor which may give them a behaviour of their own, such as an order. */
    private final Set<Def> special = new HashSet<>();
    /** Collections that are made with the elements of others. */
    private final Set<Def> filled = new HashSet<>();

    /** The elements of the container that a field holds. */
    static final class Held {
        /** Whether the container is reachable by other ways as well. */
        boolean isShared;
        final Set<String> keys = new HashSet<>();
        final Set<String> elements = new HashSet<>();
        /** The values that are added. */
        final List<Val> values = new ArrayList<>();

        private void add(Val key, Val value) {
            addTypes(keys, key);
            addTypes(elements, value);
            values.add(value);
        }
    }

    Containers(Reach reach, Stores stores) {
        this.reach = reach;
        this.stores = stores;
        stores.fields().forEach(f -> held.put(f, new Held()));
        for (Code code : reach.codes()) {
            for (int at = 0; at < code.size(); at++) {
                if (code.operands(at) != null) {
                    use(code, at);
                }
            }
        }
        held.forEach((field, h) ->
            h.isShared |= field.isUsedUnseen || !field.values.stream().allMatch(this::isMadeForOne));
    }

    /** Reports whether a value is of an object that is made empty, and stored in one place alone. */
    private boolean isMadeForOne(Val value) {
        return value.roots().stream()
            .allMatch(d -> d.kind == Kind.NEW && !filled.contains(d) && uses.getOrDefault(d, 0) == 1);
    }

    private void use(Code code, int at) {
        AbstractInsnNode insn = code.instruction(at);
        Val[] operands = code.operands(at);
        if (Constructors.isConstruction(insn, 0)) {
            MethodInsnNode call = (MethodInsnNode) insn;
            if (Library.copies(call)) {
                filled.addAll(operands[0].roots());
            } else if (!Library.constructs(call)) {
                special.addAll(operands[0].roots());
            }
        }
        for (int i = 0; i < operands.length; i++) {
            for (Def root : operands[i].roots()) {
                if (root.kind == Kind.FIELD) {
                    useField(root, code, at, i);
                } else if (root.kind == Kind.NEW && !Constructors.isConstruction(insn, i) && code.def(at) != root) {
                    uses.merge(root, 1, Integer::sum);
                }
            }
        }
    }

    /** A container that a field holds is looked at, changed, or given away. */
    private void useField(Def read, Code code, int at, int operand) {
        AbstractInsnNode insn = code.instruction(at);
        Held into = held.get(stores.of(read));
        if (into == null || insn instanceof JumpInsnNode || code.def(at) != null && code.def(at).kind == Kind.COPY) {
            return;
        }
        if (!(insn instanceof MethodInsnNode call) || operand != 0 || call.getOpcode() == Opcodes.INVOKESTATIC
                || !Library.isCollection(call.owner) || !isKnown(call, code.operands(at), into)) {
            into.isShared = true;
        }
    }

    /** Reports whether a call on a container gives neither it nor its elements to others, and notes the elements that it adds. */
    private static boolean isKnown(MethodInsnNode call, Val[] operands, Held into) {
        if (ADDS.contains(call.name) && operands.length == 2) {
            into.add(operands[1], operands[1]);
        } else if (PUTS.contains(call.name)) {
            into.add(operands[1], operands[2]);
        } else if (call.name.equals("merge") && operands.length == 4) {
            into.add(operands[1], operands[2]);
            String sum = boxedResult(operands[3]);
            into.elements.add(sum == null ? ANY : sum);
        } else if (call.name.equals("computeIfAbsent")) {
            addTypes(into.keys, operands[1]);
            into.elements.add(ANY);
        } else {
            return call.name.equals("iterator") && !call.owner.endsWith("Map") || READS.contains(call.name);
        }
        return true;
    }

    private static void addTypes(Set<String> types, Val value) {
        for (Def r : value.roots()) {
            types.add(r.type);
        }
        if (value.defs().length == 0) {
            types.add(ANY);
        }
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

    /** The elements of the containers of all fields. */
    Iterable<Held> held() {
        return held.values();
    }

    /** The elements of the containers that a value may be, if nobody else gets hold of them; null otherwise. */
    Held owned(Val container) {
        Held found = null;
        for (Def root : container.roots()) {
            Held one = root.kind == Kind.FIELD ? held.get(stores.of(root)) : null;
            if (one == null || one.isShared || found != null && found != one) {
                return null;
            }
            found = one;
        }
        return found;
    }

    /** The class of the object that a value refers to, if it is known exactly and a known one; or null. */
    String exact(Val value) {
        String found = null;
        for (Def root : value.roots()) {
            String type = root.kind == Kind.FIELD ? stored(root) : made(root);
            if (type == null || found != null && !found.equals(type)) {
                return null;
            }
            found = type;
        }
        return found;
    }

    private String made(Def d) {
        if (d.kind == Kind.NEW) {
            return d.type.startsWith("L") && !special.contains(d) ? Types.name(d.type) : null;
        }
        return d.kind == Kind.CALL && isBuilder(d) ? "java/lang/StringBuilder" : null;
    }

    /** The class of all objects that are stored in a field, null if there are several or it is not known. */
    private String stored(Def read) {
        List<Val> values = stores.sources(read);
        Set<String> types = new HashSet<>();
        for (Val v : values == null ? List.<Val>of() : values) {
            for (Def root : v.roots()) {
                if (!root.type.equals("null")) {
                    types.add(root.kind == Kind.NEW ? made(root) : null);
                }
            }
        }
        return types.size() == 1 ? types.iterator().next() : null;
    }

    private static boolean isBuilder(Def d) {
        return d.code.instruction(d.at) instanceof MethodInsnNode m && m.owner.equals("java/lang/StringBuilder")
            && m.name.equals("append") && m.desc.endsWith("Ljava/lang/StringBuilder;");
    }

    /** Reports whether all keys, and this one, are of one class with an order. Null is another matter. */
    boolean ordersKeys(Val container, Val key) {
        Held in = owned(container);
        if (in == null) {
            return false;
        }
        Set<String> all = new HashSet<>(in.keys);
        addTypes(all, key);
        return all.size() == 1 && reach.types.isOrdered(all.iterator().next());
    }

    /** Reports whether a container holds nothing but objects of a type. */
    boolean holdsOnly(Val container, String type) {
        Held in = owned(container);
        return in != null && in.elements.stream().allMatch(e -> reach.types.is(e, type));
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
