package harrier.runtime.codec.graph;

import harrier.runtime.codec.format.Output;
import harrier.runtime.codec.format.Raw;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The objects in static final fields of the program's classes that are written by name and come back as themselves: those
 * without state, which nothing else tells apart, and in the states of actors all that keep their identity, as no step may change
 * what static fields hold. Objects that cannot change themselves have a name behind any static field, too: the way that leads there
 * from it, such as {@code SLOTS.empty}.
 */
public final class Constants {
    /** Stands, in a path from a static field, for an element of a collection without order. */
    static final String ANY = "[*]";
    /** At most this many constants of a class are compared with. A look-up has objects draw identity hash codes ({@link Numbers}). */
    private static final int FEW = 16;
    /** At most this many of equal values behind static fields are noted: a step is executed once more for each. */
    private static final int MOST_EQUAL = 3;

    private final Supplier<List<Class<?>>> classes;
    /** How many of the classes were looked at. They only become more. */
    private int seen;
    /** The fields of those that may hold such objects. */
    private final List<Field> all = new ArrayList<>();
    /** The known objects of a class. Plans of the JDK's classes are those of all programs, so they do not hold it. */
    private final Map<String, Known> known = new ConcurrentHashMap<>();
    /** The fields of a class that may hold such objects. */
    private final Map<String, List<Field>> fields = new HashMap<>();
    private final Map<Merging.Key, List<Object>> values = new ConcurrentHashMap<>();
    private final Map<String, List<Object>> strings = new ConcurrentHashMap<>();
    /** The objects behind static fields, by the class of the field, a space and the way. */
    private final Map<String, Object> byWay = new ConcurrentHashMap<>();
    /** How many objects have the same class and way. */
    private final Map<String, Integer> counts = new HashMap<>();
    /** The objects on ways through elements without order. */
    private final List<Met> rest = new ArrayList<>();
    /** Adds the values noted. */
    private final List<Runnable> noted = new ArrayList<>();
    /** Whether static fields that are being named lead to values or strings: set while they are noted, cleared by {@link #endNaming}. */
    private boolean hasValues;
    /** The source of the objects behind static fields that a step changed and that are put back after it. */
    private volatile Supplier<Set<Object>> changed = Set::of;
    /** Reports whether the step changed no object that an object leads to, itself included; false if that is not known. */
    private volatile Predicate<Object> leadsToSame = object -> true;

    public Constants(Supplier<List<Class<?>>> classes) {
        this.classes = classes;
    }

    /**
     * The encoded names of the class and of the field that holds {@code value}, or leads to it; null if there is none.
     *
     * @param of the known objects of its class
     */
    public byte[] find(Object value, Plan plan, Known of) {
        byte[] way = of.behind == null ? null : of.findBehind(value, plan); // which it has for good
        return way != null || of.none == classes.get().size() ? way : findAmong(value, of);
    }

    private synchronized byte[] findAmong(Object value, Known of) {
        List<Class<?>> now = classes.get();
        for (; seen < now.size(); seen++) {
            all.addAll(fields(now.get(seen)));
        }
        byte[] names = of.find(value);
        of.none = of.open.isEmpty() && of.found.isEmpty() ? seen : -1;
        return names;
    }

    /**
     * Finds an object by a way, and gives it that for a name unless it has one. Of the ways to different objects all but the first get
     * numbers. That is done at the end of the set-up, and when a class is initialized later, of its own fields: so a way is there for all
     * who run a program, whichever class they initialized first. Ways through elements without order come last ({@link #endNaming}):
     * where elements have the same content, their identity hash codes decide which is first.
     *
     * @param way from a static field of {@code owner}, the field's name first
     */
    synchronized void name(Class<?> owner, String way, Object value, Plan plan) {
        if (isBody(owner)) { // the class of a constant with a body is written as its enum
            name(owner.getSuperclass(), owner.getName().substring(owner.getSuperclass().getName().length()) + "." + way, value, plan);
        } else if (way.contains(ANY)) {
            rest.add(new Met(owner, way, value, plan));
        } else {
            nameNow(owner, way, value, plan);
        }
    }

    /** Reports whether a class is the body of an enum constant. */
    private static boolean isBody(Class<?> type) {
        return Enum.class.isAssignableFrom(type) && !type.isEnum() && type != Enum.class;
    }

    /** Ends the naming begun for some static fields, and reports whether they lead to values or strings. */
    public synchronized boolean endNaming() {
        hasValues = false;
        rest.sort(Comparator.comparing(met -> find(met.value, met.plan, of(met.plan.type)) != null)); // these need no number
        rest.forEach(met -> nameNow(met.owner, met.way, met.value, met.plan));
        noted.forEach(Runnable::run);
        rest.clear();
        noted.clear();
        return hasValues;
    }

    /** An object that was met on a way. */
    private record Met(Class<?> owner, String way, Object value, Plan plan) {}

    private void nameNow(Class<?> owner, String way, Object value, Plan plan) {
        Known of = of(plan.type);
        int number = counts.merge(owner.getName() + " " + way, 1, Integer::sum);
        String name = number == 1 ? way : way + "#" + number;
        byWay.put(owner.getName() + " " + name, value);
        if (find(value, plan, of) == null) {
            of.addBehind(value, plan, names(owner, name));
        }
    }

    /** Sets the source of the objects behind static fields that the step changed, by identity, where it may change them. */
    public void changedBy(Predicate<Object> newLeadsToSame, Supplier<Set<Object>> newChanged) {
        leadsToSame = newLeadsToSame;
        changed = newChanged;
    }

