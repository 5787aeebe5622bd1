package harrier.runtime.load;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Has code tell each line of the source that it begins. */
final class LinesRewrite extends ClassVisitor {
    private String type;
    private String file;

    LinesRewrite(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        super.visit(version, access, name, signature, superName, interfaces);
        type = name;
    }

    @Override
    public void visitSource(String source, String debug) {
        super.visitSource(source, debug);
        file = source;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
        Place place = new Place(type, name, file);
        return new MethodNode(Opcodes.ASM9, access, name, descriptor, signature, exceptions) {
            @Override
            public void visitEnd() {
                for (AbstractInsnNode node : instructions.toArray()) {
                    if (node instanceof LineNumberNode line) {
                        tell(instructions, line, place);
                    }
                }
                maxStack++;
                accept(next);
            }
        };
    }

    /** Before the first instruction of a line, and after the frame that may stand there. */
    private static void tell(InsnList instructions, LineNumberNode line, Place place) {
        AbstractInsnNode first = line;
        while (first != null && first.getOpcode() < 0) {
            first = first.getNext();
        }
        if (first != null) {
            place.line(line.line);
            InsnList told = new InsnList();
            told.add(new LdcInsnNode(place.toString()));
            told.add(new MethodInsnNode(Opcodes.INVOKESTATIC, "harrier/host/Hooks", "line", "(Ljava/lang/String;)V", false));
            instructions.insertBefore(first, told);
        }
    }
}
