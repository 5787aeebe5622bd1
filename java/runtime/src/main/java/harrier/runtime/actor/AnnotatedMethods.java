package harrier.runtime.actor;

import harrier.runtime.failure.UsageException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Finds the methods of a class that mean something to the checker, inherited ones included. */
public final class AnnotatedMethods {
    private AnnotatedMethods() {}

    /**
     * The methods with an annotation, of a class, its superclasses below {@code top} and its interfaces,
     * without those that another one of them overrides. An override that lacks the annotation does not
     * count: the method that it overrides is found, and calling that runs the override.
     */
    public static List<Method> of(Class<?> type, Class<?> top, Class<? extends Annotation> annotation) {
        return of(type, top, m -> m.isAnnotationPresent(annotation));
    }

    /** As above, for a predicate of methods instead of an annotation. */
    public static List<Method> of(Class<?> type, Class<?> top, Predicate<Method> wanted) {
        List<Method> found = new ArrayList<>();
        for (Class<?> c : ancestry(type, top)) {
            for (Method m : c.getDeclaredMethods()) {
                // A bridge is not wanted itself, but hides the method for which it stands; unless it only makes
                // a hidden ancestor's method public.
                if (!(m.isBridge() ? leadsToOwnMethod(m) : wanted.test(m))) {
                    continue;
                }
                List<Method> overriding = found.stream().filter(derived -> overrides(derived, m)).toList();
                if (overriding.isEmpty()) {
                    found.add(m);
                } else if (!m.isBridge() && overriding.stream().noneMatch(wanted)) {
                    // Only a bridge overrides it, that is: a method for a more specific type.
                    throw new UsageException(m.getDeclaringClass().getSimpleName() + "." + m.getName()
                        + " is overridden for a more specific type in "
                        + overriding.get(0).getDeclaringClass().getSimpleName() + ": annotate the override as well");
                }
            }
        }
        found.removeIf(Method::isBridge);
        return found;
    }

    /** The class and its superclasses, then all their interfaces, each before those that it extends. */
    private static List<Class<?>> ancestry(Class<?> type, Class<?> top) {
        List<Class<?>> classes = new ArrayList<>();
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        for (Class<?> c = type; c != null && c != top; c = c.getSuperclass()) {
            classes.add(c);
            addInterfaces(c, interfaces);
        }
        List<Class<?>> ordered = new ArrayList<>(interfaces);
        ordered.sort(Comparator.comparing(i -> -interfaces.stream().filter(o -> o.isAssignableFrom(i)).count()));
        classes.addAll(ordered);
        return classes;
    }

    private static void addInterfaces(Class<?> type, Set<Class<?>> interfaces) {
        for (Class<?> i : type.getInterfaces()) {
            if (interfaces.add(i)) {
                addInterfaces(i, interfaces);
            }
        }
    }

    /** Reports whether calling {@code m} runs {@code derived}, which comes earlier in the ancestry. */
    private static boolean overrides(Method derived, Method m) {
        if (derived.getDeclaringClass() == m.getDeclaringClass() || !sameSignature(derived, m)
                || !isVirtual(derived) || !isVirtual(m)) {
            return false;
        }
        if (m.getDeclaringClass().isInterface() || (m.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
                || samePackage(derived, m)) {
            return true;
        }
        // An override in between may have made a method of one package visible to others.
        for (Class<?> c = derived.getDeclaringClass().getSuperclass(); c != m.getDeclaringClass();
                c = c.getSuperclass()) {
            if (Arrays.stream(c.getDeclaredMethods()).anyMatch(b -> sameSignature(b, m) && overrides(derived, b)
                    && overrides(b, m))) {
                return true;
            }
        }
        return false;
    }

    private static boolean sameSignature(Method a, Method b) {
        return a.getName().equals(b.getName()) && Arrays.equals(a.getParameterTypes(), b.getParameterTypes());
    }

    private static boolean isVirtual(Method m) {
        return (m.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) == 0;
    }

    private static boolean samePackage(Method a, Method b) {
        return a.getDeclaringClass().getPackage() == b.getDeclaringClass().getPackage();
    }

    /** Reports whether a bridge leads to a method of the same class, which overrides one for a type parameter. */
    private static boolean leadsToOwnMethod(Method bridge) {
        Class<?>[] wide = bridge.getParameterTypes();
        return Arrays.stream(bridge.getDeclaringClass().getDeclaredMethods()).anyMatch(m -> !m.isBridge()
            && m.getName().equals(bridge.getName()) && m.getParameterCount() == wide.length
            && (wide.length == 0 || wide[0].isAssignableFrom(m.getParameterTypes()[0])));
    }
}
