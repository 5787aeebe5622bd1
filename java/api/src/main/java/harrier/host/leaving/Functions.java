package harrier.host.leaving;

import harrier.host.Changes;
import harrier.host.Iteration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Stand in for methods of collections that call a function for each element. */
public final class Functions {
    private Functions() {}

    /** Stands in for {@link Iterable#iterator}. */
    public static Iterator<?> iterator(Iterable<?> all, String place) {
        return Iteration.isOwn(all) ? all.iterator() : Iteration.of(all);
    }

    /** Stands in for {@link Iterable#forEach}. */
    @SuppressWarnings("unchecked")
    public static void forEach(Iterable<?> all, Consumer<?> action, String place) {
        if (!Iteration.isFor(all)) {
            all.forEach((Consumer<Object>) action);
            return;
        }
        Objects.requireNonNull(action);
        if (Iteration.isWeak(all)) {
            for (LinkedList<Object> left = new LinkedList<>((Collection<?>) all); !left.isEmpty();) {
                Object next = left.remove();
                if (((Collection<?>) all).contains(next)) {
                    ((Consumer<Object>) action).accept(next);
                }
            }
            return;
        }
        Changes changes = all instanceof ArrayList || Iteration.isOfHashMap(all) ? Changes.of(all) : null;
        Iterator<Object> each = Iteration.of((Iterable<Object>) all);
        while ((changes == null || !changes.have()) && each.hasNext()) {
            ((Consumer<Object>) action).accept(each.next());
        }
        Changes.refuse(changes);
    }

    /** Stands in for {@link Map#forEach}. */
    @SuppressWarnings("unchecked")
    public static void forEach(Map<?, ?> map, BiConsumer<?, ?> action, String place) {
        if (!Iteration.isFor(map)) {
            ((Map<Object, Object>) map).forEach((BiConsumer<Object, Object>) action);
            return;
        }
        Objects.requireNonNull(action);
        if (Iteration.isWeak(map)) {
            for (LinkedList<Object> left = new LinkedList<>(map.keySet()); !left.isEmpty();) {
                Object key = left.remove();
                Object value = map.get(key);
                if (value != null) {
                    ((BiConsumer<Object, Object>) action).accept(key, value);
                }
            }
            return;
        }
        Changes changes = Changes.of(map);
        Iterator<?> each = Iteration.ofEntries(map);
        while ((changes == null || !changes.have()) && each.hasNext()) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) each.next();
            ((BiConsumer<Object, Object>) action).accept(entry.getKey(), entry.getValue());
        }
        Changes.refuse(changes);
    }

    /** Stands in for {@link Collection#removeIf}. */
    @SuppressWarnings("unchecked")
    public static boolean removeIf(Collection<?> all, Predicate<?> filter, String place) {
        Predicate<Object> test = (Predicate<Object>) filter;
        if (!Iteration.isFor(all) || !(all instanceof ArrayList) && !Iteration.removesOneByOne(all)) {
            return ((Collection<Object>) all).removeIf(test);
        }
        Objects.requireNonNull(filter);
        boolean removes = false;
        if (!(all instanceof ArrayList)) {
            Iterator<?> each = Iteration.of(all);
            while (each.hasNext()) {
                if (test.test(each.next())) {
                    each.remove();
                    removes = true;
                }
            }
            return removes;
        }
        Changes changes = Changes.of(all);
        Object[] elements = all.toArray();
        boolean[] isRemoved = new boolean[elements.length];
        for (int i = 0; i < elements.length; i++) {
            isRemoved[i] = test.test(elements[i]);
            removes |= isRemoved[i];
        }
        Changes.refuse(changes);
        Iteration.remove((ArrayList<?>) all, isRemoved);
        return removes;
    }

    /** Stands in for {@link List#replaceAll}. */
    @SuppressWarnings("unchecked")
    public static void replaceAll(List<?> all, UnaryOperator<?> operator, String place) {
        List<Object> list = (List<Object>) all;
        UnaryOperator<Object> function = (UnaryOperator<Object>) operator;
        if (!(all instanceof ArrayList) || !Iteration.isFor(all)) {
            list.replaceAll(function);
            return;
        }
        Objects.requireNonNull(operator);
        Changes changes = Changes.of(all);
        for (int i = 0; !changes.have() && i < list.size(); i++) {
            Object next = function.apply(list.get(i));
            if (!changes.have()) {
                list.set(i, next);
            }
        }
        Changes.refuse(changes);
        Iteration.remove((ArrayList<?>) all, new boolean[list.size()]); // which counts as a change, as it does in the JDK
    }
}
