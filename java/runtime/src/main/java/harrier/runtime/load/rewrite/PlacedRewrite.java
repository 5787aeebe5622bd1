package harrier.runtime.load.rewrite;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A rewrite that tells hooks where the code is that calls them. */
public abstract class PlacedRewrite extends ClassVisitor {
    /** The internal name of the class. */
    public String type;
    boolean isInterface;
    private String file;

    public PlacedRewrite(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        super.visit(version, access, name, signature, superName, interfaces);
        type = name;
        isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
    }

    @Override
    public void visitSource(String source, String debug) {
        super.visitSource(source, debug);
        file = source;
    }

    /** The code of one method, and the place that it is at. */
    public abstract class Code extends MethodVisitor {
        public final Place place;

        public Code(MethodVisitor next, String method) {
            super(Opcodes.ASM9, next);
            place = new Place(type, method, file);
        }

        @Override
        public void visitLineNumber(int line, Label start) {
            super.visitLineNumber(line, start);
            place.line(line);
        }
    }
}
