package harrier.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands in for an iterator of a collection of the JDK, whose state cannot be captured, so that a thread may wait in a loop. It uses
 * the JDK's until it is captured; then it keeps its place in a list, or the elements that are left.
 */
public final class Iteration implements Iterator<Object>, Resumed {
    private enum Kind { LIST, ELEMENTS, ENTRIES, VALUES }

    /** For values the entries of their map. */
    private final Collection<?> over;
    private final Kind kind;
    /** Null if it fails not even then. */
    private final Changes changes;
    /** Whether the collection may change meanwhile; elements that were removed are passed over, and added ones not given. */
    private final boolean isWeak;
    /** The elements, for entries and values the keys; null of a list, and as long as the JDK's is used. */
    private Object[] rest;
    private int next;
    private boolean mayRemove;
    /** What was given last, of an entry or value the key. */
    private Object last;
    /** The value of the next entry, if that may be removed meanwhile. */
    private Object ahead;
    private transient Iterator<?> iterator;

    private Iteration(Collection<?> over, Kind kind, boolean isWeak) {
        this.over = over;
        this.kind = kind;
        this.isWeak = isWeak;
        changes = Changes.of(over);
        iterator = over.iterator();
    }

    /** Reports whether code of the program decides how something is iterated over. */
    public static boolean isOwn(Iterable<?> all) {
        return BlockingHooks.isOwn(all, "iterator");
    }

    /** Reports whether it stands in for the iterators of a collection of the JDK, or of the entries of a map. */
    public static boolean isFor(Object all) {
        if (!(all instanceof Collection || all instanceof Map) || !all.getClass().getName().startsWith("java.util.") || Threads.entersItself(all)) {
            return false;
        }
        Object behind = Changes.behind(all);
        String type = behind.getClass().getName();
        boolean isFixed = type.startsWith("java.util.ImmutableCollections$") || type.equals("java.util.Arrays$ArrayList")
            || type.startsWith("java.util.Collections$Empty") || type.startsWith("java.util.Collections$Singleton");
        return (isFixed || type.startsWith("java.util.concurrent.") || Changes.of(behind) != null)
            && (all instanceof List || all instanceof Map || kind((Collection<?>) all, behind) != null);
    }

    /** Reports whether others may change a collection or map while somebody goes over it. */
    public static boolean isWeak(Object all) {
        Object behind = Changes.behind(all);
        return behind.getClass().getName().startsWith("java.util.concurrent.") && !(behind instanceof CopyOnWriteArrayList);
    }

    /** An iterator of something. */
    @SuppressWarnings("unchecked")
    public static <T> Iterator<T> of(Iterable<T> all) {
        if (!isFor(all)) {
            return all.iterator();
        }
        Collection<?> given = (Collection<?>) all;
        Object behind = Changes.behind(given);
        Kind kind = given instanceof List && !(behind instanceof CopyOnWriteArrayList) ? Kind.LIST : kind(given, behind);
        Collection<?> over = kind == Kind.VALUES ? ((Map<?, ?>) behind).entrySet() : given;
        return (Iterator<T>) new Iteration(over, kind, isWeak(all));
    }

    /** An iterator of the entries of a map that it is for. */
    public static <K, V> Iterator<Map.Entry<K, V>> ofEntries(Map<K, V> map) {
        Collection<Map.Entry<K, V>> entries = map.entrySet();
        return of(isFor(entries) && kind(entries, Changes.behind(entries)) == Kind.ENTRIES ? entries : new ArrayList<>(entries));
    }

    /** Reports whether something is a view of a HashMap, whose forEach looks for changes at the end. */
    public static boolean isOfHashMap(Object view) {
        return view.getClass().getName().matches("java\\.util\\.(Linked)?HashMap\\$.*");
    }

    /** Reports whether removeIf of a collection goes over its elements and removes each by itself. */
    public static boolean removesOneByOne(Object all) {
        Object behind = Changes.behind(all);
        return !all.getClass().getName().startsWith("java.util.Collections$") && (all instanceof LinkedList || behind instanceof HashMap || behind instanceof TreeMap);
    }

    /** Removes those elements of a list that are marked. */
    public static void remove(ArrayList<?> list, boolean[] isRemoved) {
        int[] next = {0};
        list.removeIf(e -> isRemoved[next[0]++]);
    }

    /** What a set, queue or view has; null if its name does not say. */
    private static Kind kind(Collection<?> given, Object behind) {
        String type = given.getClass().getSimpleName();
        if (!(behind instanceof Map)) {
            return Kind.ELEMENTS;
        }
        return type.contains("Entr") ? Kind.ENTRIES : type.contains("Values") ? Kind.VALUES : given instanceof Set ? Kind.ELEMENTS : null;
    }

    boolean isWeak() {
        return isWeak;
    }

    @Override
    public boolean hasNext() {
        if (iterator != null) {
            return iterator.hasNext();
        } else if (kind == Kind.LIST) {
            return over instanceof LinkedList ? next < over.size() : next != over.size();
        }
        return next < rest.length;
    }

    @Override
    public Object next() {
        Object given = iterator != null ? iterator.next() : left();
        next += iterator == null || kind == Kind.LIST ? 1 : 0;
        mayRemove = true;
        last = key(given);
        if (isWeak && iterator == null) {
            Hooks.control("").looksAtCopy();
            lookAhead();
        }
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
        Found found = kind == Kind.ELEMENTS ? null : find(rest[next]);
        return kind == Kind.ELEMENTS ? rest[next] : found == null ? Map.entry(rest[next], ahead) : found.next;
    }

    /** Finds the next element that is still there: it is given even if it is removed before, as the JDK's iterators have it already. */
    private void lookAhead() {
        Found found = null;
        while (next < rest.length && (found = find(rest[next])) == null) {
            next++;
        }
        ahead = found != null && kind != Kind.ELEMENTS ? ((Map.Entry<?, ?>) found.next).getValue() : null;
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
        return null;
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
        if (!mayRemove) {
            throw new IllegalStateException();
        }
        Changes.refuse(changes);
        if (kind == Kind.LIST) {
            ((List<?>) over).remove(next - 1);
            return;
        } else if (over instanceof Queue) {
            throw Hooks.control("").refused("removes by an iterator of a " + over.getClass().getSimpleName() + " that was kept while a thread waited",
                "remove from the collection itself");
        }
        Found found = find(last);
        if (found != null) {
            found.iterator.remove();
        } else if (!isWeak) {
            throw new IllegalStateException();
        }
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
        boolean isFirst = iterator != null;
        iterator = null;
        rest = left.toArray();
        next = 0;
        if (isFirst && isWeak) {
            lookAhead();
        }
    }
}
