package harrier.runtime.actor;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Internal;
import harrier.runtime.actor.ActorClass.HandlerMethod;
import harrier.runtime.failure.UsageException;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.load.compile.ClassLabels;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Reads how an actor class declares its handlers. A wrong declaration is a {@link UsageException}. */
public final class Handlers {
    public static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private Handlers() {}

    /**
     * What to do about messages of a class that an actor class has no handler for: annotate the method that would take them, if there
     * is one, or add one.
     *
     * @param name what to call the parameter of a new handler
     */
    public static String mend(Class<?> actor, Class<?> message, String name) {
        return AnnotatedMethods.of(actor, Actor.class, m -> isForgotten(m, message)).stream().findFirst()
            .map(m -> label(m) + " is not annotated: put @Handler before it")
            .orElse("add \"@Handler void on(" + message.getSimpleName() + " " + name + ")\" to " + actor.getSimpleName());
    }

    /** Reports whether a method that is no handler could be one of messages of a class. */
    private static boolean isForgotten(Method m, Class<?> message) {
        Class<?>[] takes = m.getParameterTypes();
        return !m.isAnnotationPresent(Handler.class) && !m.isSynthetic() && !Modifier.isStatic(m.getModifiers())
            && m.getReturnType() == void.class && (takes.length == 1 || takes.length == 2 && takes[1] == ActorName.class)
            && takes[0] != Object.class && takes[0].isAssignableFrom(message);
    }

    /** A handler of messages. */
    static HandlerMethod ofMessages(Class<?> type, Method m) {
        String label = label(m);
        if (m.getReturnType() != void.class || Modifier.isStatic(m.getModifiers())) {
            throw new UsageException(label + " cannot be a handler: it must return nothing and not be static");
        }
        MethodHandle guard = guard(type, m, label, m.getAnnotation(Handler.class).when());
        if (QuorumHandlers.isQuorumHandler(m)) {
            return new HandlerMethod(m, label, QuorumHandlers.message(m, label), uniform(m), guard,
                QuorumHandlers.parameter(type, m, label));
        }
        return new HandlerMethod(m, label, message(m, label), uniform(m), guard, null);
    }

    /** The type of message of a handler that takes one. */
    private static Class<?> message(Method m, String label) {
        Class<?>[] parameters = m.getParameterTypes();
        if (parameters.length == 0 || parameters.length > 2 || parameters.length == 2 && parameters[1] != ActorName.class) {
            throw new UsageException(label + " cannot be a handler: it must take a message, and may take the sender"
                + " (an ActorName) after it");
        }
        requireMessage(parameters[0], label);
        String quorum = m.getAnnotation(Handler.class).quorum();
        if (!quorum.isEmpty()) {
            String name = parameters[0].getSimpleName();
            throw new UsageException(label + " takes one message, so it cannot have quorum = \"" + quorum + "\": take a Set<"
                + name + ">, List<" + name + ">, Collection<" + name + "> or Map<ActorName, " + name + ">, or leave quorum out");
        }
        return parameters[0];
    }

    /** Fails if a type is no type of messages. */
    static void requireMessage(Class<?> type, String label) {
        if (type.isPrimitive() || Actor.class.isAssignableFrom(type)) {
            throw new UsageException(label + " cannot be a handler: " + type.getSimpleName() + " cannot be a message");
        }
    }

    /** An internal handler. */
    static HandlerMethod internal(Class<?> type, Method m) {
        String label = label(m);
        if (m.getParameterCount() > 0 || m.getReturnType() != void.class || Modifier.isStatic(m.getModifiers())) {
            throw new UsageException(label + " cannot be an internal handler: it must take nothing, return nothing and not"
                + " be static");
        }
        if (m.isAnnotationPresent(Handler.class)) {
            throw new UsageException(label + " cannot be both a @Handler and @Internal: make two methods of it");
        }
        return new HandlerMethod(m, label, null, uniform(m), guard(type, m, label, m.getAnnotation(Internal.class).when()), null);
    }

