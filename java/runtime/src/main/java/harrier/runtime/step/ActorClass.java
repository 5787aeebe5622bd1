package harrier.runtime.step;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.runtime.UsageException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The handlers of an actor class, found once by annotation and parameter type.
 *
 * @param type the actor class
 * @param handlers all its handlers, inherited ones included, by label
 * @param byMessage memory of {@link #handlersFor}
 */
public record ActorClass(Class<?> type, List<HandlerMethod> handlers, Map<Class<?>, List<HandlerMethod>> byMessage) {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    /**
     * One handler.
     *
     * @param label what people call it: {@code Acceptor.on(Prepare)}
     * @param message the type of message it takes
     * @param body (Actor, Object message, ActorName sender) to void
     * @param guard (Actor, Object message, ActorName sender) to boolean, or null
     */
    public record HandlerMethod(String label, Class<?> message, MethodHandle body, MethodHandle guard) {}

    /** Finds the handlers of a class; a wrong declaration is a {@link UsageException}. */
    public static ActorClass of(Class<?> type) {
        List<HandlerMethod> handlers = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (Class<?> c = type; c != Actor.class; c = c.getSuperclass()) {
            for (Method m : c.getDeclaredMethods()) {
                if (m.isBridge() && !leadsToOwnMethod(m)) {
                    continue; // it only makes a hidden ancestor's method public
                }
                // An override that lacks the annotation handles messages all the same: it is what is called.
                // A bridge is no handler, but hides the method for which it stands.
                if ((m.isBridge() || m.isAnnotationPresent(Handler.class))
                        && known.add(m.getName() + Arrays.toString(m.getParameterTypes())) && !m.isBridge()) {
                    handlers.add(handler(type, m));
                }
            }
        }
        handlers.sort(Comparator.comparing(HandlerMethod::label));
        ActorClass made = new ActorClass(type, List.copyOf(handlers), new ConcurrentHashMap<>());
        made.refuseAmbiguity();
        return made;
    }

    /** Whether a bridge leads to a method of the same class, which overrides one for a type parameter. */
    private static boolean leadsToOwnMethod(Method bridge) {
        Class<?>[] wide = bridge.getParameterTypes();
        return Arrays.stream(bridge.getDeclaringClass().getDeclaredMethods()).anyMatch(m -> !m.isBridge()
            && m.getName().equals(bridge.getName()) && m.getParameterCount() == wide.length
            && (wide.length == 0 || wide[0].isAssignableFrom(m.getParameterTypes()[0])));
    }

    /** The handlers that may take a message: those with the most specific matching type. */
    public List<HandlerMethod> handlersFor(Class<?> message) {
        return byMessage.computeIfAbsent(message, m -> {
            List<HandlerMethod> matching = handlers.stream().filter(h -> h.message.isAssignableFrom(m)).toList();
            return matching.stream().filter(h -> matching.stream().noneMatch(
                o -> o.message != h.message && h.message.isAssignableFrom(o.message))).toList();
        });
    }

    private void refuseAmbiguity() {
        for (HandlerMethod a : handlers) {
            for (HandlerMethod b : handlers) {
                if (a != b && a.message == b.message && (a.guard == null || b.guard == null)) {
                    throw new UsageException(type.getName() + " has two handlers for " + a.message.getSimpleName()
                        + ", " + a.label + " and " + b.label + ": keep one, or give both a guard");
                }
            }
        }
    }

    private static HandlerMethod handler(Class<?> type, Method m) {
        Class<?>[] parameters = m.getParameterTypes();
        String label = m.getDeclaringClass().getSimpleName() + "." + m.getName() + "("
            + String.join(", ", Arrays.stream(parameters).map(Class::getSimpleName).toList()) + ")";
        if (!hasHandlerParameters(parameters) || parameters.length == 0) {
            throw new UsageException(label + " cannot be a handler: it must take a message, and may take the sender"
                + " (an ActorName) after it");
        }
        if (m.getReturnType() != void.class || Modifier.isStatic(m.getModifiers())) {
            throw new UsageException(label + " cannot be a handler: it must return nothing and not be static");
        }
        if (parameters[0].isPrimitive() || Actor.class.isAssignableFrom(parameters[0])) {
            throw new UsageException(label + " cannot be a handler: " + parameters[0].getSimpleName()
                + " cannot be a message");
        }
        String when = m.getAnnotation(Handler.class).when();
        return new HandlerMethod(label, parameters[0], uniform(m),
            when.isEmpty() ? null : uniform(guard(type, label, when, parameters[0])));
    }

    private static Method guard(Class<?> type, String label, String name, Class<?> message) {
        for (Class<?> c = type; c != Object.class; c = c.getSuperclass()) {
            for (Method m : c.getDeclaredMethods()) {
                Class<?>[] parameters = m.getParameterTypes();
                if (m.getName().equals(name) && !m.isBridge() && m.getReturnType() == boolean.class
                        && !Modifier.isStatic(m.getModifiers()) && hasHandlerParameters(parameters)
                        && (parameters.length == 0 || parameters[0].isAssignableFrom(message))) {
                    return m;
                }
            }
        }
        throw new UsageException(label + " has no guard " + name + ": " + type.getSimpleName()
            + " needs a method boolean " + name + "(), (" + message.getSimpleName() + ") or ("
            + message.getSimpleName() + ", ActorName)");
    }

    /** Nothing, a message, or a message and its sender. */
    private static boolean hasHandlerParameters(Class<?>[] parameters) {
        return parameters.length < 2 || parameters.length == 2 && parameters[1] == ActorName.class;
    }

    /** The method as a function of actor, message and sender, whatever of these it takes. */
    private static MethodHandle uniform(Method m) {
        m.setAccessible(true);
        try {
            MethodHandle handle = LOOKUP.unreflect(m);
            MethodType wanted = MethodType.methodType(m.getReturnType(), Actor.class, Object.class, ActorName.class);
            int given = handle.type().parameterCount();
            return MethodHandles.dropArguments(handle, given, wanted.parameterList().subList(given, 3)).asType(wanted);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
