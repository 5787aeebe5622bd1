package harrier.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Stands in for an iterator of a collection of the JDK, whose state cannot be captured, so that a thread may wait in a loop. It uses
 * the JDK's until it is captured; then it keeps its place in a list, or the elements that are left. It does so for the few classes
 * whose iterators it knows; all others keep theirs.
 */
public final class Iteration implements Iterator<Object>, Resumed {
    private enum Kind { LIST, ELEMENTS, ENTRIES, VALUES }

    /** For values the entries of their map. */
    private final Collection<?> over;
    private final Kind kind;
    /** Null if it fails not even then. */
    private final Changes changes;
    /** The elements, for entries and values the keys; null of a list, and as long as the JDK's is used. */
    private Object[] rest;
    private int next;
    private boolean mayRemove;
    /** What was given last, of an entry or value the key. */
    private Object last;
    private transient Iterator<?> iterator;

    private Iteration(Collection<?> over, Kind kind) {
        this.over = over;
        this.kind = kind;
        changes = Changes.of(over);
        iterator = over.iterator();
    }

    /** Reports whether it stands in for the iterators of a collection, which is exactly of a class of the JDK that is known. */
    public static boolean isFor(Object all) {
        return all instanceof Collection<?> given && kind(given) != null;
    }

    /** What an iterator keeps of a collection; null if it does not stand in for the JDK's. */
    private static Kind kind(Collection<?> given) {
        if (isWrapper(given)) {
            Kind inner = Changes.inner(given) instanceof Collection<?> wrapped && wrapped != given ? kind(wrapped) : null;
            boolean isSimple = inner == Kind.LIST ? given instanceof List : inner == Kind.ENTRIES ? isOfEntries(given) : inner == Kind.ELEMENTS;
            return isSimple ? inner : null;
        }
        Object behind = Changes.behind(given);
        if (behind instanceof Map<?, ?> map) {
            return !isKnown(map) ? null : given instanceof Set ? isOfEntries(given) ? Kind.ENTRIES : Kind.ELEMENTS : given == map.values() ? Kind.VALUES : null;
        }
        Class<?> type = behind.getClass();
        if (type == CopyOnWriteArrayList.class || isFixed(behind) && !(behind instanceof List)) {
            return Kind.ELEMENTS;
        }
        return type == ArrayList.class || type == LinkedList.class || isFixed(behind) ? Kind.LIST : null;
    }

    private static boolean isOfEntries(Collection<?> view) {
        return view.getClass().getSimpleName().endsWith("EntrySet");
    }

    /** Reports whether a map is exactly of a class whose iterators and methods with functions are known. */
    public static boolean isKnown(Map<?, ?> map) {
        Class<?> type = map == null ? null : map.getClass();
        return type == HashMap.class || type == LinkedHashMap.class || type == TreeMap.class;
    }

    /** Reports whether something has the same elements, or as many, for good. */
    private static boolean isFixed(Object all) {
        String type = all.getClass().getName();
        return type.startsWith("java.util.ImmutableCollections$") || type.equals("java.util.Arrays$ArrayList")
            || type.startsWith("java.util.Collections$Empty") || type.startsWith("java.util.Collections$Singleton");
    }

    /** An iterator of a collection that it is for. */
    public static Iterator<?> of(Collection<?> all) {
        Kind kind = kind(all);
        return new Iteration(kind == Kind.VALUES ? ((Map<?, ?>) Changes.behind(all)).entrySet() : all, kind);
    }

    /** Reports whether {@link #ofEntries} gives an iterator of the entries of a map. */
    public static boolean isForEntries(Map<?, ?> map) {
        return map != null && (isKnown(map) || isFixed(map));
    }

    /** An iterator of the entries of such a map. */
    public static Iterator<?> ofEntries(Map<?, ?> map) {
        return of(isKnown(map) ? map.entrySet() : new ArrayList<>(map.entrySet()));
    }

    /** Reports whether something is a HashMap or a view of one, whose forEach looks for changes only at the end. */
    public static boolean isOfHashMap(Object all) {
        return all instanceof HashMap || all.getClass().getName().matches("java\\.util\\.(Linked)?HashMap\\$.*");
    }

