package harrier.runtime.property;

import harrier.Actor;
import harrier.Scenario;
import harrier.host.Looks;
import harrier.host.StepStopped;
import harrier.runtime.jdk.JdkValues;
import harrier.runtime.jdk.Order;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.rules.Guard;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.BaseStream;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The stream of actors that a property gets, and the streams and lists that it makes of it. Their elements come in the order of the actors'
 * names, and a property that is to say the same whichever names actors have must not depend on it. The methods listed here give the same in
 * any order, if the functions that they call have no state; whatever else is called counts as a look at the actors' names ({@link Looks}).
 */
final class OpaqueOrder implements InvocationHandler {
    /** Make a stream of another one, each element by itself; or leave out elements that are equal to others. */
    private static final Set<String> ELEMENTWISE = Set.of("filter", "map", "mapToObj", "mapToInt", "mapToLong", "asLongStream", "boxed",
        "distinct");
    /** Give a result that is the same in any order. {@code sum} and {@code average} are of integers, {@code max} and {@code min} without a comparator. */
    private static final Set<String> RESULTS = Set.of("count", "sum", "average", "max", "min", "summaryStatistics");
    /** Give the same in any order if no element fails, not even one that they need not go on to. */
    private static final Set<String> MATCHES = Set.of("allMatch", "anyMatch", "noneMatch");

    private final BaseStream<?, ?> stream;
    private final Source source;
    /** Whether one element may have become several, or infinitely many. */
    private final boolean isFlat;

    private OpaqueOrder(BaseStream<?, ?> stream, Source source, boolean isFlat) {
        this.stream = stream;
        this.source = source;
        this.isFlat = isFlat;
    }

    /**
     * Whose the elements were.
     *
     * @param names decide in which order they come
     * @param aside runs code such that nothing counts as read by it
     */
    record Source(List<String> names, Consumer<Runnable> aside) {
        /** The order is found out. Of one actor there is none. */
        private void look() {
            if (names.size() > 1) {
                names.forEach(Looks::at);
            }
        }
    }

    /** A stream with these elements. */
    @SuppressWarnings("unchecked")
    static <T> Stream<T> of(Stream<T> elements, Source source) {
        return (Stream<T>) opaque(elements, source, false);
    }

    private static Object opaque(Object stream, Source source, boolean isFlat) {
        Class<?> type = stream instanceof Stream ? Stream.class : stream instanceof IntStream ? IntStream.class : LongStream.class;
        return Order.plain(() -> Proxy.newProxyInstance(OpaqueOrder.class.getClassLoader(), new Class<?>[] {type},
            new OpaqueOrder((BaseStream<?, ?>) stream, source, isFlat)));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        boolean isOpaque = arguments == null || Stateless.are(arguments);
        try {
            if (isOpaque && name.equals("flatMap")) {
                return opaque(method.invoke(stream, flat((Function<?, ?>) arguments[0])), source, true);
            }
            if (isOpaque && ELEMENTWISE.contains(name)) {
                return opaque(method.invoke(stream, arguments), source, isFlat);
            }
            if (isOpaque && MATCHES.contains(name)) {
                return isFlat ? matchesAll(method, arguments) : matches(name.equals("allMatch"), arguments[0]) == name.equals("anyMatch");
            }
            if (name.equals("toList")) {
                return new Elements<>((List<?>) method.invoke(stream, arguments), source);
            }
            if (!(RESULTS.contains(name) && arguments == null) && !(name.equals("collect") && isToSet(arguments))) {
                source.look();
            }
            return method.invoke(stream, arguments);
        } catch (InvocationTargetException e) {
            source.look(); // the first element that fails decides how
            throw e.getCause();
        }
    }

    /** A match of which nothing is known unless it goes through all elements. */
    private Object matchesAll(Method method, Object[] arguments) throws ReflectiveOperationException {
        Object result = method.invoke(stream, arguments);
        if (!result.equals(!method.getName().equals("anyMatch"))) {
            source.look();
        }
        return result;
    }

