package harrier.runtime;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** Finds and calls the handlers of live actors, by reflection and anew each time. */
final class LiveHandlers {
    private LiveHandlers() {}

    /** The handler that accepts a message now, or null. More than one is more than the twin can do. */
    static Method accepting(Actor actor, Object message, ActorName sender) {
        List<Method> accepting = new ArrayList<>();
        for (Method m : mostSpecific(actor.getClass(), message)) {
            String guard = m.getAnnotation(Handler.class).when();
            if (guard.isEmpty() || (boolean) call(method(actor.getClass(), guard), actor, message, sender)) {
                accepting.add(m);
            }
        }
        if (accepting.size() > 1) {
            throw new UnsupportedOperationException("several handlers accept " + message + ": " + accepting);
        }
        return accepting.isEmpty() ? null : accepting.get(0);
    }

    private static List<Method> mostSpecific(Class<?> type, Object message) {
        List<Method> fitting = methods(type).stream()
            .filter(m -> m.isAnnotationPresent(Handler.class) && m.getParameterTypes()[0].isInstance(message)).toList();
        List<Method> best = new ArrayList<>(fitting);
        for (Method m : fitting) {
            for (Method other : fitting) {
                Class<?> a = m.getParameterTypes()[0];
                Class<?> b = other.getParameterTypes()[0];
                if (a != b && a.isAssignableFrom(b)) {
                    best.remove(m);
                }
            }
        }
        if (best.isEmpty()) {
            throw new AssertionError(type + " has no handler for " + message);
        }
        return best;
    }

    /** The methods of a class, from its own to those of its ancestors, without overridden ones. */
    private static List<Method> methods(Class<?> type) {
        List<Method> methods = new ArrayList<>();
        for (Class<?> c = type; c != Actor.class; c = c.getSuperclass()) {
            for (Method m : c.getDeclaredMethods()) {
                boolean isOverridden = methods.stream().anyMatch(known -> known.getName().equals(m.getName())
                    && List.of(known.getParameterTypes()).equals(List.of(m.getParameterTypes())));
                if (!isOverridden) {
                    methods.add(m);
                }
            }
        }
        return methods;
    }

    private static Method method(Class<?> type, String name) {
        return methods(type).stream().filter(m -> m.getName().equals(name)).findFirst().orElseThrow();
    }

    /** Calls a handler or a guard with as many of message and sender as it takes. */
    static Object call(Method method, Actor actor, Object message, ActorName sender) {
        Object[] all = {message, sender};
        Object[] arguments = new Object[method.getParameterCount()];
        System.arraycopy(all, 0, arguments, 0, arguments.length);
        return invoke(method, actor, arguments);
    }

    static Object invoke(Method method, Object target, Object... arguments) {
        try {
            method.setAccessible(true);
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw new AssertionError(method + " failed", e.getCause());
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
