package harrier.runtime.analysis.footprint;

import harrier.runtime.analysis.flow.Code;
import harrier.runtime.analysis.flow.Def;
import harrier.runtime.analysis.flow.Def.Val;
import harrier.runtime.analysis.flow.Lambda;
import harrier.runtime.analysis.flow.Reach;
import harrier.runtime.analysis.flow.Types;
import harrier.runtime.jdk.ExternalEffect;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * What escapes through calls: objects whose content code outside may read, and lambdas that are passed on by other code
 * than made them.
 *
 * <p>It goes by types, and by where a method has its functions from. {@link PointsTo} is not asked: every check asks
 * this of properties, whose code is left out there, since they get copies of states.
 */
public final class Escapes {
    private final Reach reach;
    /** The functions that the program makes. */
    private final Set<Lambda> functions = new LinkedHashSet<>();
    /** Those of {@code java.util.function} that are part of comparators. */
    private final Set<Lambda> compared = new HashSet<>();
    private boolean mayCompareAll;
    /** Whether a class implements a function of the JDK, by its name. */
    private final Map<String, Boolean> implementing = new HashMap<>();
    /** How many parameters of a function's body it captures. */
    private final Map<Code, Integer> taken = new HashMap<>();

    public Escapes(Reach reach) {
        this.reach = reach;
        for (Code code : reach.codes()) {
            for (int at = 0; at < code.size(); at++) {
                if (code.def(at) != null && code.def(at).kind == Def.Kind.LAMBDA) {
                    add(Lambda.of(code.def(at)));
                }
                if (code.instruction(at) instanceof MethodInsnNode call && call.desc.endsWith(")Ljava/util/Comparator;")
                        && !reach.classes.has(call.owner)) {
                    addCompared(code.operands(at));
                }
            }
        }
    }

    private void add(Lambda function) {
        functions.add(function);
        reach.implementations(function).forEach(m -> taken.merge(reach.code(m), function.first(), Math::min));
    }

    /** What a comparator is made of, such as by {@code Comparator.comparing}. */
    private void addCompared(Val[] operands) {
        mayCompareAll |= operands == null;
        for (Val v : operands == null ? new Val[0] : operands) {
            for (Def root : v.roots()) {
                if (root.kind == Def.Kind.LAMBDA) {
                    compared.add(Lambda.of(root));
                } else {
                    mayCompareAll |= ExternalEffect.isFunction(Types.name(root.type));
                }
            }
        }
    }

    /** Reports whether comparing, sorting and printing may call a function. */
    boolean mayCompare(Lambda function) {
        return ExternalEffect.isFunction(function.type()) ? mayCompareAll || compared.contains(function)
            : !reach.classes.has(function.type());
    }

    Collection<Lambda> functions() {
        return functions;
    }

    /**
     * Reports whether some of these are functions that may be made by others than the code that hands them on.
     *
     * @param ofClasses whether objects count, too, of classes of the program that implement a function of the JDK
     */
    boolean foundFunctions(Val[] operands, boolean ofClasses) {
        for (Val v : operands) {
            for (Def root : v.roots()) {
                if (isFunction(root.type) && !isOwn(root) || ofClasses && implementsFunction(root.type)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Reports whether a function is made here, or handed on by code of the program that makes it. */
    private boolean isOwn(Def root) {
        if (root.kind == Def.Kind.PARAMETER) {
            return !root.code.handler && root.at < taken.getOrDefault(root.code, Integer.MAX_VALUE);
        }
        boolean made = root.kind == Def.Kind.CALL && root.code.instruction(root.at) instanceof MethodInsnNode call
            && !reach.classes.has(call.owner);
        for (Val v : made ? root.operands() : new Val[0]) {
            for (Def r : v.roots()) {
                made &= isFunction(r.type) ? isOwn(r) : reach.types.kind(r.type) == Types.Kind.VALUE;
            }
        }
        return made || root.kind == Def.Kind.LAMBDA;
    }

    /** Reports whether a method is that of a function, or takes one. */
    boolean takesFunctions(MethodInsnNode call, boolean ofClasses) {
        Stream<String> types = Stream.concat(Stream.of("L" + call.owner + ";"),
            Stream.of(Type.getArgumentTypes(call.desc)).map(Type::getDescriptor));
        return types.anyMatch(t -> isFunction(t) || ofClasses && implementsFunction(t));
    }

    private boolean isFunction(String type) {
        String name = Types.name(type);
        return ExternalEffect.isFunction(name) || functions.stream().anyMatch(f -> f.type().equals(name));
    }

    private boolean implementsFunction(String type) {
        return implementing.computeIfAbsent(Types.name(type), name -> reach.classes.has(name)
            && reach.classes.interfaces(name).stream().anyMatch(ExternalEffect::isFunction));
    }

    /** Reports whether some of these are more than values. */
    boolean hasObjects(Val[] operands) {
        for (Val v : operands) {
            for (Def root : v.roots()) {
                if (root.kind != Def.Kind.LAMBDA && isObject(root.type)) {
                    return true;
                }
            }
            if (v.defs().length == 0) {
                return true;
            }
        }
        return false;
    }

    /** Reports whether a method is that of an object, or takes one. */
    boolean takesObjects(MethodInsnNode call, boolean isStatic) {
        boolean found = !isStatic && isObject("L" + call.owner + ";");
        for (Type t : Type.getArgumentTypes(call.desc)) {
            found |= isObject(t.getDescriptor());
        }
        return found;
    }

    private boolean isObject(String type) {
        return reach.types.kind(type) != Types.Kind.VALUE;
    }
}
