package harrier.runtime.codec;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import harrier.runtime.jdk.Order;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.Test;

/** Each hash collection iterates in each order as nobody can tell from another one of its kind, whoever iterates. */
public class OrderTest {
    /** All of one bucket. */
    private record Key(int n) implements Comparable<Key> {
        @Override
        public int hashCode() {
            return 7;
        }

        @Override
        public int compareTo(Key other) {
            return n - other.n;
        }

        @Override
        public String toString() {
            return "k" + n;
        }
    }

    private static final List<Key> THREE = List.of(new Key(1), new Key(2), new Key(3));
    private static final Key NONE = new Key(0);

    /** How to iterate over a collection. */
    private static final Map<String, Function<Collection<Object>, List<Object>>> WAYS = new LinkedHashMap<>();

    static {
        WAYS.put("iterator", c -> rest(c.iterator()));
        WAYS.put("for", c -> {
            List<Object> all = new ArrayList<>();
            for (Object o : c) {
                all.add(o);
            }
            return all;
        });
        WAYS.put("forEachRemaining", c -> given(action -> c.iterator().forEachRemaining(action)));
        WAYS.put("forEach", c -> given(c::forEach));
        WAYS.put("stream", c -> c.stream().toList());
        WAYS.put("stream forEach", c -> given(action -> c.stream().forEach(action)));
        WAYS.put("tryAdvance", c -> given(action -> {
            Spliterator<Object> s = c.spliterator();
            while (s.tryAdvance(action)) {
            }
        }));
        WAYS.put("toArray", c -> List.of(c.toArray()));
        WAYS.put("toArray of", c -> List.of(c.toArray(new Object[0])));
        WAYS.put("toArray of size", c -> List.of(c.toArray(new Object[c.size()])));
        WAYS.put("toArray larger", c -> Arrays.asList(c.toArray(new Object[9])).subList(0, c.size()));
        WAYS.put("toArray by", c -> List.of(c.toArray(Object[]::new)));
        WAYS.put("ArrayList", ArrayList::new);
        WAYS.put("addAll", c -> new ArrayList<>(new LinkedHashSet<>(c)));
        WAYS.put("collect", c -> c.stream().collect(Collectors.toList()));
        WAYS.put("unmodifiable", c -> new ArrayList<>(Collections.unmodifiableCollection(c)));
        WAYS.put("removeIf", c -> given(action -> {
            try {
                c.removeIf(o -> {
                    action.accept(o);
                    return false;
                });
            } catch (UnsupportedOperationException e) {
                c.forEach(action); // of an immutable one
            }
        }));
    }

    private static List<Object> rest(Iterator<?> i) {
        List<Object> all = new ArrayList<>();
        while (i.hasNext()) {
            all.add(i.next());
        }
        return all;
    }

    private static List<Object> given(Consumer<Consumer<Object>> by) {
        List<Object> all = new ArrayList<>();
        by.accept(all::add);
        return all;
    }

