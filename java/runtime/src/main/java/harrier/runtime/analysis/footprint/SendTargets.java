package harrier.runtime.analysis.footprint;

import harrier.runtime.analysis.flow.Classes;
import harrier.runtime.analysis.flow.Classes.Field;
import harrier.runtime.analysis.flow.Classes.Method;
import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Def.Kind;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.analysis.flow.Lambda;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.analysis.flow.Types;
import harrier.runtime.jdk.ExternalEffect;
import harrier.runtime.jdk.JdkMethods;
import harrier.runtime.wire.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** The receivers and types of messages: traced back from the call that sends, to callers and through getters. */
final class SendTargets {
    /** Functions that give nothing but a truth value, if anything. */
    private static final String TESTING = "java/util/function/(Bi)?(Predicate|Consumer)|java/util/Comparator";

    /** What holds names and calls functions with them. */
    private static final List<Class<?>> HOLDERS = List.of(Iterable.class, Iterator.class, Map.class, BaseStream.class,
        Optional.class);

    private final Reach reach;
    /** What the program passes to parameters; for those of functions, what holds it. */
    private final Map<Def, List<Val>> passed = new HashMap<>();
    /** Parameters that may get other values as well. */
    private final Set<Def> open = new HashSet<>();
    /** Whether the program has classes of its own that hold names, whose methods the JDK's may call. */
    private final boolean hasHolders;

    /**
     * Where a name, or a collection of names, may come from.
     *
     * @param field for {@link Target#FIELD}: which
     * @param why for {@link Target#ANYBODY}
     */
    record Origin(Target to, Field field, String why) {
        static Origin anybody(String why) {
            return new Origin(Target.TO_ANYBODY, null, why);
        }
    }

    SendTargets(Reach reach) {
        this.reach = reach;
        hasHolders = reach.codes().stream().filter(Code::isConstructor).map(c -> c.method.owner().name).distinct()
            .anyMatch(c -> isHolder(reach.classes.foreignSuper(c))
                || reach.classes.interfaces(c).stream().anyMatch(SendTargets::isHolder));
        for (Code code : reach.codes()) {
            for (int at = 0; at < code.size(); at++) {
                if (code.operands(at) != null) {
                    pass(code, at, code.operands(at));
                }
            }
        }
    }

    private void pass(Code code, int at, Val[] operands) {
        if (code.instruction(at) instanceof MethodInsnNode call) {
            for (Method m : reach.targets(call).methods()) {
                pass(operands, reach.code(m), 0);
            }
            for (Def made : reach.lambdas(call)) {
                open(made);
            }
            handOn(operands, callsWithElements(call) ? operands[0] : null);
        } else {
            boolean isCopy = code.def(at) != null && code.def(at).kind == Kind.COPY;
            handOn(isCopy ? new Val[0] : operands, null);
        }
        if (code.def(at) != null && code.def(at).kind == Kind.LAMBDA) {
            Lambda lambda = Lambda.of(code.def(at));
            for (Method m : reach.implementations(lambda)) {
                pass(operands, reach.code(m), lambda.first() - lambda.captured());
            }
        }
    }

    private void pass(Val[] operands, Code code, int first) {
        for (int i = 0; i < operands.length && first + i < code.parameters.size(); i++) {
            passed.computeIfAbsent(code.parameters.get(first + i), p -> new ArrayList<>()).add(operands[i]);
        }
    }

    /** Functions go where they are called with what something holds, or where they may be called with anything. */
    private void handOn(Val[] operands, Val holder) {
        for (Val v : operands) {
            for (Def root : v.roots()) {
                if (root.kind == Kind.LAMBDA && holder != null) {
                    give(root, holder);
                } else if (root.kind == Kind.LAMBDA) {
                    open(root);
                }
            }
        }
    }

    /**
     * Reports whether a method calls its argument, a function, with the content of its object, and with nothing else.
     */
    private boolean callsWithElements(MethodInsnNode call) {
        Type[] parameters = Type.getArgumentTypes(call.desc);
        String type = parameters.length == 1 ? parameters[0].getInternalName() : "";
        return !hasHolders && call.getOpcode() != Opcodes.INVOKESTATIC && ExternalEffect.isFunction(type)
            && !type.contains("Operator")
            && isHolder(call.owner) && !JdkMethods.of(call.owner, call.name, call.desc).isUnknown();
    }

    private static boolean isHolder(String type) {
        Class<?> known = JdkMethods.load(type);
        return known != null && HOLDERS.stream().anyMatch(h -> h.isAssignableFrom(known));
    }

    /** Reports whether what a method gives is its object, or comes out of it or out of its arguments. */
    private static boolean gives(String owner, MethodInsnNode call) {
        JdkMethods.Method method = JdkMethods.of(owner, call.name, call.desc);
        boolean testing = Stream.of(Type.getArgumentTypes(call.desc)).map(Type::getInternalName)
            .allMatch(t -> !ExternalEffect.isFunction(t) || t.matches(TESTING));
        return !method.isUnknown() && method.does().compareTo(JdkMethods.Deed.COPIES) <= 0 && testing
            && !ExternalEffect.isFunction(owner);
    }

    private void give(Def function, Val holder) {
        if (function.kind == Kind.LAMBDA) {
            arguments(Lambda.of(function)).forEach(a -> passed.computeIfAbsent(a, p -> new ArrayList<>()).add(holder));
        }
    }

