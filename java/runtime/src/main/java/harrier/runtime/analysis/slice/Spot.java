package harrier.runtime.analysis.slice;

import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Site;
import org.objectweb.asm.tree.AbstractInsnNode;

/**
 * An instruction and what decides whether it is executed.
 *
 * @param local the node of the branches in its own method that decide it, or -1 if none does
 * @param effect the node of these and of the method being called at all
 * @param counts whether what happens here is part of a step or a property
 */
record Spot(Code code, int at, int local, int effect, boolean counts) {
    Spot at(int instruction) {
        return new Spot(code, instruction, local, effect, counts);
    }

    AbstractInsnNode insn() {
        return code.instruction(at);
    }

    Site site() {
        return code.site(at);
    }

    Def def() {
        return code.def(at);
    }
}
