package harrier.runtime.analysis.footprint;

import harrier.runtime.analysis.flow.Classes;
import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Classes.Method;
import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Def.Kind;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.analysis.flow.Lambda;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.analysis.flow.Types;
import harrier.runtime.jdk.ExternalEffect;
import harrier.runtime.jdk.JdkMethods;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Which objects the values in a program may be, by the instructions that make them, and in which fields they may be.
 *
 * <p>What a collection, an array or another object of a class outside of the program holds is one set, its inside.
 * Objects of the program's classes hold the content of their fields, each field for all objects. What properties do does not
 * count, since they get copies of states.
 */
final class Objects {
    /** An object of which nothing is known. */
    static final int UNKNOWN = 0;

    private final Reach reach;
    private final PointsTo points = new PointsTo();
    private final Set<Code> seen = new HashSet<>();
    private final int unknown;
    private boolean hasOrderByAccess;
    private final List<Def> makers = new ArrayList<>();
    private final Map<String, Field> fields = new LinkedHashMap<>();
    private final Map<Integer, Set<Field>> holders = new HashMap<>();

    Objects(Reach reach) {
        this.reach = reach;
        unknown = points.node();
        points.include(unknown, object(null));
        put(unknown, unknown);
        for (Code code : reach.codes()) {
            if (code.isIn(Code.STEPS | Code.CONSTRUCTORS) || !code.isIn(Code.PROPERTIES)) {
                seen.add(code);
                code.parameters.forEach(this::parameter);
                for (int at = 0; at < code.size(); at++) {
                    Val[] operands = code.operands(at);
                    if (operands != null || code.def(at) != null) {
                        instruction(code.instruction(at), code.def(at), operands == null ? new Val[0] : operands, code);
                    }
                }
            }
        }
        if (!points.solve()) {
            throw new Reach.UnseenException("what handlers may run (" + seen.size() + " methods)", null);
        }
        for (Field f : fields.values()) {
            inField(f).stream().forEach(o -> holders.computeIfAbsent(o, k -> new LinkedHashSet<>()).add(f));
        }
    }

    /** Reports whether reading from a map may change the order of its entries. */
    boolean hasOrderByAccess() {
        return hasOrderByAccess;
    }

    private int object(Def maker) {
        makers.add(maker);
        return points.object();
    }

    /** What makes an object; null for {@link #UNKNOWN}. */
    Def maker(int object) {
        return makers.get(object);
    }

    /** The objects that a value may be. */
    BitSet of(Val value) {
        BitSet found = new BitSet();
        found.set(UNKNOWN, value.defs().length == 0);
        for (Def root : value.roots()) {
            if (reach.types.kind(root.type) != Types.Kind.VALUE) {
                found.or(of(root));
            }
        }
        return found;
    }

    private BitSet of(Def root) {
        Field field = root.kind == Kind.FIELD || root.kind == Kind.STATIC ? reach.field(root) : null;
        if (field != null) {
            return points.set(place(field));
        }
        BitSet found = points.set(points.node(root));
        boolean isSeen = root.code == null || seen.contains(root.code);
        boolean given = root.kind == Kind.PARAMETER || root.kind == Kind.CALL || root.kind == Kind.CAUGHT;
        return found.isEmpty() && (given || !isSeen && root.kind != Kind.NEW) ? points.set(unknown) : found;
    }

    /** The objects that change when a value's object is changed. */
    BitSet changing(Val value) {
        return points.changing(of(value));
    }

    /** The objects that a value's object consists of, at any depth. */
    BitSet partsOf(Val value) {
        return points.closure(of(value));
    }

    /** The objects that functions among some values give whoever calls them, and all that these consist of. */
    BitSet results(Val[] values) {
        BitSet given = new BitSet();
        for (Val v : values) {
            partsOf(v).stream().mapToObj(this::maker).filter(m -> m != null && m.kind == Kind.LAMBDA)
                .forEach(m -> given.or(results(m)));
        }
        return points.closure(given);
    }

    private BitSet results(Def function) {
        BitSet given = new BitSet();
        List<Method> methods = reach.implementations(Lambda.of(function));
        if (methods.isEmpty()) { // what code outside gives is, or comes out of, what the function takes along
            points.set(points.node(function)).stream().forEach(o -> given.or(points.set(points.inside(o))));
        }
        methods.forEach(m -> given.or(points.set(points.node(reach.code(m).result))));
        return given;
    }

    /** The objects that change when some objects are changed. */
    BitSet changing(BitSet objects) {
        return points.changing(objects);
    }

