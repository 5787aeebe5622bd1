package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Classes.Method;
import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Def.Kind;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.analysis.flow.Lambda;
import harrier.runtime.analysis.flow.Reach;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Which values the program stores in its fields and passes to the parameters of its methods, each field for all
 * objects.
 *
 * <p>They are what the storing instructions take; nothing is solved. {@code PointsTo} of package {@code footprint}
 * solves which objects they may be, but knows neither null nor strings and boxed numbers, which is what the slice asks
 * about most (docs/design.md, "Only footprints solve which objects values may be").
 */
final class Stores {
    private final Reach reach;
    private final Map<String, Facts> fields = new HashMap<>();
    /** What the program passes to the parameters of its methods. */
    private final Map<Def, List<Val>> passed = new HashMap<>();
    /** The parameters that get values from elsewhere than calls in the program. */
    private final Set<Def> open = new HashSet<>();

    /** The facts of one field. */
    static final class Facts {
        /** The values that are stored in it. */
        final List<Val> values = new ArrayList<>();
        /** Whether code that was not looked at uses it. */
        boolean isUsedUnseen;
        /** Whether code that was not looked at stores in it. */
        boolean isStoredUnseen;
        /** Whether every constructor gives it a value. */
        boolean isInitialised;
    }

    Stores(Reach reach) {
        this.reach = reach;
        for (Code code : reach.codes()) {
            for (int at = 0; at < code.size(); at++) {
                if (code.operands(at) != null) {
                    add(code.instruction(at), code.operands(at));
                }
            }
        }
        findUnseenUses();
        findOpenParameters();
        Constructors constructors = new Constructors(reach);
        fields.forEach((field, facts) -> facts.isInitialised = constructors.initialise(field));
    }

    private void add(AbstractInsnNode insn, Val[] operands) {
        if (insn instanceof FieldInsnNode f && f.getOpcode() == Opcodes.PUTFIELD) {
            Field field = reach.classes.field(f.owner, f.name);
            if (field != null) {
                facts(field).values.add(operands[1]);
            }
        }
        for (Method m : insn instanceof MethodInsnNode call ? reach.targets(call).methods() : List.<Method>of()) {
            List<Def> parameters = reach.code(m).parameters;
            for (int i = 0; i < operands.length; i++) {
                passed.computeIfAbsent(parameters.get(i), p -> new ArrayList<>()).add(operands[i]);
            }
        }
    }

    private Facts facts(Field field) {
        return fields.computeIfAbsent(field.key(), k -> new Facts());
    }

    /** Methods that are not looked at run only where everything they can reach is relevant; but they store. */
    private void findUnseenUses() {
        Set<MethodNode> seen = new HashSet<>();
        for (Code code : reach.codes()) {
            seen.add(code.method.node());
        }
        for (String name : reach.classes.names()) {
            for (MethodNode m : reach.classes.node(name).methods) {
                if (!seen.contains(m)) {
                    m.instructions.forEach(insn -> addUnseen(insn, m.name.equals("<init>")));
                }
            }
        }
    }

    private void addUnseen(AbstractInsnNode insn, boolean constructs) {
        Field field = insn instanceof FieldInsnNode f ? reach.classes.field(f.owner, f.name) : null;
        if (field != null) {
            facts(field).isUsedUnseen = true;
            facts(field).isStoredUnseen |= insn.getOpcode() == Opcodes.PUTFIELD && !constructs;
        }
    }

    private void findOpenParameters() {
        Set<String> handedOn = new HashSet<>();
        for (Code code : reach.codes()) {
            for (int at = 0; at < code.size(); at++) {
                if (code.def(at) != null && code.def(at).kind == Kind.LAMBDA) {
                    reach.implementations(Lambda.of(code.def(at))).forEach(m -> handedOn.add(m.key()));
                }
            }
        }
        for (Code code : reach.codes()) {
            boolean outside = handedOn.contains(code.method.key()) || code.method.node().name.equals("equals")
                || reach.classes.mayBeCalledOutside(code.method.owner().name);
            for (Def p : code.parameters) {
                boolean message = code.handler && (p.at == 1 || p.at == 2 && code.quorumElement != null);
                if (outside || !message && (code.handler || !passed.containsKey(p))) {
                    open.add(p);
                }
            }
        }
    }

    /** Reports whether a parameter gets values from elsewhere than calls in the program. */
    boolean isOpen(Def parameter) {
        return open.contains(parameter);
    }

    /** Reports whether somebody else than the runtime may call a method with something for a parameter. */
    boolean isPassed(Def parameter) {
        return passed.containsKey(parameter) || open.contains(parameter);
    }

    /** The parameters that the program passes values to, with these. */
    Map<Def, List<Val>> passed() {
        return passed;
    }

    /** The facts of the fields that something is stored in, or that code uses which was not looked at. */
    Iterable<Facts> fields() {
        return fields.values();
    }

    /** The facts of the field that a definition reads; null if it is another's, or nothing is stored in it. */
    Facts of(Def read) {
        Field field = reach.field(read);
        return field == null ? null : fields.get(field.key());
    }

    /**
     * The values that a field, unless it is null, or a parameter has; null if code that is not looked at may give it
     * others.
     */
    List<Val> sources(Def d) {
        if (d.kind == Kind.FIELD) {
            return of(d) == null || of(d).isStoredUnseen ? null : of(d).values;
        }
        return d.kind == Kind.PARAMETER && !open.contains(d) ? passed.get(d) : null;
    }

    /**
     * Reports whether a value, unless it is null, is of a type for certain, by the values stored in fields and passed to
     * parameters.
     */
    boolean isOnly(Val value, String type) {
        return isOnly(value, type, new HashSet<>());
    }

    private boolean isOnly(Val value, String type, Set<Def> supposed) {
        return value.defs().length > 0 && value.roots().stream().allMatch(d -> d.type.equals(type) || !supposed.add(d)
            || sources(d) != null && sources(d).stream().allMatch(v -> isOnly(v, type, supposed)));
    }
}