    /** Reports whether the step changed no object that an object leads to, itself included. If false, {@link #changed} says which it changed. */
    boolean leadsToSame(Object object) {
        return leadsToSame.test(object);
    }

    /** The objects behind static fields that the step changed, by identity: who keeps one has a copy of it. */
    Set<Object> changed() {
        return changed.get();
    }

    public static byte[] names(Class<?> owner, String name) {
        Output names = new Output();
        names.string(owner.getName());
        names.string(name);
        return names.toBytes();
    }

    /** The known objects of a class. */
    public Known of(Class<?> type) {
        Known before = known.get(type.getName());
        return before != null ? before : known.computeIfAbsent(type.getName(), n -> new Known());
    }

    /** The objects of a class that were found in fields so far. */
    final class Known {
        /** How many classes there were when none of their fields could hold such an object; -1 if one can. */
        private volatile int none = -1;
        /** How many of all fields were looked at. */
        private int seen;
        /** Those that may hold an object of the class and held nothing so far: their class was not initialized. */
        private final List<Field> open = new ArrayList<>();
        /**
         * The names of what the others hold. An object in several fields has that of the first. That does not depend on which
         * class is used first: what a class holds is encoded, and so looked up here, when its initializer ends.
         */
        private final Map<Object, byte[]> found = new IdentityHashMap<>();
        /** The first of these. */
        private final Object[] few = new Object[FEW];
        /** The objects behind fields, with their names by number; null if there is none. Their content does not change. */
        private volatile Numbers behind;
        private final List<byte[]> ways = new ArrayList<>();

        private synchronized byte[] findBehind(Object value, Plan plan) {
            int number = behind.find(value, plan);
            return number < 0 ? null : ways.get(number);
        }

        private synchronized void addBehind(Object value, Plan plan, byte[] name) {
            Numbers numbers = behind == null ? new Numbers() : behind;
            numbers.findOrAdd(value, plan);
            ways.add(name);
            behind = numbers;
        }

        byte[] find(Object value) {
            for (; seen < all.size(); seen++) {
                if (all.get(seen).getType().isInstance(value)) {
                    open.add(all.get(seen));
                }
            }
            open.removeIf(f -> learn(f, value.getClass()));
            return found.size() > FEW || isFew(value) ? found.get(value) : null;
        }

        private boolean isFew(Object value) {
            for (int i = 0; i < found.size(); i++) {
                if (few[i] == value) {
                    return true;
                }
            }
            return false;
        }

        private boolean learn(Field field, Class<?> type) {
            Object value = Raw.get(field);
            if (value != null && value.getClass() == type
                    && found.putIfAbsent(value, names(field.getDeclaringClass(), field.getName())) == null
                    && found.size() <= FEW) {
                few[found.size() - 1] = value;
            }
            return value != null;
        }
    }

    /**
     * Notes a value that a static field leads to, by {@link #endNaming}.
     *
     * @param encode gives its bytes; null if a part of it has an identity
     */
    synchronized void addValue(Object value, Function<Object, byte[]> encode) {
        noted.add(() -> {
            byte[] bytes = encode.apply(value); // with names
            if (bytes != null && Merging.has(bytes[0])) {
                hasValues = true;
                values.merge(new Merging.Key(bytes), List.of(value), Constants::both);
            }
        });
    }

    /** Some of the equal values: the first ones and the last one. */
    static List<Object> both(List<Object> known, List<Object> more) {
        return known.stream().anyMatch(v -> v == more.get(0)) ? known
            : Stream.concat(known.stream().limit(MOST_EQUAL - 1), more.stream()).toList();
    }

    /** The values with some bytes that static fields lead to. */
    List<Object> values(Merging.Key key) {
        return values.getOrDefault(key, List.of());
    }

    /** Notes a string that a static field leads to. */
    synchronized void addString(String string) {
        if (!isLiteral(string)) {
            noted.add(() -> {
                hasValues = true;
                strings.merge(string, List.of(string), Constants::both);
            });
        }
    }

    /** Reports whether a string is that of literals. It does not become that by the question. */
    @SuppressWarnings("StringOperationCanBeSimplified")
    static boolean isLiteral(String string) {
        return new String(string).intern() == string;
    }

    /** The strings that are equal to one: some that static fields lead to, and that of literals, which is given. */
    List<Object> strings(String literal) {
        List<Object> ofStatics = strings.isEmpty() ? null : strings.get(literal);
        return ofStatics == null ? List.of() : both(ofStatics, List.of(literal));
    }

    /** The object in a field of a class, or behind one; null if there is none. */
    synchronized Object get(Class<?> type, String name) {
        Raw.UNSAFE.ensureClassInitialized(type); // who wrote the name may be a worker that was further
        for (Field field : fields(type)) {
            if (field.getName().equals(name)) {
                return Raw.get(field);
            }
        }
        return byWay.get(type.getName() + " " + name);
    }

    private List<Field> fields(Class<?> type) {
        return fields.computeIfAbsent(type.getName(), n -> {
            List<Field> list = new ArrayList<>();
            if (isBody(type)) {
                return list; // which is not found by its name
            }
            try {
                for (Field field : type.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers())
                            && !field.getType().isPrimitive() && !field.isEnumConstant()) {
                        list.add(field);
                    }
                }
            } catch (LinkageError e) {
                list.clear(); // a class that lacks others is never initialized
            }
            return list;
        });
    }

}
