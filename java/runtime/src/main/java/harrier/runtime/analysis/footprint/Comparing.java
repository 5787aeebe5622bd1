package harrier.runtime.analysis.footprint;

import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Classes.Method;
import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Lambda;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.analysis.flow.Types;
import harrier.runtime.jdk.ExternalEffect;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodNode;

/** What runs where code outside compares, sorts or prints objects of the program. */
final class Comparing {
    private final List<Code> codes = new ArrayList<>();
    private final List<Field> records = new ArrayList<>();
    private final List<Method> unseen = new ArrayList<>();

    /** @throws Reach.UnseenException if some method cannot be looked into */
    Comparing(Reach reach, Escapes escapes) {
        for (Code code : List.copyOf(reach.codes())) {
            if (code.isConstructor()) {
                object(code.method.owner().name, reach);
            }
        }
        for (Lambda f : escapes.functions()) {
            if (escapes.mayCompare(f)) {
                reach.implementations(f).forEach(m -> codes.add(reach.code(m)));
            }
        }
        // Methods that only code outside calls are not among the program's known callees.
        Reach further = new Reach(reach.classes);
        codes.addAll(further.from(unseen, 0));
        further.connect();
    }

    /** The methods of the program that may run. */
    List<Code> codes() {
        return codes;
    }

    /** Fields that are compared and printed by what the compiler makes for records. */
    List<Field> records() {
        return records;
    }

    private void object(String type, Reach reach) {
        for (String c : reach.classes.lineage(type)) {
            for (MethodNode n : reach.classes.node(c).methods) {
                Method m = new Method(reach.classes.node(c), n);
                if (!ExternalEffect.CALLED.contains(n.name)) {
                    continue;
                }
                if (reach.known(m) != null) {
                    codes.add(reach.known(m));
                } else if (!Types.isGenerated(m) && !m.is(Opcodes.ACC_ABSTRACT)) {
                    unseen.add(m);
                }
            }
            if (reach.classes.isRecord(c)) {
                records.addAll(reach.classes.instanceFields(c));
            }
        }
    }
}
