package harrier.pekko;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.internal.InterceptorImpl;

/** Finds the objects reachable from a behavior, other than through its context. */
final class Held {
    /**
     * In the names of the classes of partial functions of Scala's: before it the class, behind it the method that makes the function and
     * numbers. Those of lambdas end with {@code $}, the method, {@code _lambda} and a number, as harrier's rewriting has it.
     */
    private static final String PARTIAL = "$anonfun$";

    /** The packages of persistent behaviors, of whose objects only some are about the state. */
    private static final String PERSISTENT = "org.apache.pekko.persistence.typed.";

    private Held() {}

    /** The state of a persistent behavior that has recovered, in a list; empty otherwise. */
    static List<Object> persistent(Behavior<?> behavior) {
        return innermost(behavior).getClass().getName().startsWith(PERSISTENT)
            ? all(behavior, o -> false).stream().filter(o -> o.getClass().getName().endsWith(".Running$RunningState"))
                .limit(1).flatMap(o -> fields(o).stream()).limit(1).toList()
            : List.of();
    }

    /** The behavior below those of interceptors, such as supervisors. */
    static Behavior<?> innermost(Behavior<?> behavior) {
        Behavior<?> innermost = behavior;
        while (innermost instanceof InterceptorImpl<?, ?> interceptor) {
            innermost = interceptor.nestedBehavior();
        }
        return innermost;
    }

    /** The objects of a class that are held, the nearest first. */
    static <S> Stream<S> by(Behavior<?> behavior, Class<S> type) {
        return all(behavior, o -> false).stream().filter(type::isInstance).map(type::cast);
    }

    /** The names of the methods of the program that made the innermost behavior's functions. */
    static Stream<String> methods(Behavior<?> behavior) {
        return functions(innermost(behavior)).map(Held::method).distinct();
    }

    /** The methods of the program that made a behavior's functions, with their classes, in one text; the class of the behavior if there are none. */
    static String state(Object behavior) {
        String made = functions(behavior).map(f -> type(f) + "." + method(f)).distinct().collect(Collectors.joining(", "));
        return made.isEmpty() ? behavior.getClass().getSimpleName() : made;
    }

    /** What the functions of the program take along, but for other functions. */
    static List<Object> captured(Object behavior) {
        Set<Object> captured = identities();
        List<Object> found = new ArrayList<>();
        functions(behavior).flatMap(f -> fields(f).stream()).filter(o -> !isFunction(o) && captured.add(o))
            .forEach(found::add);
        return found;
    }

    /** The fields of an object that classes of the program declare, with their values. */
    static Map<String, Object> ofProgram(Object object) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Class<?> type = object.getClass(); isPrograms(type); type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    values.put(field.getName(), value(field, object));
                }
            }
        }
        return values;
    }

    /** Reports whether an object is of a class of the program. */
    static boolean isPrograms(Object object) {
        return isPrograms(object.getClass());
    }

    private static boolean isPrograms(Class<?> type) {
        return Stream.of("org.apache.pekko.", "scala.", "java.", "harrier.").noneMatch(type.getName()::startsWith);
    }

    private static boolean isFunction(Object object) {
        String type = object.getClass().getName();
        return type.contains("_lambda") || type.contains(PARTIAL);
    }

    /** The program's functions that a behavior consists of, without functions that they capture. */
    private static Stream<Object> functions(Object behavior) {
        return all(behavior, Held::isProgramsFunction).stream().filter(Held::isProgramsFunction);
    }

    private static boolean isProgramsFunction(Object object) {
        return isFunction(object) && isPrograms(object);
    }

    private static String method(Object function) {
        return last(function.getClass().getName().replaceAll("(_lambda\\d+|(\\$\\d+)+)$", ""));
    }

    private static String type(Object function) {
        String name = function.getClass().getName();
        int end = name.contains(PARTIAL) ? name.indexOf(PARTIAL) : name.lastIndexOf('$');
        return last(name.substring(0, end).replaceAll("\\$+$", ""));
    }

    private static String last(String name) {
        return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }

    /**
     * The objects that are reachable from one, the nearest first.
     *
     * @param isLeaf which objects are found without those that they hold
     */
    private static List<Object> all(Object root, Predicate<Object> isLeaf) {
        List<Object> found = new ArrayList<>();
        Set<Object> met = identities();
        Deque<Object> next = new ArrayDeque<>(List.of(root));
        while (!next.isEmpty()) {
            Object object = next.poll();
            if (met.add(object)) {
                found.add(object);
                if (isLeaf.test(object)) {
                    continue;
                }
                next.addAll(object instanceof Object[] array ? elements(array) : fields(object));
            }
        }
        return found;
    }

    private static Set<Object> identities() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    private static List<Object> elements(Object[] array) {
        List<Object> elements = new ArrayList<>();
        for (Object element : array) {
            add(elements, element);
        }
        return elements;
    }

    /** What the fields of an object refer to; nothing of objects of the JDK or of harrier. */
    private static List<Object> fields(Object object) {
        List<Object> values = new ArrayList<>();
        for (Class<?> type = object.getClass(); isOpen(type); type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive() && !isLater(type, field)) {
                    add(values, value(field, object));
                }
            }
        }
        return values;
    }

    private static Object value(Field field, Object of) {
        field.setAccessible(true);
        try {
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reports whether a field has the state of a persistent behavior after what is still to be stored. */
    private static boolean isLater(Class<?> type, Field field) {
        return type.getName().startsWith(PERSISTENT) && type.getSimpleName().startsWith("Persisting") && field.getName().equals("state");
    }

    /** Reports whether an object is the definition of a persistent behavior, with its first state. */
    private static boolean isDefinition(Object object) {
        String type = object.getClass().getName();
        return type.startsWith(PERSISTENT) && (type.endsWith(".BehaviorSetup") || type.endsWith("BehaviorImpl"));
    }

    private static boolean isOpen(Class<?> type) {
        return !type.isArray() && !type.getName().startsWith("java.") && !type.getName().startsWith("harrier.");
    }

    private static void add(List<Object> values, Object value) {
        if (value != null && !(value instanceof Context) && !(value instanceof Cell) && !(value instanceof TypedActor) && !isDefinition(value)) {
            values.add(value);
        }
    }
}
