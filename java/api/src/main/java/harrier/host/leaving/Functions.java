package harrier.host.leaving;

import harrier.host.Changes;
import harrier.host.Iteration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Stand in for methods of collections that call a function for each element. */
public final class Functions {
    private Functions() {}

    /** Stands in for {@link Iterable#iterator}. */
    public static Iterator<?> iterator(Iterable<?> all, String place) {
        return Iteration.isFor(all) ? Iteration.of((Collection<?>) all) : all.iterator();
    }

    /** Stands in for {@link Iterable#forEach}. */
    @SuppressWarnings("unchecked")
    public static void forEach(Iterable<?> all, Consumer<?> action, String place) {
        if (!Iteration.isFor(all) || Iteration.isWrapper(all)) {
            all.forEach((Consumer<Object>) action);
            return;
        }
        Objects.requireNonNull(action);
        Changes changes = all instanceof ArrayList || Iteration.isOfHashMap(all) ? Changes.of(all) : null;
        Iterator<?> each = Iteration.of((Collection<?>) all);
        while ((changes == null || !changes.have()) && each.hasNext()) {
            ((Consumer<Object>) action).accept(each.next());
        }
        Iteration.end(all, changes, place);
    }

    /** Stands in for {@link Map#forEach}. */
    @SuppressWarnings("unchecked")
    public static void forEach(Map<?, ?> map, BiConsumer<?, ?> action, String place) {
        if (!Iteration.isForEntries(map)) {
            ((Map<Object, Object>) map).forEach((BiConsumer<Object, Object>) action);
            return;
        }
        Objects.requireNonNull(action);
        Changes changes = Changes.of(map);
        Iterator<?> each = Iteration.ofEntries(map);
        while ((changes == null || !changes.have()) && each.hasNext()) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) each.next();
            ((BiConsumer<Object, Object>) action).accept(entry.getKey(), entry.getValue());
        }
        Iteration.end(map, changes, place);
    }

    /** Stands in for {@link Collection#removeIf}. */
    @SuppressWarnings("unchecked")
    public static boolean removeIf(Collection<?> all, Predicate<?> filter, String place) {
        Predicate<Object> test = (Predicate<Object>) filter;
        if (all == null || !Iteration.removesOneByOne(all)) {
            return ((Collection<Object>) all).removeIf(test);
        }
        Objects.requireNonNull(filter);
        boolean removes = false;
        Iterator<?> each = Iteration.of(all);
        while (each.hasNext()) {
            if (test.test(each.next())) {
                each.remove();
                removes = true;
            }
        }
        return removes;
    }
}
