package harrier.runtime.load;

import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A rewrite of code that knows the place that it is at. */
abstract class Placed extends MethodVisitor {
    final Place place;

    Placed(MethodVisitor next, Place place) {
        super(Opcodes.ASM9, next);
        this.place = place;
    }

    @Override
    public void visitLineNumber(int line, Label start) {
        super.visitLineNumber(line, start);
        place.line(line);
    }
}
