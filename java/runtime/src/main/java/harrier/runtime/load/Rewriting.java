package harrier.runtime.load;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;

/**
 * What is done to each class of a program before it is loaded: lambdas get classes of their own ({@link LambdaRewrite}),
 * and then a chain of rewrites, one class each, sees the class file in one pass.
 */
final class Rewriting {
    private final Hierarchy hierarchy;
    /** What was rewritten, by name: a program is loaded several times. */
    private final Map<String, LambdaRewrite.Rewritten> known = new ConcurrentHashMap<>();

    private final boolean hasLines;

    /** For the classes of a program. */
    Rewriting(ProgramClasses program) {
        this(program, false);
    }

    /**
     * For the classes of a program.
     *
     * @param hasLines whether code calls a hook at its lines
     */
    Rewriting(ProgramClasses program, boolean hasLines) {
        hierarchy = new Hierarchy(program);
        this.hasLines = hasLines;
    }

    /** The class file to load instead of the one given, and those of its lambdas. */
    LambdaRewrite.Rewritten rewrite(byte[] classFile) {
        return rewrite(classFile, false);
    }

    /** As above, for a class that is known by its name; each actor may have its own static fields. */
    LambdaRewrite.Rewritten rewrite(String name, byte[] classFile, boolean ownStatics) {
        return known.computeIfAbsent(name + (ownStatics ? " own" : ""), n -> rewrite(classFile, ownStatics));
    }

    private LambdaRewrite.Rewritten rewrite(byte[] classFile, boolean ownStatics) {
        // First, as it turns references to methods into calls, which the others look for.
        LambdaRewrite.Rewritten named = LambdaRewrite.rewrite(classFile);
        ClassReader reader = new ClassReader(named.bytes());
        ClassWriter writer = new ClassWriter(reader, 0);
        ClassVisitor chain = new FieldReadsRewrite(hasLines ? new LineHooksRewrite(writer) : writer, hierarchy);
        chain = new StaticsRewrite(new RecordRewrite(chain), ownStatics);
        chain = new CallRewrite(chain, hierarchy);
        reader.accept(chain, 0);
        return new LambdaRewrite.Rewritten(writer.toByteArray(), named.lambdas());
    }
}
