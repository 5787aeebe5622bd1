package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.analysis.flow.Library;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.analysis.flow.Types;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Which values are never null. A field may be null if a constructor leaves it out or what may be null is stored, a
 * parameter if that is passed, or if others than the program call its method.
 */
final class Nulls {
    private final Reach reach;
    private final Stores stores;
    private final Containers containers;
    /** What may be null: parameters, fields, and the elements of containers. */
    private final Set<Object> maybeNull = new HashSet<>();

    Nulls(Reach reach, Stores stores, Containers containers) {
        this.reach = reach;
        this.stores = stores;
        this.containers = containers;
        Map<Object, List<Val>> sources = new HashMap<>(stores.passed());
        for (Stores.Facts f : stores.fields()) {
            sources.put(f, f.values);
            if (!f.isInitialised || f.isStoredUnseen) {
                maybeNull.add(f);
            }
        }
        for (Containers.Held h : containers.held()) {
            sources.put(h, h.values);
        }
        solve(sources);
    }

    /** Supposes that nothing is ever null, and takes back what that contradicts, until nothing does. */
    private void solve(Map<Object, List<Val>> sources) {
        for (boolean changed = true; changed;) {
            changed = false;
            for (Map.Entry<Object, List<Val>> s : sources.entrySet()) {
                if (!maybeNull.contains(s.getKey()) && !s.getValue().stream().allMatch(this::nonNull)) {
                    maybeNull.add(s.getKey());
                    changed = true;
                }
            }
        }
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

    private boolean nonNull(Def d) {
        return switch (d.kind) {
            case PARAMETER -> d.at == 0 && !d.code.method.is(Opcodes.ACC_STATIC)
                || !stores.isOpen(d) && !maybeNull.contains(d);
            case NEW, LAMBDA, CAUGHT -> true;
            case CONSTANT -> !d.type.equals("null");
            case FIELD -> stores.of(d) != null && !maybeNull.contains(stores.of(d));
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
            Containers.Held held = containers.owned(d.operands()[0]);
            return held != null && !maybeNull.contains(held) && nonNull(d.operands()[2])
                && !held.elements.contains(Containers.ANY);
        }
        String owner = reach.classes.has(call.owner) ? reach.classes.foreignSuper(call.owner) : call.owner;
        return Library.returnsObject(owner, call) && !mayAskProgram(call);
    }

    /** Reports whether a call of a method that the JDK has as well may end in a method of the program's. */
    private boolean mayAskProgram(MethodInsnNode call) {
        return Library.printed(call) == 0 || !Set.of("append", "valueOf").contains(call.name)
            && reach.classes.hasChildren(call.owner);
    }
}