    /** The guard that a handler names; null if it names none. */
    private static MethodHandle guard(Class<?> type, Method handler, String label, String name) {
        if (name.isEmpty()) {
            return null;
        }
        List<Method> found = seen(type, handler, m -> m.getName().equals(name) && m.getReturnType() == boolean.class
            && isGuardOf(handler, m));
        if (found.isEmpty()) {
            throw new UsageException(label + " has no guard " + name + ": " + type.getSimpleName()
                + " needs a method boolean " + name + "()" + parametersOfGuards(handler));
        }
        requireOne(found, label, "guards " + name);
        return uniform(found.get(0));
    }

    private static boolean isGuardOf(Method handler, Method m) {
        int taken = m.getParameterCount();
        if (taken == 0 || handler.getParameterCount() == 0 || taken > 2) {
            return taken == 0;
        }
        if (QuorumHandlers.isQuorumHandler(handler)) {
            return QuorumHandlers.isGuardOf(handler, m);
        }
        return m.getParameterTypes()[0].isAssignableFrom(handler.getParameterTypes()[0])
            && (taken == 1 || m.getParameterTypes()[1] == ActorName.class);
    }

    private static String parametersOfGuards(Method handler) {
        if (handler.getParameterCount() == 0) {
            return "";
        }
        String messages = shown(handler.getGenericParameterTypes()[0], handler.getParameterTypes()[0],
            ProgramLoader.labels(handler.getDeclaringClass()));
        if (QuorumHandlers.takesMap(handler)) {
            return ", (" + messages + ")";
        }
        String senders = QuorumHandlers.isQuorumHandler(handler) ? "Set<ActorName>" : "ActorName";
        return ", (" + messages + ") or (" + messages + ", " + senders + ")";
    }

    /**
     * Methods that a handler refers to: those that its class sees, which a subclass may override, or else those that a
     * subclass adds.
     */
    static List<Method> seen(Class<?> type, Method handler, Predicate<Method> wanted) {
        Class<?> home = handler.getDeclaringClass();
        Predicate<Method> fits = m -> !Modifier.isStatic(m.getModifiers())
            && (m.getDeclaringClass() == home || !Modifier.isPrivate(m.getModifiers())) && wanted.test(m);
        List<Method> found = AnnotatedMethods.of(home, Actor.class, fits);
        return found.isEmpty() ? AnnotatedMethods.of(type, Actor.class, fits) : found;
    }

    /** Fails if a handler refers to several methods. */
    static void requireOne(List<Method> found, String label, String what) {
        if (found.size() > 1) {
            throw new UsageException(label + " has " + found.size() + " " + what + ", "
                + String.join(" and ", found.stream().map(Handlers::label).sorted().toList())
                + ": give all but one another name");
        }
    }

    private static String label(Method m) {
        ClassLabels labels = ProgramLoader.labels(m.getDeclaringClass());
        Type[] generic = m.getGenericParameterTypes();
        Class<?>[] types = m.getParameterTypes();
        String[] shown = new String[types.length];
        Arrays.setAll(shown, i -> shown(generic[i], types[i], labels));
        return labels.of(m.getDeclaringClass()) + "." + m.getName() + "(" + String.join(", ", shown) + ")";
    }

    /** What people call the type of a parameter: its messages are shown, other type arguments are not. */
    private static String shown(Type generic, Class<?> type, ClassLabels labels) {
        Class<?> messages = QuorumHandlers.elements(generic);
        return labels.of(type) + (messages == null ? ""
            : (type == Map.class ? "<ActorName, " : "<") + labels.of(messages) + ">");
    }

    /** The method as a function of actor, message and sender, whatever of these it takes. */
    private static MethodHandle uniform(Method m) {
        m.setAccessible(true);
        try {
            MethodHandle handle = LOOKUP.unreflect(m);
            MethodType wanted = MethodType.methodType(m.getReturnType(), Actor.class, Object.class, Object.class);
            int given = handle.type().parameterCount();
            if (given > 3) {
                return null; // refused before anybody calls it
            }
            return MethodHandles.dropArguments(handle, given, wanted.parameterList().subList(given, 3)).asType(wanted);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