    private static Map<String, Map<Object, Object>> maps() {
        Map<String, Map<Object, Object>> maps = new LinkedHashMap<>();
        for (Map<Object, Object> map : List.<Map<Object, Object>>of(new HashMap<>(), new Hashtable<>(), new WeakHashMap<>(),
                new IdentityHashMap<>(), new ConcurrentHashMap<>(), new Properties())) {
            THREE.forEach(k -> map.put(k, k));
            maps.put(map.getClass().getSimpleName(), map);
        }
        maps.put("Map.of", Map.copyOf(maps.get("HashMap")));
        maps.put("unmodifiable", Collections.unmodifiableMap(maps.get("HashMap")));
        maps.put("synchronized", Collections.synchronizedMap(maps.get("HashMap")));
        maps.put("toMap", THREE.stream().collect(Collectors.toMap(k -> k, k -> k)));
        maps.put("groupingBy", THREE.stream().collect(Collectors.groupingBy(k -> k, Collectors.reducing(NONE, (a, b) -> b)))
            .entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
        return maps;
    }

    private static Map<String, Collection<Object>> collections() {
        Map<String, Collection<Object>> all = new LinkedHashMap<>();
        maps().forEach((name, map) -> {
            all.put(name + " keySet", map.keySet());
            all.put(name + " values", map.values());
        });
        all.put("HashSet", new HashSet<>(THREE));
        all.put("Set.of", Set.copyOf(THREE));
        all.put("newKeySet", ConcurrentHashMap.newKeySet());
        all.get("newKeySet").addAll(THREE);
        all.put("newSetFromMap", Collections.newSetFromMap(new IdentityHashMap<>()));
        all.get("newSetFromMap").addAll(THREE);
        all.put("toSet", THREE.stream().collect(Collectors.toSet()));
        return all;
    }

    /** Asserts that three elements take all six orders. */
    private static void allOrders(String what, List<List<Object>> orders) {
        assertEquals(what + " " + orders, 6, new HashSet<>(orders).size());
        orders.forEach(order -> assertEquals(what, new TreeSet<>(THREE), new TreeSet<>(order)));
    }

    @Test
    public void eachWayOfIterating() {
        collections().forEach((name, collection) -> WAYS.forEach((way, iterate) ->
            allOrders(name + ", " + way, Orders.all(() -> iterate.apply(collection)))));
    }

    private static List<Object> keys(String text) {
        return text.chars().filter(Character::isDigit).distinct().mapToObj(c -> (Object) new Key(c - '0')).toList();
    }

    @Test
    public void eachWayOfIteratingOverMaps() {
        maps().forEach((name, map) -> {
            allOrders(name + " entrySet", Orders.all(() -> rest(map.entrySet().iterator()).stream()
                .map(e -> ((Map.Entry<?, ?>) e).getKey()).collect(Collectors.toList())));
            allOrders(name + " entrySet forEach", Orders.all(() -> given(a ->
                map.entrySet().forEach(e -> a.accept(e.getValue())))));
            allOrders(name + " entrySet stream", Orders.all(() -> map.entrySet().stream()
                .map(Map.Entry::getKey).collect(Collectors.toList())));
            allOrders(name + " forEach", Orders.all(() -> given(a -> map.forEach((k, v) -> a.accept(v)))));
            allOrders(name + " toString", Orders.all(() -> keys(map.toString())));
            allOrders(name + " keySet toString", Orders.all(() -> keys(map.keySet().toString())));
            if (!name.equals("Map.of") && !name.equals("unmodifiable")) {
                allOrders(name + " replaceAll", Orders.all(() -> given(a -> map.replaceAll((k, v) -> {
                    a.accept(k);
                    return v;
                }))));
            }
            if (map instanceof Hashtable || map instanceof ConcurrentHashMap) {
                allOrders(name + " keys", Orders.all(() -> rest(enumerations(map).get(0).asIterator())));
                allOrders(name + " elements", Orders.all(() -> rest(enumerations(map).get(1).asIterator())));
            }
        });
    }

    private static List<Enumeration<?>> enumerations(Map<Object, Object> map) {
        return map instanceof Hashtable<?, ?> h ? List.of(h.keys(), h.elements())
            : List.of(((ConcurrentHashMap<?, ?>) map).keys(), ((ConcurrentHashMap<?, ?>) map).elements());
    }

    @Test
    public void iteratorsRemoveWhatTheyGave() {
        collections().forEach((name, collection) -> {
            if (name.contains("Set.of") || name.startsWith("Map.of") || name.startsWith("unmodifiable")) {
                return;
            }
            for (Object left : THREE) {
                Order.inOthers(new byte[0], () -> {
                    Collection<Object> copy = name.startsWith("Identity") || name.startsWith("newSetFromMap")
                        ? Collections.newSetFromMap(new IdentityHashMap<>()) : new HashSet<>();
                    copy.addAll(collection);
                    copy.removeIf(o -> o != left);
                    assertEquals(name, Set.of(left), new HashSet<>(copy));
                    return copy;
                });
            }
        });
        for (String view : List.of("keySet", "values", "entrySet")) {
            maps().forEach((name, map) -> {
                if (!name.equals("Map.of") && !name.equals("unmodifiable")) {
                    Order.inOthers(new byte[0], () -> {
                        Map<Object, Object> before = new HashMap<>(map);
                        Iterator<?> i = (view.equals("keySet") ? map.keySet() : view.equals("values") ? map.values()
                            : map.entrySet()).iterator();
                        Object first = i.next();
                        Object key = first instanceof Map.Entry<?, ?> e ? e.getKey() : first;
                        i.remove();
                        before.remove(key);
                        assertEquals(name + " " + view, before, new HashMap<>(map));
                        while (i.hasNext()) {
                            i.next();
                            i.remove();
                        }
                        assertEquals(name + " " + view, Map.of(), map);
                        THREE.forEach(k -> map.put(k, k));
                        return map;
                    });
                }
            });
        }
    }

    @Test
    public void changesAreNoticedAsElsewhere() {
        for (Map<Object, Object> map : List.<Map<Object, Object>>of(new HashMap<>(), new Hashtable<>(), new WeakHashMap<>(),
                new IdentityHashMap<>(), new ConcurrentHashMap<>())) {
            THREE.forEach(k -> map.put(k, k));
            List<String> found = Orders.all(() -> {
                try {
                    for (Object k : map.keySet()) {
                        map.put(new Key(4), k);
                    }
                    return "";
                } catch (ConcurrentModificationException e) {
                    return "noticed";
                } finally {
                    map.keySet().removeIf(k -> k.equals(new Key(4)));
                }
            });
            assertEquals(map.getClass() + " " + found, 1, new HashSet<>(found).size());
        }
    }

    @Test
    public void entriesWriteThrough() {
        maps().forEach((name, map) -> {
            if (!name.equals("Map.of") && !name.equals("unmodifiable")) {
                Order.inOthers(new byte[0], () -> {
                    map.entrySet().forEach(e -> e.setValue(NONE));
                    assertEquals(name, Set.of(NONE), new HashSet<>(map.values()));
                    return map;
                });
            }
        });
    }

    /** Keys and values of a map that nobody changes meanwhile correspond, and so does every iteration. */
    @Test
    public void oneOrderForAllIterations() {
        maps().forEach((name, map) -> Orders.all(() -> {
            assertEquals(name, new ArrayList<>(map.keySet()), new ArrayList<>(map.values()));
            assertEquals(name, new ArrayList<>(map.keySet()), map.keySet().stream().toList());
            return name;
        }));
    }

    @Test
    public void differentOnesOfMoreComeFirst() {
        for (int n = 2; n < 100; n++) {
            Set<Integer> set = numbers(n);
            List<Integer> firsts = Orders.all(() -> set.iterator().next());
            assertTrue(n + ": " + firsts, new HashSet<>(firsts).size() >= Math.min(n, 3));
            assertNotEquals(firsts.get(0), firsts.get(1));
        }
    }

    private static Set<Integer> numbers(int n) {
        Set<Integer> numbers = new HashSet<>();
        for (int i = 0; i < n; i++) {
            numbers.add(i * i * 31);
        }
        return numbers;
    }

    /** Two collections that are iterated over in step are in few orders, or none, as they are by themselves. */
    @Test
    public void eachCollectionHasAnOrderOfItsOwn() {
        for (int n = 2; n < 9; n++) {
            Set<Integer> one = numbers(n);
            Set<Integer> other = numbers(n);
            List<Boolean> inStep = Orders.all(() -> new ArrayList<>(one).equals(new ArrayList<>(other)));
            assertTrue(n + ": " + inStep, inStep.get(0));
            assertTrue(n + ": " + inStep, inStep.stream().filter(step -> step).count() <= 2);
            assertTrue(n + ": " + inStep, Orders.all(() -> rest(one.iterator()).equals(List.of(one.toArray()))).stream()
                .allMatch(same -> same));
        }
    }

    /** Of two collections of two elements each takes both orders, whichever the other takes. */
    @Test
    public void allPairsOfOrdersOfTwo() {
        for (byte seed = 0; seed < 20; seed++) {
            Set<Integer> one = numbers(2);
            Map<Integer, Integer> other = numbers(2).stream().collect(Collectors.toMap(k -> k, k -> k));
            Supplier<List<Object>> firsts = () -> List.of(one.iterator().next(), other.values().iterator().next());
            Set<List<Object>> pairs = new HashSet<>(Order.inOthers(new byte[] {seed}, firsts));
            pairs.add(firsts.get());
            assertEquals(4, pairs.size());
        }
    }

    @Test
    public void promisedOrders() {
        Map<Key, Key> map = new LinkedHashMap<>();
        THREE.forEach(k -> map.put(k, k));
        List<Collection<?>> ordered = List.of(THREE, new LinkedHashSet<>(THREE), new TreeSet<>(THREE), new ArrayDeque<>(THREE),
            map.keySet(), map.values(), new TreeMap<>(map).keySet(), EnumSet.allOf(Thread.State.class),
            Map.of(1, 1).keySet(), Set.of(2));
        ordered.forEach(c -> assertEquals(1, new HashSet<>(Orders.all(() -> new ArrayList<Object>(c))).size()));
    }

    /** Whoever depends on the bytes of a serialized hash collection is not found. */
    @Test
    public void knownGapSerializedForms() {
        Map<Object, Object> map = new HashMap<>();
        List.of("a", "b", "c").forEach(k -> map.put(k, k));
        assertEquals(1, Orders.all(() -> serialized(map)).stream().distinct().count());
    }

    private static String serialized(Object o) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(o);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Arrays.toString(bytes.toByteArray());
    }

    @Test
    public void eachBitOfIdentityHashCodesDiffers() {
        List<Integer> codes = Order.inOthers(new byte[0], TimeUnit.DAYS::hashCode);
        assertEquals(0x7fff_ffff, codes.get(0) ^ codes.get(1));
    }
}
