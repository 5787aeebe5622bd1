package harrier.runtime.property;

import harrier.runtime.actor.AnnotatedMethods;
import harrier.runtime.failure.RuleException;
import harrier.runtime.failure.UsageException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The class of a sequential specification. Its method {@code apply} whose parameter is the most specific one for
 * an invocation carries that out on a state, and gives the result; a static {@code key} gives the object that an
 * invocation is about, where operations on different objects do not influence one another.
 */
final class Specification {
    private final Class<?> type;
    private final Constructor<?> constructor;
    private final List<Method> operations;
    private final List<Method> keys;

    /**
     * Looks at a class.
     *
     * @throws UsageException if it cannot be a specification
     */
    Specification(Class<?> type) {
        this.type = type;
        constructor = constructor(type);
        operations = methods("apply", false);
        keys = methods("key", true);
        if (operations.isEmpty()) {
            throw new UsageException(name() + " cannot be a specification: it needs a method apply for each class that"
                + " invoked is given, which takes it and gives the result");
        }
    }

    private static Constructor<?> constructor(Class<?> type) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            if (!Modifier.isAbstract(type.getModifiers())) {
                constructor.setAccessible(true);
                return constructor;
            }
        } catch (NoSuchMethodException e) {
            // said below
        }
        throw new UsageException(type.getSimpleName() + " cannot be a specification: it must be a class that is not abstract,"
            + " with a constructor without parameters; declare inner classes static");
    }

    private List<Method> methods(String name, boolean isStatic) {
        List<Method> found = AnnotatedMethods.of(type, Object.class, m -> m.getName().equals(name)
            && (m.getParameterCount() == 1 || !isStatic && m.getParameterCount() == 2 && m.getParameterTypes()[1] == IntUnaryOperator.class)
            && Modifier.isStatic(m.getModifiers()) == isStatic);
        found.forEach(m -> m.setAccessible(true));
        return found;
    }

    String name() {
        return type.getSimpleName();
    }

    /** The state before all operations. */
    Object initial() throws InvocationTargetException {
        try {
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw failed(e);
        }
    }

    /** The result of an operation, which changes the state. */
    Object apply(Object state, Object invocation, IntUnaryOperator choose) throws InvocationTargetException {
        return call(operations, state, invocation, choose);
    }

    /** The object that an operation is about; null if all are about one. */
    Object key(Object invocation) throws InvocationTargetException {
        return keys.isEmpty() ? null : call(keys, null, invocation, null);
    }

    private Object call(List<Method> methods, Object state, Object invocation, IntUnaryOperator choose) throws InvocationTargetException {
        try {
            Method method = mostSpecific(methods, invocation.getClass());
            return method.getParameterCount() == 1 ? method.invoke(state, invocation) : method.invoke(state, invocation, choose);
        } catch (IllegalAccessException e) {
            throw failed(e);
        }
    }

    private static RuntimeException failed(ReflectiveOperationException e) throws InvocationTargetException {
        if (e instanceof InvocationTargetException thrown) {
            throw thrown;
        }
        return new IllegalStateException(e);
    }

    private Method mostSpecific(List<Method> methods, Class<?> invocation) {
        List<Method> fitting = methods.stream().filter(m -> m.getParameterTypes()[0].isAssignableFrom(invocation)).toList();
        String call = methods.get(0).getName() + "(" + invocation.getSimpleName() + ")";
        if (fitting.isEmpty()) {
            throw new RuleException(name() + " has no method " + call + ": a specification has one for each class that invoked is"
                + " given");
        }
        return fitting.stream().filter(m -> fitting.stream()
            .allMatch(o -> o.getParameterTypes()[0].isAssignableFrom(m.getParameterTypes()[0]))).findFirst()
            .orElseThrow(() -> new RuleException(name() + " has several methods that fit " + call + ": add one for exactly this class"));
    }
}
