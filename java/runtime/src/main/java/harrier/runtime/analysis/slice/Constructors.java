package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Classes.Method;
import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Def.Kind;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.analysis.flow.Reach;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Which fields constructors initialise: a field is if each constructor that runs gives it a value, whatever its
 * parameters, and before the object may be seen without it. {@code PointsTo} of package {@code footprint} cannot decide
 * this: it finds the values that may be stored, in whatever order.
 */
final class Constructors {
    private final Reach reach;
    /** The keys of the fields that all constructors of a class give a value, by the class. */
    private final Map<String, Set<String>> always = new HashMap<>();

    Constructors(Reach reach) {
        this.reach = reach;
        for (Code code : reach.codes()) {
            if (code.isConstructor() && !delegates(code)) {
                Set<String> stored = storedFirst(code);
                Set<String> others = always.putIfAbsent(code.method.owner().name, stored);
                if (others != null) {
                    others.retainAll(stored);
                }
            }
        }
    }

    /** Reports whether they initialise a field, given by its key. */
    boolean initialise(String field) {
        return always.getOrDefault(field.substring(0, field.lastIndexOf('.')), Set.of()).contains(field);
    }

    /** Reports whether an operand of an instruction is the object that it constructs. */
    static boolean isConstruction(AbstractInsnNode insn, int operand) {
        return insn instanceof MethodInsnNode m && m.name.equals("<init>") && operand == 0;
    }

    private static boolean delegates(Code code) {
        for (int at = 0; at < code.size(); at++) {
            if (constructsThis(code, at)
                    && ((MethodInsnNode) code.instruction(at)).owner.equals(code.method.owner().name)) {
                return true;
            }
        }
        return false;
    }

    /** Reports whether an instruction of a constructor calls another one for the same object. */
    private static boolean constructsThis(Code code, int at) {
        return code.operands(at) != null && isConstruction(code.instruction(at), 0)
            && isThis(code, code.operands(at)[0]);
    }

    private static boolean isThis(Code code, Val value) {
        return value.roots().contains(code.parameters.get(0));
    }

    /** The fields that a constructor stores always, before anybody may read them. */
    private Set<String> storedFirst(Code code) {
        Set<String> stored = new HashSet<>();
        Set<String> read = new HashSet<>();
        if (!code.method.node().tryCatchBlocks.isEmpty()) {
            return stored; // a handler may go on without the store
        }
        for (int at = 0; at < code.size(); at++) {
            Val[] operands = code.operands(at);
            if (operands == null) {
                continue;
            }
            if (code.instruction(at) instanceof FieldInsnNode f && isThis(code, operands[0])
                    && (operands.length == 1 || !isThis(code, operands[1]))) {
                Field field = reach.classes.field(f.owner, f.name);
                String key = field == null ? "" : field.key();
                boolean alone = operands[0].roots().size() == 1;
                if (f.getOpcode() == Opcodes.GETFIELD) {
                    read.add(key);
                } else if (alone && !read.contains(key) && code.control.deciders(code.control.blockOf(at)).isEmpty()) {
                    stored.add(key);
                }
            } else if (code.def(at) == null || code.def(at).kind != Kind.COPY) {
                for (Val v : operands) {
                    if (isThis(code, v) && !(constructsThis(code, at) && v == operands[0] && isQuiet(code, at))) {
                        return stored; // whoever gets the object now may read the fields that follow
                    }
                }
            }
        }
        return stored;
    }

    /** Reports whether a superclass's constructor does not let anybody see the object. */
    private boolean isQuiet(Code code, int at) {
        List<Method> above = reach.targets((MethodInsnNode) code.instruction(at)).methods();
        if (above.isEmpty()) {
            return reach.classes.isPlain(code.method.owner().name);
        }
        Code constructor = reach.code(above.get(0));
        for (int i = 0; i < constructor.size(); i++) {
            Val[] operands = constructor.operands(i);
            boolean field = constructor.instruction(i) instanceof FieldInsnNode;
            for (int o = 0; operands != null && o < operands.length; o++) {
                boolean harmless = field && o == 0
                    || constructsThis(constructor, i) && o == 0 && isQuiet(constructor, i)
                    || constructor.def(i) != null && constructor.def(i).kind == Kind.COPY;
                if (isThis(constructor, operands[o]) && !harmless) {
                    return false;
                }
            }
        }
        return true;
    }
}
