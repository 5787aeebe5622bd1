package harrier.runtime.load;

import harrier.runtime.load.compile.ProgramClasses;
import harrier.runtime.load.rewrite.Hierarchy;
import harrier.runtime.origin.Origin;
import java.util.Set;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Finds assertions in a program's own classes: code that makes a {@link Throwable}, as {@code assert} does, or that calls a method of
 * the JDK whose job is to check its arguments. What javac adds by itself does not count.
 */
public final class Assertions {
    /** What javac throws where a switch over all values meets another. */
    private static final Set<String> OF_SWITCHES = Set.of("java/lang/MatchException", "java/lang/IncompatibleClassChangeError");
    /** Methods of {@link java.util.Objects}. */
    private static final Set<String> CHECKS = Set.of("requireNonNull", "checkIndex", "checkFromToIndex", "checkFromIndexSize");

    private final ProgramClasses program;
    private final Hierarchy hierarchy;

    private Assertions(ProgramClasses program) {
        this.program = program;
        hierarchy = new Hierarchy(program);
    }

    /**
     * Reports whether code that handlers may run has an assertion. They do not run instance methods of a
     * scenario, such as its set-up.
     */
    public static boolean areIn(ProgramClasses program) {
        Assertions assertions = new Assertions(program);
        return program.own().stream().filter(n -> !Origin.isApi(n) && !Origin.isInternal(n)).anyMatch(assertions::areInClass);
    }

    private boolean areInClass(String name) {
        ClassNode node = new ClassNode();
        try {
            new ClassReader(program.find(name)).accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        } catch (RuntimeException e) {
            return false; // it is damaged, which is said when it is loaded
        }
        boolean isScenario = program.isSubclass(name, "harrier.Scenario");
        return node.methods.stream().filter(m -> !isScenario || (m.access & Opcodes.ACC_STATIC) != 0).anyMatch(this::areInMethod);
    }

    private boolean areInMethod(MethodNode method) {
        return Stream.of(method.instructions.toArray()).anyMatch(this::isOne);
    }

    private boolean isOne(AbstractInsnNode instruction) {
        if (instruction instanceof TypeInsnNode i) {
            return i.getOpcode() == Opcodes.NEW && isThrowable(i.desc);
        }
        if (instruction instanceof MethodInsnNode i) {
            return isCheck(i.owner, i.name) && !isOfJavac(i);
        }
        return instruction instanceof InvokeDynamicInsnNode i
            && Stream.of(i.bsmArgs).anyMatch(argument -> argument instanceof Handle h && isReferenceToOne(h));
    }

    private boolean isReferenceToOne(Handle method) {
        return method.getTag() == Opcodes.H_NEWINVOKESPECIAL ? isThrowable(method.getOwner()) : isCheck(method.getOwner(), method.getName());
    }

    private boolean isThrowable(String type) {
        return !OF_SWITCHES.contains(type) && hierarchy.jdkSupertypes(type).contains("java/lang/Throwable");
    }

    private static boolean isCheck(String owner, String method) {
        return owner.equals("java/util/Objects") && CHECKS.contains(method);
    }

    /** Reports whether javac made a call, as for {@code object::method} and a switch over patterns: it then checks a copy. */
    private static boolean isOfJavac(MethodInsnNode call) {
        return call.desc.equals("(Ljava/lang/Object;)Ljava/lang/Object;") && call.getPrevious() instanceof InsnNode copy
            && copy.getOpcode() == Opcodes.DUP;
    }
}
