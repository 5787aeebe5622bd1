package harrier.runtime.load.rewrite;

import harrier.runtime.load.compile.LambdaNames;
import harrier.runtime.origin.AddedNames;
import java.util.LinkedHashMap;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Gives every lambda and method reference a class with a name, and a field for each value that it takes along. The
 * virtual machine would make a class without a name, in the order in which lambdas are met, that another class loader
 * or process does not find again; and it would hide the fields. So lambdas are objects like others to the codec.
 *
 * <p>For the lambda with number N of class H, which is made in method m, H gets the method {@code lambda$m$refN}. It
 * has the captured values and the arguments as parameters and does what the lambda does, with all that H may reach.
 * The class {@code H$m_lambdaN} implements the functional interface by a call of it. {@link LambdaClass} writes both.
 */
public final class LambdaRewrite extends ClassVisitor {
    /** The lambdas' classes so far, by name. */
    private final Map<String, byte[]> lambdas = new LinkedHashMap<>();
    private final Map<LambdaClass, Integer> lines = new LinkedHashMap<>();
    private String host;
    private int version;
    private boolean isInterface;

    private LambdaRewrite(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    /**
     * A class, rewritten, and the classes of its lambdas.
     *
     * @param bytes the class file
     * @param lambdas further class files by class name, as {@code Class.getName} gives it; they need no rewriting
     */
    public record Rewritten(byte[] bytes, Map<String, byte[]> lambdas) {}

    /** To be called before other rewrites: it turns references to methods into calls, which those look for. */
    static Rewritten rewrite(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, 0);
        LambdaRewrite rewrite = new LambdaRewrite(writer);
        reader.accept(rewrite, 0);
        return new Rewritten(writer.toByteArray(), rewrite.lambdas);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
        host = name;
        this.version = version;
        isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
        super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
            String[] exceptions) {
        String label = LambdaNames.label(name);
        return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
            private int line = -1;

            @Override
            public void visitLineNumber(int number, Label start) {
                line = number;
                super.visitLineNumber(number, start);
            }

            @Override
            public void visitInvokeDynamicInsn(String method, String type, Handle bootstrap, Object... arguments) {
                if (!LambdaNames.makesLambda(bootstrap)) {
                    super.visitInvokeDynamicInsn(method, type, bootstrap, arguments);
                    return;
                }
                LambdaClass made = lambda(label, method, type, arguments, line);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, made.name(), LambdaClass.FACTORY, type, false);
            }
        };
    }

    private LambdaClass lambda(String label, String method, String type, Object[] arguments, int line) {
        int number = lambdas.size();
        LambdaClass made = new LambdaClass(host, isInterface, LambdaNames.ofClass(host, label, number),
            "lambda$" + label + AddedNames.METHOD_MARK + number, method, type, arguments);
        lambdas.put(made.name().replace('/', '.'), made.bytes(version));
        lines.put(made, line);
        return made;
    }

    @Override
    public void visitEnd() {
        lines.forEach((made, line) -> made.writeBody(cv, line));
        super.visitEnd();
    }
}
