package harrier.runtime.step;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Internal;
import harrier.runtime.AnnotatedMethods;
import harrier.runtime.RuleException;
import harrier.runtime.UsageException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The handlers of an actor class, found once by annotation and parameter type.
 *
 * @param type the actor class
 * @param handlers all its handlers of messages, inherited ones included, by label
 * @param internals its internal handlers, likewise
 * @param byMessage memory of {@link #handlersFor}
 */
public record ActorClass(Class<?> type, List<HandlerMethod> handlers, List<HandlerMethod> internals,
        Map<Class<?>, List<HandlerMethod>> byMessage) {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    /**
     * One handler.
     *
     * @param label what people call it: {@code Acceptor.on(Prepare)}
     * @param message the type of message it takes; null if it is an internal one
     * @param body (Actor, Object message, ActorName sender) to void
     * @param guard (Actor, Object message, ActorName sender) to boolean, or null
     */
    public record HandlerMethod(String label, Class<?> message, MethodHandle body, MethodHandle guard) {}

    /** Finds the handlers of a class; a wrong declaration is a {@link UsageException}. */
    public static ActorClass of(Class<?> type) {
        List<HandlerMethod> handlers = AnnotatedMethods.of(type, Actor.class, Handler.class).stream()
            .map(m -> handler(type, m)).sorted(Comparator.comparing(HandlerMethod::label)).toList();
        List<HandlerMethod> internals = AnnotatedMethods.of(type, Actor.class, Internal.class).stream()
            .map(m -> internal(type, m)).sorted(Comparator.comparing(HandlerMethod::label)).toList();
        ActorClass made = new ActorClass(type, handlers, internals, new ConcurrentHashMap<>());
        made.refuseAmbiguity();
        Births.durable(type); // finds wrong declarations now
        return made;
    }

    /** What people call the way an actor of the class starts again after a crash. */
    public String restartLabel() {
        return type.getSimpleName() + ".onRestart()";
    }

    /** The handlers that may take a message: those with the most specific matching type. */
    public List<HandlerMethod> handlersFor(Class<?> message) {
        return byMessage.computeIfAbsent(message, m -> {
            List<HandlerMethod> matching = handlers.stream().filter(h -> h.message.isAssignableFrom(m)).toList();
            List<HandlerMethod> best = matching.stream().filter(h -> matching.stream().noneMatch(
                o -> o.message != h.message && h.message.isAssignableFrom(o.message))).toList();
            if (best.size() > 1 && best.stream().anyMatch(h -> h.guard == null)) {
                throw new RuleException(type.getSimpleName() + " has several handlers that fit " + m.getSimpleName()
                    + " equally well, " + String.join(" and ", best.stream().map(HandlerMethod::label).toList())
                    + ": add one for " + m.getSimpleName() + ", or give all of them guards");
            }
            return best;
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
        String label = label(m);
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
            when.isEmpty() ? null : uniform(guard(type, m, label, when)));
    }

    private static HandlerMethod internal(Class<?> type, Method m) {
        String label = label(m);
        if (m.getParameterCount() > 0 || m.getReturnType() != void.class || Modifier.isStatic(m.getModifiers())) {
            throw new UsageException(label + " cannot be an internal handler: it must take nothing, return nothing and not"
                + " be static");
        }
        if (m.isAnnotationPresent(Handler.class)) {
            throw new UsageException(label + " cannot be both a @Handler and @Internal: make two methods of it");
        }
        String when = m.getAnnotation(Internal.class).when();
        return new HandlerMethod(label, null, uniform(m), when.isEmpty() ? null : uniform(guard(type, m, label, when)));
    }

    /**
     * The guard that a handler names: the method that its class sees, which a subclass may override, or
     * else one that a subclass adds.
     */
    private static Method guard(Class<?> type, Method handler, String label, String name) {
        Class<?> home = handler.getDeclaringClass();
        Class<?> message = handler.getParameterCount() == 0 ? null : handler.getParameterTypes()[0];
        Predicate<Method> fits = m -> m.getName().equals(name) && m.getReturnType() == boolean.class
            && !Modifier.isStatic(m.getModifiers()) && hasHandlerParameters(m.getParameterTypes())
            && (m.getParameterCount() == 0 || message != null && m.getParameterTypes()[0].isAssignableFrom(message))
            && (m.getDeclaringClass() == home || !Modifier.isPrivate(m.getModifiers()));
        List<Method> found = AnnotatedMethods.of(home, Actor.class, fits);
        if (found.isEmpty()) {
            found = AnnotatedMethods.of(type, Actor.class, fits);
        }
        if (found.isEmpty()) {
            throw new UsageException(label + " has no guard " + name + ": " + type.getSimpleName()
                + " needs a method boolean " + name + "()" + (message == null ? "" : ", (" + message.getSimpleName()
                + ") or (" + message.getSimpleName() + ", ActorName)"));
        }
        if (found.size() > 1) {
            throw new UsageException(label + " has " + found.size() + " guards " + name + ", "
                + String.join(" and ", found.stream().map(ActorClass::label).sorted().toList())
                + ": give all but one another name");
        }
        return found.get(0);
    }

    private static String label(Method m) {
        return m.getDeclaringClass().getSimpleName() + "." + m.getName() + "("
            + String.join(", ", Arrays.stream(m.getParameterTypes()).map(Class::getSimpleName).toList()) + ")";
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