    /** The objects that a field holds, at any depth. */
    BitSet inField(Field field) {
        return points.closure(points.set(place(field)));
    }

    /** The fields that hold an object, at any depth. */
    Set<Field> holders(int object) {
        return holders.getOrDefault(object, Set.of());
    }

    private int place(Field field) {
        fields.putIfAbsent(field.key(), field);
        return points.node(field.key());
    }

    /** Methods that code outside may call get objects that are not known; handlers get messages. */
    private void parameter(Def p) {
        Method m = p.code.method;
        if (p.code.handler && p.at > 0) {
            int message = object(p);
            points.include(points.node(p), message);
            points.include(points.inside(message), message); // if it is a collection, so is one of them
        } else if (p.at > 0 && (ExternalEffect.CALLED.contains(m.node().name)
                || reach.classes.mayBeCalledOutside(m.owner().name))) {
            points.copy(unknown, points.node(p));
        }
    }

    private void flow(Val from, int to) {
        for (Def root : from.roots()) {
            if (reach.types.kind(root.type) != Types.Kind.VALUE) {
                points.copy(points.node(root), to);
            }
        }
        if (from.defs().length == 0) {
            points.copy(unknown, to);
        }
    }

    private int flow(Val from) {
        int to = points.node();
        flow(from, to);
        return to;
    }

    private void instruction(AbstractInsnNode insn, Def def, Val[] operands, Code code) {
        if (insn instanceof FieldInsnNode access) {
            field(access, def, operands);
        } else if (insn instanceof MethodInsnNode call) {
            call(call, def, operands);
        } else if (def != null && def.kind == Kind.LAMBDA) {
            function(def, operands);
        } else if (def != null && def.kind == Kind.CAST) {
            flow(operands[0], points.node(def));
        } else if (def != null && def.kind == Kind.CAUGHT) {
            points.copy(unknown, points.node(def));
        } else if (def != null && def.kind == Kind.NEW) {
            points.include(points.node(def), object(def));
            if (insn.getOpcode() == Opcodes.MULTIANEWARRAY) {
                put(points.node(def), points.node(def)); // one object stands for the array and for the arrays in it
            }
        } else if (insn.getOpcode() == Opcodes.AALOAD) {
            points.take(flow(operands[0]), points.node(def));
        } else if (insn.getOpcode() == Opcodes.AASTORE) {
            put(flow(operands[2]), flow(operands[0]));
        } else if (insn.getOpcode() == Opcodes.ARETURN) {
            flow(operands[0], points.node(code.result));
        }
    }

    private void field(FieldInsnNode access, Def def, Val[] operands) {
        Field field = reach.classes.field(access.owner, access.name);
        int place = field == null ? unknown : place(field);
        if (def != null) {
            points.copy(place, points.node(def));
        } else {
            flow(operands[operands.length - 1], place);
        }
    }

    /** What a function takes along it gets when it is called. */
    private void function(Def def, Val[] captured) {
        Lambda lambda = Lambda.of(def);
        int object = object(def);
        points.include(points.node(def), object);
        boolean open = !reach.classes.has(lambda.type()) && !ExternalEffect.isFunction(lambda.type());
        for (Val v : captured) {
            flow(v, points.inside(object));
        }
        for (Method m : reach.implementations(lambda)) {
            List<Def> parameters = reach.code(m).parameters;
            int shift = lambda.first() - lambda.captured();
            for (int i = shift; i < parameters.size(); i++) {
                if (i - shift < captured.length) {
                    flow(captured[i - shift], points.node(parameters.get(i)));
                } else if (open) {
                    points.copy(unknown, points.node(parameters.get(i)));
                }
            }
        }
    }

    private void call(MethodInsnNode call, Def def, Val[] operands) {
        for (Method m : reach.targets(call).methods()) {
            pass(operands, 0, reach.code(m), 0, def);
        }
        Set<Def> lambdas = reach.lambdas(call);
        for (Def made : lambdas) {
            for (Method m : reach.implementations(Lambda.of(made))) {
                pass(operands, 1, reach.code(m), Lambda.of(made).first(), def);
            }
        }
        if (reach.targets(call).others() && lambdas.isEmpty()) {
            String base = reach.classes.has(call.owner) ? reach.classes.foreignSuper(call.owner) : call.owner;
            if (!base.equals(Classes.ACTOR)) {
                outside(call, def, operands);
            } else if (def != null) {
                points.include(points.node(def), object(def)); // an event loop, or a clock
            }
        }
    }

