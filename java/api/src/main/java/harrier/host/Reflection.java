package harrier.host;

import java.lang.StackWalker.Option;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/**
 * Stands in for {@link Method#invoke} of a method of the program, which may wait. The JDK's frames in between keep nothing, so the call is
 * made once more to come back to what the method left.
 */
public final class Reflection {
    private static final StackWalker WALKER = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

    private Reflection() {}

    /** Stands in for {@link Method#invoke}. */
    public static Object invoke(Method method, Object self, Object[] arguments) throws IllegalAccessException, InvocationTargetException {
        if (Frames.place() > 0) {
            String descriptor = (String) Frames.value();
            String name = (String) Frames.value();
            Method left = found(loaded((String) Frames.value()), name, descriptor);
            return call(left, Frames.receiver(), nothing(left.getParameterTypes()));
        }
        boolean isPrograms = method != null && isPrograms(method.getDeclaringClass()) && (isStatic(method) || self != null);
        boolean isOpen = isPrograms && (isPublic(method) || isNear(method, WALKER.getCallerClass())
            || method.canAccess(isStatic(method) ? null : self));
        return isOpen ? call(found(method.getDeclaringClass(), method.getName(), descriptor(method)), self, arguments)
            : method.invoke(self, arguments);
    }

    /** Calls a method that nobody else has as an object. */
    private static Object call(Method method, Object self, Object[] arguments) throws IllegalAccessException, InvocationTargetException {
        method.setAccessible(true);
        Object given = method.invoke(self, arguments);
        if (Frames.isLeft()) {
            Frames.save(method.getDeclaringClass().getName());
            Frames.save(method.getName());
            Frames.save(descriptor(method));
            Frames.saved(null, "java.lang.reflect.Method.invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;", 0, 1);
        }
        return given;
    }

    private static boolean isStatic(Method method) {
        return Modifier.isStatic(method.getModifiers());
    }

    private static boolean isPublic(Method method) {
        return Modifier.isPublic(method.getModifiers()) && Modifier.isPublic(method.getDeclaringClass().getModifiers());
    }

    private static boolean isPrograms(Class<?> type) {
        return type.getClassLoader() != null && type.getClassLoader() == (Hooks.bound() == null ? null : Hooks.bound().loader());
    }

    /** Reports whether a class may call a method that is not public. */
    private static boolean isNear(Method method, Class<?> caller) {
        return method.getDeclaringClass().isNestmateOf(caller)
            || !Modifier.isPrivate(method.getModifiers()) && method.getDeclaringClass().getPackageName().equals(caller.getPackageName());
    }

    private static String descriptor(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes()).toMethodDescriptorString();
    }

    private static Class<?> loaded(String type) {
        try {
            return Class.forName(type, false, Hooks.bound().loader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A method of a class, as an object of its own. */
    private static Method found(Class<?> type, String name, String descriptor) {
        return Arrays.stream(type.getDeclaredMethods()).filter(m -> m.getName().equals(name) && descriptor(m).equals(descriptor)).findFirst().orElseThrow();
    }

    /** Arguments that mean nothing. */
    private static Object[] nothing(Class<?>[] types) {
        Object[] nothing = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            nothing[i] = types[i].isPrimitive() ? Array.get(Array.newInstance(types[i], 1), 0) : null;
        }
        return nothing;
    }
}
