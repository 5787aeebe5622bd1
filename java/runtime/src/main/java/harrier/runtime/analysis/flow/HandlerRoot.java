package harrier.runtime.analysis.flow;

import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Classes.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.signature.SignatureReader;
import org.objectweb.asm.signature.SignatureVisitor;
import org.objectweb.asm.tree.MethodNode;

/**
 * A handler as an actor's class declares it.
 *
 * @param label what people call it, as {@code harrier.runtime.actor.ActorClass} does
 * @param message the type of its messages, a descriptor; null if it takes none
 * @param body the code that runs
 * @param asked the code that decides whether it may run: guards and the sizes of quorums, or all that these may be; and whether it may
 *     do what it does: step invariants
 * @param sizes fields that say how many messages it takes, or may be such
 */
public record HandlerRoot(String label, String message, Method body, List<Method> asked, List<Field> sizes) {

    /** The handlers of an actor's class. */
    public static List<HandlerRoot> of(String actor, Classes classes, Roots roots) {
        List<HandlerRoot> found = new ArrayList<>();
        for (String annotation : List.of(Roots.HANDLER, Roots.INTERNAL)) {
            for (Method m : roots.annotated(actor, annotation)) {
                Method runs = m.is(Opcodes.ACC_PRIVATE) ? m : classes.method(actor, m.node().name, m.node().desc);
                boolean replaced = runs.node() != m.node() && Roots.isAnnotated(runs.node().visibleAnnotations, annotation);
                if (!replaced && !runs.is(Opcodes.ACC_ABSTRACT)) {
                    found.add(of(actor, m, runs, annotation, classes, roots));
                }
            }
        }
        return found;
    }

    private static HandlerRoot of(String actor, Method m, Method runs, String annotation, Classes classes, Roots roots) {
        Type[] types = Type.getArgumentTypes(m.node().desc);
        String several = QuorumParameter.elements(m);
        String message = several != null ? several : types.length > 0 ? types[0].getDescriptor() : null;
        String guard = (String) Roots.value(m.node(), annotation, "when");
        String size = (String) Roots.value(m.node(), annotation, "quorum");
        List<Method> asked = new ArrayList<>(roots.stepInvariants(actor));
        List<Field> sizes = new ArrayList<>();
        for (String c : roots.ancestry(actor)) {
            for (MethodNode n : classes.node(c).methods) {
                if (n.name.equals(guard) && isGuard(n, m.node(), classes) || n.name.equals(size) && n.desc.equals("()I")) {
                    asked.add(new Method(classes.node(c), n));
                }
            }
            classes.instanceFields(c).stream().filter(f -> f.node().name.equals(size)).forEach(sizes::add);
        }
        return new HandlerRoot(label(m, classes), message, runs, asked, sizes);
    }

    /** Reports whether a method may be meant by the name of a handler's guard. */
    private static boolean isGuard(MethodNode guard, MethodNode handler, Classes classes) {
        Type[] taken = Type.getArgumentTypes(guard.desc);
        Type[] given = Type.getArgumentTypes(handler.desc);
        if (!guard.desc.endsWith(")Z") || (guard.access & Opcodes.ACC_ABSTRACT) != 0) {
            return false;
        }
        if (taken.length == 0 || given.length == 0) {
            return taken.length == 0;
        }
        String type = Types.name(taken[0].getDescriptor());
        String message = Types.name(given[0].getDescriptor());
        return type.equals(message) || !classes.has(type) || classes.isSubtype(message, type);
    }

    private static String label(Method m, Classes classes) {
        List<List<String>> arguments = new ArrayList<>();
        String signature = m.node().signature == null ? m.node().desc : m.node().signature;
        new SignatureReader(signature).accept(new Arguments(arguments));
        Type[] types = Type.getArgumentTypes(m.node().desc);
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            List<String> of = arguments.get(i);
            boolean isCollection = of.size() == 1 && Stream.of("Set", "List", "Collection")
                .map("java/util/"::concat).anyMatch(types[i].getInternalName()::equals);
            boolean isMap = of.size() == 2 && types[i].getInternalName().equals("java/util/Map") && of.get(0).equals("harrier/ActorName");
            shown.add(shown(types[i], classes) + (!isCollection && !isMap ? ""
                : of.stream().map(a -> shown(Type.getObjectType(a), classes)).collect(Collectors.joining(", ", "<", ">"))));
        }
        return classes.shown(m.owner().name) + "." + m.node().name + "("
            + shown.stream().collect(Collectors.joining(", ")) + ")";
    }

    private static String shown(Type type, Classes classes) {
        return type.getSort() == Type.ARRAY ? shown(type.getElementType(), classes) + "[]".repeat(type.getDimensions())
            : classes.shown(type.getClassName());
    }

    /** Finds for each parameter the classes that are its type arguments. */
    private static final class Arguments extends SignatureVisitor {
        private final List<List<String>> found;

        Arguments(List<List<String>> found) {
            super(Opcodes.ASM9);
            this.found = found;
        }

        @Override
        public SignatureVisitor visitParameterType() {
            List<String> classes = new ArrayList<>();
            found.add(classes);
            return new SignatureVisitor(Opcodes.ASM9) {
                @Override
                public SignatureVisitor visitTypeArgument(char wildcard) {
                    boolean isClass = wildcard == INSTANCEOF;
                    return new SignatureVisitor(Opcodes.ASM9) {
                        @Override
                        public void visitClassType(String name) {
                            if (isClass) {
                                classes.add(name);
                            }
                        }

                        @Override
                        public void visitInnerClassType(String name) {
                            if (isClass) {
                                classes.set(classes.size() - 1, classes.get(classes.size() - 1) + "$" + name);
                            }
                        }

                        @Override
                        public SignatureVisitor visitTypeArgument(char nested) {
                            return new SignatureVisitor(Opcodes.ASM9) {};
                        }
                    };
                }
            };
        }
    }
}