    /** Ends a forEach, which fails if there were changes. The JDK's of a HashMap goes on before it does, over what only its table says. */
    public static void end(Object all, Changes changes, String place) {
        if (changes != null && changes.have() && isOfHashMap(all)) {
            throw Hooks.control(place).refused("changes a HashMap in a function that its forEach calls, or while that waits",
                "forEach goes on with the elements that are left, and fails then: change the map before or after");
        }
        Changes.refuse(changes);
    }

    /** Reports whether a collection hands methods that take a function to another one. */
    public static boolean isWrapper(Object all) {
        return all.getClass().getName().startsWith("java.util.Collections$Unmodifiable");
    }

    /** Reports whether removeIf of a collection goes over its elements and removes each by itself. */
    public static boolean removesOneByOne(Collection<?> all) {
        return isFor(all) && !isWrapper(all) && (all instanceof LinkedList || Changes.behind(all) instanceof Map);
    }

    /** Reports whether its place in a list is past the end only there, as it is of a LinkedList. */
    private boolean isOfLinked() {
        return Changes.behind(over) instanceof LinkedList;
    }

    @Override
    public boolean hasNext() {
        if (iterator != null) {
            return iterator.hasNext();
        } else if (kind == Kind.LIST) {
            return isOfLinked() ? next < over.size() : next != over.size();
        }
        return next < rest.length;
    }

    @Override
    public Object next() {
        Object given = iterator != null ? iterator.next() : left();
        next += iterator == null || kind == Kind.LIST ? 1 : 0;
        mayRemove = true;
        last = key(given);
        return kind == Kind.VALUES ? ((Map.Entry<?, ?>) given).getValue() : given;
    }

    /** The next of what is left. */
    private Object left() {
        Changes.refuse(changes);
        if (!hasNext()) {
            throw new NoSuchElementException();
        } else if (kind == Kind.LIST) {
            return ((List<?>) over).get(next);
        }
        return kind == Kind.ELEMENTS ? rest[next] : find(rest[next]).next;
    }

    @Override
    public void forEachRemaining(Consumer<? super Object> action) {
        if (kind != Kind.LIST || changes == null) {
            Iterator.super.forEachRemaining(action); // as the JDK's do
            return;
        }
        Objects.requireNonNull(action);
        if (iterator == null) {
            while (!changes.have() && hasNext()) {
                action.accept(next());
            }
            Changes.refuse(changes);
            return;
        }
        mayRemove |= hasNext();
        boolean isOfLinked = isOfLinked();
        iterator.forEachRemaining(e -> {
            action.accept(e);
            next += isOfLinked ? 1 : 0;
        });
        next = over.size();
    }

    private Object key(Object given) {
        return kind == Kind.LIST ? null : kind == Kind.ELEMENTS ? given : ((Map.Entry<?, ?>) given).getKey();
    }

    /** An element of the collection, and the JDK's iterator that has just given it. */
    private record Found(Object next, Iterator<?> iterator) {}

    private Found find(Object key) {
        for (Iterator<?> i = over.iterator(); i.hasNext();) {
            Object element = i.next();
            if (key(element) == key || Objects.equals(key(element), key)) {
                return new Found(element, i);
            }
        }
        throw new IllegalStateException(); // it has not changed its structure
    }

    @Override
    public void remove() {
        if (iterator != null) {
            iterator.remove();
        } else {
            removeLast();
        }
        next -= kind == Kind.LIST ? 1 : 0;
        mayRemove = false;
        last = null;
        if (changes != null) {
            changes.renew();
        }
    }

    private void removeLast() {
        if (Changes.behind(over) instanceof CopyOnWriteArrayList) {
            throw new UnsupportedOperationException();
        } else if (!mayRemove) {
            throw new IllegalStateException();
        }
        Changes.refuse(changes);
        if (kind == Kind.LIST) {
            ((List<?>) over).remove(next - 1);
            return;
        }
        find(last).iterator.remove();
    }

    @Override
    public void capture() {
        if (kind == Kind.LIST) {
            return;
        }
        List<Object> left = new ArrayList<>();
        if (iterator == null) {
            left.addAll(Arrays.asList(rest).subList(Math.min(next, rest.length), rest.length));
        } else if (changes != null && changes.have()) {
            left.addAll(Collections.nCopies(iterator.hasNext() ? 1 : 0, null)); // it fails whatever is next
        } else {
            iterator.forEachRemaining(e -> left.add(key(e)));
        }
        iterator = null;
        rest = left.toArray();
        next = 0;
    }
}