    /** The parameters of what a function runs, but for those that it took along. */
    private List<Def> arguments(Lambda lambda) {
        List<Def> arguments = new ArrayList<>();
        for (Method m : reach.implementations(lambda)) {
            List<Def> parameters = reach.code(m).parameters;
            arguments.addAll(parameters.subList(Math.min(lambda.first(), parameters.size()), parameters.size()));
        }
        return arguments;
    }

    /** All but what a function took along may be anything. */
    private void open(Def function) {
        open.addAll(arguments(Lambda.of(function)));
    }

    /** Where a name, or a collection of names, may come from. */
    Set<Origin> of(Val name) {
        Set<Origin> found = new LinkedHashSet<>();
        trace(name, new HashSet<>(), found);
        return found;
    }

    private void trace(Val value, Set<Def> seen, Set<Origin> found) {
        if (value.defs().length == 0) {
            found.add(Origin.anybody("to one whose name is not followed"));
        }
        for (Def root : value.roots()) {
            if (seen.add(root)) {
                trace(root, seen, found);
            }
        }
    }

    private void trace(Def root, Set<Def> seen, Set<Origin> found) {
        switch (root.kind) {
            case CAST -> trace(root.operands()[0], seen, found);
            case PARAMETER -> parameter(root, seen, found);
            case FIELD -> found.add(field((FieldInsnNode) root.code.instruction(root.at)));
            case CALL -> call(root, seen, found);
            case CONSTANT -> { } // null is nobody's name
            default -> found.add(Origin.anybody("to one whose name is not followed"));
        }
    }

    private Origin field(FieldInsnNode access) {
        Field field = reach.classes.field(access.owner, access.name);
        if (field == null || !reach.classes.isSubtype(field.owner().name, Classes.ACTOR)) {
            return Origin.anybody("to one whose name is in " + reach.classes.shown(access.owner) + "." + access.name);
        }
        return new Origin(Target.TO_FIELD, field, "");
    }

    private void call(Def root, Set<Def> seen, Set<Origin> found) {
        MethodInsnNode call = root.code.instruction(root.at) instanceof MethodInsnNode m ? m : null;
        List<Method> targets = call == null ? List.of() : reach.targets(call).methods();
        boolean outside = call != null && targets.isEmpty() && reach.lambdas(call).isEmpty();
        String base = !outside ? "" : reach.classes.has(call.owner)
            ? reach.classes.foreignSuper(call.owner) : call.owner;
        if (base.equals(Classes.ACTOR) && call.name.equals("self")) {
            found.add(new Origin(Target.TO_SELF, null, ""));
        } else if (outside && !hasHolders && root.operands().length > 0 && gives(base, call)) {
            boolean all = call.getOpcode() == Opcodes.INVOKESTATIC
                || JdkMethods.of(base, call.name, call.desc).givesArgument();
            for (Val v : all ? root.operands() : new Val[] {root.operands()[0]}) {
                trace(v, seen, found);
            }
        } else if (!targets.isEmpty() && !reach.targets(call).others()) {
            targets.forEach(m -> returned(reach.code(m), seen, found));
        } else {
            found.add(Origin.anybody("to one whose name " + (call == null ? "is made" : call.name + " gives")));
        }
    }

    private void returned(Code code, Set<Def> seen, Set<Origin> found) {
        for (int at = 0; at < code.size(); at++) {
            if (code.instruction(at).getOpcode() == Opcodes.ARETURN && code.operands(at) != null) {
                trace(code.operands(at)[0], seen, found);
            }
        }
    }

    private void parameter(Def p, Set<Def> seen, Set<Origin> found) {
        boolean isSender = p.code.handler && p.at == 2 && p.code.quorumElement == null;
        List<Val> from = passed.getOrDefault(p, List.of());
        if (isSender) {
            found.add(new Origin(Target.TO_SENDER, null, ""));
        } else if (p.code.handler || open.contains(p) || from.isEmpty()) {
            found.add(Origin.anybody(p.code.handler ? "to one whose name is in a message"
                : "to one whose name is a parameter of " + p.code.method.node().name));
        }
        from.forEach(v -> trace(v, seen, found));
    }

    /** The classes that a message may have, as {@code Class.getName} has them; an empty text for those not known. */
    Set<String> types(Val message) {
        Set<String> found = new LinkedHashSet<>();
        types(message, new HashSet<>(), found);
        return found;
    }

    private void types(Val value, Set<Def> seen, Set<String> found) {
        if (value.defs().length == 0) {
            found.add("");
        }
        for (Def root : value.roots()) {
            boolean passedOn = root.kind == Kind.PARAMETER && !root.code.handler && !open.contains(root)
                && passed.containsKey(root) && !root.code.isLambda();
            if (!seen.add(root) || root.type.equals("null")) {
                continue;
            }
            if (passedOn) {
                passed.get(root).forEach(v -> types(v, seen, found));
            } else {
                types(root, found);
            }
        }
    }

    private void types(Def root, Set<String> found) {
        String name = Types.name(root.type);
        if (root.kind == Kind.NEW && root.type.startsWith("L")) {
            found.add(name.replace('/', '.'));
        } else if (!reach.classes.has(name)) {
            found.add(reach.types.kind(root.type) == Types.Kind.VALUE && root.type.startsWith("L")
                ? name.replace('/', '.') : "");
        } else if (!reach.classes.isPlain(name)) {
            found.add("");
        } else {
            for (String c : reach.classes.family(name)) {
                if (!reach.classes.isAbstract(c)) {
                    found.add(c.replace('/', '.'));
                }
            }
        }
    }
}
