package harrier.runtime.load.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What people call lambdas and constants of a program's own classes. A lambda is called by its class, method and line. A constant
 * whose name several classes have, of an enum or of a class that holds an object of itself, is called by its class and name.
 */
final class ValueLabels {
    private final ProgramClasses program;
    private final ClassLabels classes;
    /** By the name of the lambda's class, or by the class and name of a constant with a dot between. */
    private final Map<String, String> labels = new TreeMap<>();
    /** The classes that have a constant, by its name. */
    private final Map<String, List<String>> constants = new TreeMap<>();

    private ValueLabels(ProgramClasses program, ClassLabels classes) {
        this.program = program;
        this.classes = classes;
    }

    /** The labels, by the name of a lambda's class, or by the class and name of a constant with a dot between. */
    static Map<String, String> of(ProgramClasses program, ClassLabels classes) {
        ValueLabels found = new ValueLabels(program, classes);
        new TreeSet<>(program.own()).forEach(found::add);
        found.constants.forEach((constant, types) -> {
            if (types.size() > 1) {
                types.forEach(type -> found.labels.put(type + "." + constant, classes.of(type) + "." + constant));
            }
        });
        return found.labels;
    }

    private void add(String type) {
        String descriptor = "L" + type.replace('.', '/') + ";";
        int[] lambdas = {0};
        new ClassReader(program.bytes().get(type)).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public FieldVisitor visitField(int access, String name, String of, String signature, Object value) {
                int constant = Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
                if ((access & constant) == constant && of.equals(descriptor)) {
                    constants.computeIfAbsent(name, n -> new ArrayList<>()).add(type);
                }
                return null;
            }

            @Override
            public MethodVisitor visitMethod(int access, String name, String of, String signature, String[] exceptions) {
                return lambdasOf(type, LambdaNames.label(name), lambdas);
            }
        }, ClassReader.SKIP_FRAMES);
    }

    /** What notes the lambdas that a method makes; they are numbered as {@code rewrite.LambdaRewrite} does. */
    private MethodVisitor lambdasOf(String type, String method, int[] lambdas) {
        return new MethodVisitor(Opcodes.ASM9) {
            private int line;

            @Override
            public void visitLineNumber(int number, Label start) {
                line = number;
            }

            @Override
            public void visitInvokeDynamicInsn(String name, String of, Handle bootstrap, Object... arguments) {
                if (LambdaNames.makesLambda(bootstrap)) {
                    String made = LambdaNames.ofClass(type, method, lambdas[0]++);
                    if (line > 0) {
                        labels.put(made, classes.of(type) + "." + method + ":" + line);
                    }
                }
            }
        };
    }
}