    /** Reports whether a predicate ends a match: is false for an element, or true. If one does, the others are tried aside. */
    private boolean matches(boolean isAll, Object predicate) throws InvocationTargetException {
        Iterator<?> elements = stream.iterator();
        try {
            while (elements.hasNext()) {
                if (test(predicate, elements.next()) != isAll) {
                    source.aside.accept(() -> tryAll(predicate, elements));
                    return true;
                }
            }
            return false;
        } catch (RuntimeException | Error e) {
            throw new InvocationTargetException(e);
        }
    }

    private void tryAll(Object predicate, Iterator<?> elements) {
        try {
            while (elements.hasNext()) {
                test(predicate, elements.next());
            }
        } catch (StepStopped | OutOfMemoryError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            Guard.takeRefusal();
            source.look(); // in another order it comes before what ends the match
        }
    }

    @SuppressWarnings("unchecked")
    private static boolean test(Object predicate, Object element) {
        if (predicate instanceof IntPredicate ints) {
            return ints.test((Integer) element);
        }
        return predicate instanceof LongPredicate longs ? longs.test((Long) element) : ((Predicate<Object>) predicate).test(element);
    }

    /** A function for {@code flatMap}, which takes streams apart at once. */
    private <T> Function<T, Object> flat(Function<T, ?> function) {
        return element -> {
            Object made = function.apply(element);
            if (made != null && Proxy.isProxyClass(made.getClass()) && Proxy.getInvocationHandler(made) instanceof OpaqueOrder inner) {
                if (!inner.source.names.equals(source.names)) {
                    inner.source.look(); // the order of the elements follows from these, too
                }
                return inner.stream;
            }
            return made;
        };
    }

    /** Reports whether the argument of {@code collect} is {@link Collectors#toSet}. */
    private static boolean isToSet(Object[] arguments) {
        return arguments.length == 1 && ((Collector<?, ?, ?>) arguments[0]).accumulator() == Collectors.toSet().accumulator();
    }

    /** A list that cannot change. Its own streams hide its order. */
    private static final class Elements<T> extends AbstractList<T> {
        private final List<T> elements;
        private final Source source;

        private Elements(List<T> elements, Source source) {
            this.elements = elements;
            this.source = source;
        }

        @Override
        public T get(int index) {
            source.look();
            return elements.get(index);
        }

        @Override
        public int size() {
            return elements.size();
        }

        @Override
        public Stream<T> stream() {
            return of(elements.stream(), source);
        }
    }

    /** Which objects have no state that a call of theirs could change and a later one could see. */
    private static final class Stateless {
        /** How far fields are followed. */
        private static final int DEPTH = 4;

        static boolean are(Object[] objects) {
            for (Object object : objects) {
                if (!is(object, DEPTH)) {
                    return false;
                }
            }
            return true;
        }

        /**
         * What a property reads is compared with what it was when it has ended: actors, the scenario, static fields. Beside these, an object
         * may have final fields of such, and values.
         */
        private static boolean is(Object object, int depth) {
            if (object == null || object instanceof Actor || object instanceof Scenario || object instanceof Elements || object instanceof Enum
                || JdkValues.is(object.getClass().getName().replace('.', '/'))) {
                return true;
            }
            if (depth == 0 || !(object.getClass().getClassLoader() instanceof ProgramLoader)) {
                return false; // the JDK's other classes may have state elsewhere
            }
            for (Class<?> c = object.getClass(); c != Object.class; c = c.getSuperclass()) {
                for (Field field : c.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers()) && !isFixed(field, object, depth)) {
                        return false;
                    }
                }
            }
            return true;
        }

        private static boolean isFixed(Field field, Object of, int depth) {
            try {
                field.setAccessible(true);
                return Modifier.isFinal(field.getModifiers()) && is(field.get(of), depth - 1);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