    private void pass(Val[] operands, int from, Code code, int to, Def def) {
        for (int i = from; i < operands.length && to + i - from < code.parameters.size(); i++) {
            flow(operands[i], points.node(code.parameters.get(to + i - from)));
        }
        if (def != null) {
            points.copy(points.node(code.result), points.node(def));
        }
    }

    /** A method outside gives an object of its own, or one that it gets, and calls the functions among these. */
    private void outside(MethodInsnNode call, Def def, Val[] operands) {
        String base = reach.classes.has(call.owner) ? reach.classes.foreignSuper(call.owner) : call.owner;
        JdkMethods.Method method = JdkMethods.of(base, call.name, call.desc);
        hasOrderByAccess |= call.owner.equals("java/util/LinkedHashMap") && call.desc.equals("(IFZ)V");
        boolean itself = method.changesItself();
        int elements = points.node();
        int all = points.node();
        int given = points.node(); // to functions
        int kept = points.node();
        int results = points.node();
        points.copy(elements, all);
        points.copy(elements, given);
        points.copy(results, elements);
        points.copy(itself ? results : all, kept);
        List<Integer> nodes = new ArrayList<>();
        for (Val v : operands) {
            int node = flow(v);
            points.take(node, elements);
            points.copy(node, all);
            if (!takesFunction(call, nodes.size())) {
                points.copy(node, given);
            }
            if (method.givesArgument()) {
                points.copy(node, elements);
            }
            if (itself && !nodes.isEmpty() && method.keepsElements()) {
                points.take(node, kept);
            } else if (itself && !nodes.isEmpty()) {
                points.copy(node, kept);
            }
            nodes.add(node);
        }
        for (int i = 0; i < nodes.size(); i++) {
            boolean isKept = method.does() == JdkMethods.Deed.HOLDS || method.isUnknown() || !takesFunction(call, i);
            points.each(nodes.get(i), o -> callBack(o, given, isKept, results));
        }
        if (method.does() == JdkMethods.Deed.CHANGES) {
            for (int node : itself ? nodes.subList(0, 1) : nodes) {
                put(kept, node);
            }
        }
        if (method.changesResults()) {
            put(all, results);
        }
        if (def != null && reach.types.kind(def.type) != Types.Kind.VALUE) {
            result(def, method.does(), all, elements);
        }
    }

    /** Reports whether an operand is taken as a function to be called at once. */
    static boolean takesFunction(MethodInsnNode call, int operand) {
        int first = call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1;
        String type = operand < first ? call.owner
            : Type.getArgumentTypes(call.desc)[operand - first].getInternalName();
        return ExternalEffect.isFunction(type) || type.equals("java/util/Comparator");
    }

    /** Objects go into others; not into those of the program's classes, which hold the content of their fields. */
    private void put(int what, int into) {
        points.each(into, o -> {
            if (maker(o) == null || reach.types.kind(maker(o).type) == Types.Kind.OPAQUE) {
                points.copy(what, points.inside(o));
            }
        });
    }

    private void result(Def def, JdkMethods.Deed deed, int all, int elements) {
        int node = points.node(def);
        int made = object(def);
        points.include(node, made);
        boolean holdsAll = deed == JdkMethods.Deed.CHANGES || deed == JdkMethods.Deed.HOLDS;
        points.copy(holdsAll ? all : elements, points.inside(made));
        if (deed != JdkMethods.Deed.COPIES && deed != JdkMethods.Deed.HOLDS) {
            points.copy(all, points.originals(made));
        }
        if (deed == JdkMethods.Deed.VIEWS) {
            points.view(made);
        } else if (deed == JdkMethods.Deed.GIVES) {
            points.copy(elements, node);
        } else if (deed == JdkMethods.Deed.CHANGES) {
            points.copy(all, node);
        }
    }

    /** Calls a function with the given objects, and if it is kept, later with any. */
    private void callBack(int object, int given, boolean isKept, int results) {
        Def made = maker(object);
        if (made == null || made.kind != Kind.LAMBDA) {
            return;
        }
        put(given, points.inside(object)); // what it takes along may keep what it gets
        Lambda lambda = Lambda.of(made);
        for (Method m : reach.implementations(lambda)) {
            Code code = reach.code(m);
            for (int i = lambda.first(); i < code.parameters.size(); i++) {
                points.copy(given, points.node(code.parameters.get(i)));
                if (isKept) {
                    points.copy(unknown, points.node(code.parameters.get(i)));
                }
            }
            points.copy(points.node(code.result), results);
        }
    }
}
