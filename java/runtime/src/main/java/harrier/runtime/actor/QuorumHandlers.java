package harrier.runtime.actor;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.runtime.actor.ActorClass.QuorumParameter;
import harrier.runtime.failure.UsageException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads how handlers are declared that take several messages at once. */
final class QuorumHandlers {
    private static final Set<Class<?>> COLLECTIONS = Set.of(Set.class, List.class, Collection.class);
    private static final String MAJORITY = "majority";

    private QuorumHandlers() {}

    /** Reports whether a handler takes several messages. */
    static boolean isQuorumHandler(Method handler) {
        return handler.getParameterCount() > 0 && (COLLECTIONS.contains(handler.getParameterTypes()[0]) || takesMap(handler));
    }

    /** Reports whether a handler takes its messages as a map from their senders. Any other map is one message. */
    static boolean takesMap(Method handler) {
        return isMap(handler.getGenericParameterTypes()[0]);
    }

    private static boolean isMap(Type type) {
        return type instanceof ParameterizedType p && p.getRawType() == Map.class
            && p.getActualTypeArguments()[0] == ActorName.class;
    }

    /** The class of the messages in a collection, or in a map from their senders, by its generic type; null if that does not say. */
    static Class<?> elements(Type type) {
        return isMap(type) || type instanceof ParameterizedType p && COLLECTIONS.contains(p.getRawType())
            ? raw(lastArgument((ParameterizedType) type)) : null;
    }

    private static Type lastArgument(ParameterizedType type) {
        Type[] arguments = type.getActualTypeArguments();
        return arguments[arguments.length - 1];
    }

    private static Class<?> raw(Type type) {
        return type instanceof Class<?> c ? c
            : type instanceof ParameterizedType p && p.getRawType() instanceof Class<?> c ? c : null;
    }

    /** The type of message that a handler takes. */
    static Class<?> message(Method m, String label) {
        Type[] parameters = m.getGenericParameterTypes();
        Class<?> message = elements(parameters[0]);
        if (message == null) {
            throw new UsageException(label + " cannot be a quorum handler: it must say of which class its messages are, as in "
                + (takesMap(m) ? "Map<ActorName, Vote>" : m.getParameterTypes()[0].getSimpleName() + "<Vote>"));
        }
        if (takesMap(m) && parameters.length > 1) {
            throw new UsageException(label + " cannot be a quorum handler: a map has the senders, so take nothing after it");
        }
        if (takesMap(m) && m.getAnnotation(Handler.class).quorum().isEmpty()) {
            throw new UsageException(label + " needs a quorum, such as quorum = \"majority\": a map has one message of each sender,"
                + " and without quorum there may be several; else take a List<" + message.getSimpleName() + ">");
        }
        if (parameters.length > 2 || parameters.length == 2 && !isSetOfNames(parameters[1])) {
            throw new UsageException(label + " cannot be a quorum handler: it must take messages, and may take their senders"
                + " (a Set<ActorName>) after them");
        }
        Handlers.requireMessage(message, label);
        return message;
    }

    private static boolean isSetOfNames(Type type) {
        return type instanceof ParameterizedType p && p.getRawType() == Set.class
            && p.getActualTypeArguments()[0] == ActorName.class;
    }

    /** Reports whether a method can be the guard of a quorum handler, which takes some parameters. */
    static boolean isGuardOf(Method handler, Method m) {
        Type[] taken = m.getGenericParameterTypes();
        return m.getParameterTypes()[0].isAssignableFrom(handler.getParameterTypes()[0])
            && takes(taken[0], elements(handler.getGenericParameterTypes()[0]))
            && (taken.length == 1 || !takesMap(handler) && isSetOfNames(taken[1]));
    }

    /** Reports whether the type of a collection, of a map from senders, or Object, is right for messages. */
    private static boolean takes(Type collection, Class<?> message) {
        if (!(collection instanceof ParameterizedType p)) {
            return true;
        }
        if (p.getRawType() == Map.class && !isMap(p)) {
            return false;
        }
        Type element = lastArgument(p);
        Class<?> bound = raw(element instanceof WildcardType w ? w.getUpperBounds()[0] : element);
        return bound != null && message != null
            && (element instanceof WildcardType ? bound.isAssignableFrom(message) : bound == message);
    }

    /** How a handler takes its messages. */
    static QuorumParameter parameter(Class<?> type, Method handler, String label) {
        return new QuorumParameter(handler.getParameterTypes()[0],
            size(type, handler, label, handler.getAnnotation(Handler.class).quorum()));
    }

    private static QuorumSize size(Class<?> type, Method handler, String label, String quorum) {
        if (quorum.isEmpty()) {
            return new QuorumSize.Any();
        }
        if (quorum.matches("[1-9][0-9]{0,5}")) {
            return new QuorumSize.Exactly(Integer.parseInt(quorum));
        }
        MethodHandle asked = asked(type, handler, label, quorum);
        if (quorum.equals(MAJORITY)) {
            if (asked != null) {
                throw new UsageException(label + " has quorum = \"majority\", which means the majority of a role, but "
                    + type.getSimpleName() + " has a size majority of its own: give that another name");
            }
            return new QuorumSize.Majority();
        }
        if (asked == null) {
            throw new UsageException(label + " has no size " + quorum + ": quorum is \"majority\", a number of at least 1, or"
                + " the name of an int field or a method int " + (isName(quorum) ? quorum : "size") + "() of "
                + type.getSimpleName());
        }
        return new QuorumSize.Computed(quorum, asked);
    }

    private static boolean isName(String text) {
        return !text.isEmpty() && text.chars().allMatch(Character::isJavaIdentifierPart)
            && Character.isJavaIdentifierStart(text.charAt(0));
    }

    /** What gives a size that an actor knows, (Actor) to int: a method, or else a field; null if there is neither. */
    private static MethodHandle asked(Class<?> type, Method handler, String label, String name) {
        List<Method> found = Handlers.seen(type, handler, m -> m.getName().equals(name) && m.getReturnType() == int.class
            && m.getParameterCount() == 0);
        Handlers.requireOne(found, label, "sizes " + name);
        Field field = found.isEmpty() ? field(type, handler.getDeclaringClass(), name) : null;
        if (found.isEmpty() && field == null) {
            return null;
        }
        try {
            MethodHandle handle;
            if (field == null) {
                found.get(0).setAccessible(true);
                handle = Handlers.LOOKUP.unreflect(found.get(0));
            } else {
                field.setAccessible(true);
                handle = Handlers.LOOKUP.unreflectGetter(field);
            }
            return handle.asType(MethodType.methodType(int.class, Actor.class));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The field that a handler's class sees, or else one that a subclass adds. */
    private static Field field(Class<?> type, Class<?> home, String name) {
        Field seen = home.isInterface() ? null : field(home, name);
        return seen != null ? seen : field(type, name);
    }

    private static Field field(Class<?> type, String name) {
        for (Class<?> c = type; c != Actor.class; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (field.getName().equals(name) && field.getType() == int.class && !Modifier.isStatic(field.getModifiers())) {
                    return field;
                }
            }
        }
        return null;
    }
}
