package harrier.runtime.load;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;

/**
 * What is done to each class of a program before it is loaded: a chain of rewrites, one class each, which all see the
 * class file in one pass.
 */
final class Rewriting {
    private final Hierarchy hierarchy;

    /** For the classes of a program. */
    Rewriting(ProgramClasses program) {
        hierarchy = new Hierarchy(program);
    }

    /** The class file to load instead of the one given. */
    byte[] rewrite(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, 0);
        ClassVisitor chain = new StaticsRewrite(writer);
        chain = new CallRewrite(chain, hierarchy);
        reader.accept(chain, 0);
        return writer.toByteArray();
    }
}
