package harrier.runtime.analysis.flow;

import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/**
 * A lambda or a method reference where it is made.
 *
 * @param implementation the method that it runs
 * @param type the functional interface
 * @param captured how many values it takes along
 */
public record Lambda(Handle implementation, String type, int captured) {
    /** What an instruction makes; null if that is no lambda. */
    public static Lambda of(InvokeDynamicInsnNode insn) {
        if (!insn.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory")
                || !(insn.bsmArgs[1] instanceof Handle implementation)) {
            return null;
        }
        return new Lambda(implementation, Type.getReturnType(insn.desc).getInternalName(),
            Type.getArgumentTypes(insn.desc).length);
    }

    public static Lambda of(Def def) {
        return of((InvokeDynamicInsnNode) def.code.instruction(def.at));
    }

    /** Which parameter of its implementation is the first that it is called with. */
    public int first() {
        return captured + (implementation.getTag() == Opcodes.H_NEWINVOKESPECIAL ? 1 : 0);
    }

    /** The implementation, as table keys name it. */
    public String key() {
        return implementation.getOwner() + "." + implementation.getName() + implementation.getDesc();
    }
}
