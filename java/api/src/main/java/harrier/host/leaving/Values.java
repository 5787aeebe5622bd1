package harrier.host.leaving;

import harrier.host.Changes;
import harrier.host.Iteration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Stand in for methods of maps and optional values that call a function for one value. */
public final class Values {
    private Values() {}

    /** Stands in for {@link Map#computeIfAbsent}. */
    @SuppressWarnings("unchecked")
    public static Object computeIfAbsent(Map<?, ?> all, Object key, Function<?, ?> function, String place) {
        Map<Object, Object> map = (Map<Object, Object>) all;
        if (!Iteration.isKnown(map)) {
            return map.computeIfAbsent(key, (Function<Object, Object>) function);
        }
        Objects.requireNonNull(function);
        Object old = map.get(key);
        if (old != null) {
            return old;
        }
        Changes changes = Changes.of(map);
        Object value = ((Function<Object, Object>) function).apply(key);
        Changes.refuse(changes);
        if (value != null) {
            map.put(key, value);
        }
        return value;
    }

    /** Stands in for {@link Map#computeIfPresent}. */
    @SuppressWarnings("unchecked")
    public static Object computeIfPresent(Map<?, ?> all, Object key, BiFunction<?, ?, ?> function, String place) {
        Map<Object, Object> map = (Map<Object, Object>) all;
        if (!Iteration.isKnown(map)) {
            return map.computeIfPresent(key, (BiFunction<Object, Object, Object>) function);
        }
        Objects.requireNonNull(function);
        Object old = map.get(key);
        return old == null ? null : computed(map, key, old, (BiFunction<Object, Object, Object>) function);
    }

    /** Stands in for {@link Map#compute}. */
    @SuppressWarnings("unchecked")
    public static Object compute(Map<?, ?> all, Object key, BiFunction<?, ?, ?> function, String place) {
        Map<Object, Object> map = (Map<Object, Object>) all;
        if (!Iteration.isKnown(map)) {
            return map.compute(key, (BiFunction<Object, Object, Object>) function);
        }
        Objects.requireNonNull(function);
        return computed(map, key, map.get(key), (BiFunction<Object, Object, Object>) function);
    }

    /** Stands in for {@link Map#merge}. */
    @SuppressWarnings("unchecked")
    public static Object merge(Map<?, ?> all, Object key, Object value, BiFunction<?, ?, ?> function, String place) {
        Map<Object, Object> map = (Map<Object, Object>) all;
        if (!Iteration.isKnown(map)) {
            return map.merge(key, value, (BiFunction<Object, Object, Object>) function);
        }
        Objects.requireNonNull(function);
        Objects.requireNonNull(value);
        Object old = map.get(key);
        if (old == null) {
            map.put(key, value);
            return value;
        }
        Changes changes = Changes.of(map);
        Object merged = ((BiFunction<Object, Object, Object>) function).apply(old, value);
        Changes.refuse(changes);
        return put(map, key, merged);
    }

    private static Object computed(Map<Object, Object> map, Object key, Object old, BiFunction<Object, Object, Object> function) {
        Changes changes = Changes.of(map);
        Object value = function.apply(key, old);
        Changes.refuse(changes);
        return put(map, key, value);
    }

    private static Object put(Map<Object, Object> map, Object key, Object value) {
        if (value == null) {
            map.remove(key);
        } else {
            map.put(key, value);
        }
        return value;
    }

    /** Stands in for {@link Optional#ifPresent}. */
    @SuppressWarnings("unchecked")
    public static void ifPresent(Optional<?> value, Consumer<?> action, String place) {
        if (value.isPresent()) {
            ((Consumer<Object>) action).accept(value.get());
        }
    }

    /** Stands in for {@link Optional#ifPresentOrElse}. */
    @SuppressWarnings("unchecked")
    public static void ifPresentOrElse(Optional<?> value, Consumer<?> action, Runnable otherwise, String place) {
        if (value.isPresent()) {
            ((Consumer<Object>) action).accept(value.get());
        } else {
            otherwise.run();
        }
    }

    /** Stands in for {@link Optional#filter}. */
    @SuppressWarnings("unchecked")
    public static Optional<?> filter(Optional<?> value, Predicate<?> predicate, String place) {
        value.isPresent();
        Objects.requireNonNull(predicate);
        return value.isEmpty() || ((Predicate<Object>) predicate).test(value.get()) ? value : Optional.empty();
    }

    /** Stands in for {@link Optional#map}. */
    @SuppressWarnings("unchecked")
    public static Optional<?> map(Optional<?> value, Function<?, ?> mapper, String place) {
        value.isPresent();
        Objects.requireNonNull(mapper);
        return value.isEmpty() ? value : Optional.ofNullable(((Function<Object, Object>) mapper).apply(value.get()));
    }

    /** Stands in for {@link Optional#flatMap}. */
    @SuppressWarnings("unchecked")
    public static Optional<?> flatMap(Optional<?> value, Function<?, ?> mapper, String place) {
        value.isPresent();
        Objects.requireNonNull(mapper);
        return value.isEmpty() ? value : (Optional<?>) Objects.requireNonNull(((Function<Object, Object>) mapper).apply(value.get()));
    }

    /** Stands in for {@link Optional#or}. */
    public static Optional<?> or(Optional<?> value, Supplier<?> supplier, String place) {
        value.isPresent();
        Objects.requireNonNull(supplier);
        return value.isPresent() ? value : (Optional<?>) Objects.requireNonNull(supplier.get());
    }

    /** Stands in for {@link Optional#orElseGet}. */
    public static Object orElseGet(Optional<?> value, Supplier<?> supplier, String place) {
        return value.isPresent() ? value.get() : supplier.get();
    }

    /** Stands in for {@link Optional#orElseThrow(Supplier)}. */
    public static Object orElseThrow(Optional<?> value, Supplier<?> supplier, String place) throws Throwable {
        if (value.isPresent()) {
            return value.get();
        }
        throw (Throwable) supplier.get();
    }
}
