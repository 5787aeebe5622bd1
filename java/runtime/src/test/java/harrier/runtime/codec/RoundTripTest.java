package harrier.runtime.codec;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.codec.Samples.*;
import harrier.runtime.codec.graph.LocalState;
import java.util.*;
import java.util.Map;
import java.util.concurrent.*;
import java.util.stream.Stream;
import org.junit.Test;

/** Decoding gives the encoded objects, whatever the layout. */
public class RoundTripTest {
    private final Codec codec = new Codec(getClass().getClassLoader());

    /** Encodes, decodes both ways, compares; returns the decoded object. */
    private Object same(Object value) {
        byte[] bytes = codec.encode(value);
        String dump = Dump.of(value);
        for (Object decoded : Orders.all(() -> codec.decode(bytes))) {
            assertEquals(dump, Dump.of(decoded));
            assertArrayEquals(dump, bytes, codec.encode(decoded));
        }
        return codec.decode(bytes);
    }

    /** In addition, the decoded object is of the same class, and equal by its own {@code equals}. */
    private Object equal(Object value) {
        Object decoded = same(value);
        assertEquals(value, decoded);
        assertSame(value.getClass(), decoded.getClass());
        return decoded;
    }

    @Test
    public void scalars() {
        for (Object scalar : List.of(true, false, (byte) -128, (short) 32767, 0, -1, Integer.MIN_VALUE, Long.MAX_VALUE,
                Long.MIN_VALUE, 'a', '\uffff', 1.5f, -0.0f, Float.NaN, 0.25, -0.0, Double.NaN, "", "abc", "käse €",
                "\ud83d\ude00", "a\ud800", "\udc00b", "x".repeat(500), Samples.name("acceptor1"), Color.GREEN, Op.MINUS,
                TimeUnit.DAYS, Optional.empty(), Optional.of(Optional.of(3)))) {
            equal(scalar);
        }
        assertNull(same(null));
        double odd = Double.longBitsToDouble(0x7ff8_0000_0000_0001L);
        assertEquals(0x7ff8_0000_0000_0001L, Double.doubleToRawLongBits((Double) same(odd)));
    }

    @Test
    public void recordsAndObjects() {
        equal(new Prepare(3));
        equal(new Ping());
        equal(new Pair(new Pair(1, null), List.of("x")));
        same(new Kinds());
        Derived derived = (Derived) same(new Derived());
        assertEquals(1, ((Base) derived).x);
        assertEquals(2, derived.x);
        same(new Object());
    }

    @Test
    public void arrays() {
        for (Object array : new Object[] {new int[] {1, -2}, new long[] {3}, new boolean[] {true, false}, new byte[] {1, 2},
                new short[] {4}, new char[] {'c'}, new float[] {1.5f}, new double[] {2.5}, new String[] {"a", null},
                new Object[] {1, "b"}, new int[][] {{1}, null, {}}, new byte[][] {{1}}, new Prepare[] {new Prepare(1)},
                new int[0]}) {
            assertSame(array.getClass(), same(array).getClass());
        }
    }

    /** Views, which show what becomes of their map. */
    @Test
    public void views() {
        for (Map<Color, Object> map : List.<Map<Color, Object>>of(new HashMap<>(), new LinkedHashMap<>(), new TreeMap<>(),
                new ConcurrentHashMap<>(), new ConcurrentSkipListMap<>(), new EnumMap<>(Color.class), new IdentityHashMap<>())) {
            map.put(Color.RED, "a");
            Object[] decoded = (Object[]) same(new Object[] {map, map.keySet(), map.values(), map.entrySet()});
            ((Map<?, ?>) decoded[0]).clear();
            for (int i = 1; i < decoded.length; i++) {
                assertTrue(((Collection<?>) decoded[i]).isEmpty());
            }
        }
    }

    /** What the JDK makes of the place where it was thrown is part of it. */
    @Test
    public void textOfNullPointerException() {
        String none = null;
        NullPointerException thrown = assertThrows(NullPointerException.class, () -> none.length());
        assertTrue(thrown.getMessage(), thrown.getMessage().startsWith("Cannot invoke \"String.length()\""));
        assertEquals(thrown.getMessage(), ((Exception) same(assertThrows(NullPointerException.class, () -> none.length()))).getMessage());
        assertNull(((Exception) same(new NullPointerException())).getMessage());
    }

    @Test
    public void encodersEncode() {
        assertEquals("YQ==", ((Base64.Encoder) same(Base64.getEncoder())).encodeToString(new byte[] {'a'}));
    }

    @Test
    public void immutables() {
        for (Object value : List.of(List.of(), List.of(1), List.of(1, 2), List.of(1, 2, 3), Set.of(), Set.of(1),
                Set.of(1, 2), Set.of(1, 2, 3, "x"), Map.of(), Map.of(1, 2), Map.of(1, 2, 3, 4))) {
            equal(value);
        }
        List<?> decoded = (List<?>) same(Stream.of(1, null).toList());
        assertEquals(Arrays.asList(1, null), decoded);
        assertFalse(decoded.contains(2));
        equal(new Pair(List.of(1, 2, 3).subList(1, 3), 0));
        for (List<Integer> list : List.of(Stream.of(1).toList(), Stream.of(1, 2).toList(), Stream.of(1, 2, 3).toList(),
                Stream.<Integer>of().toList())) {
            assertFalse(((List<?>) equal(list)).contains(null));
        }
        List<?> part = Stream.of(1, 2, 3).toList().subList(0, 2);
        assertFalse(((List<?>) codec.decode(codec.encode(part))).contains(null));
        assertThrows(NullPointerException.class, () -> ((List<?>) equal(List.of(1, 2, 3))).contains(null));
    }

    @Test
    public void viewsThatAreKeptDoNotShow() {
        Map<Integer, Integer> unmodifiable = Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2)));
        byte[] before = codec.encode(unmodifiable);
        unmodifiable.keySet().size();
        unmodifiable.entrySet().size();
        assertArrayEquals(before, codec.encode(unmodifiable));
    }

    @Test
    @SuppressWarnings("unchecked")
    public void emptyListsGrow() {
        ((List<Object>) same(new ArrayList<>())).add(1);
    }

    @Test
    public void sharingAndCyclesSurvive() {
        List<Object> shared = new ArrayList<>(List.of(1));
        Pair pair = (Pair) same(new Pair(shared, shared));
        assertSame(pair.left(), pair.right());
        pair = (Pair) same(new Pair(shared, new ArrayList<>(shared)));
        assertNotSame(pair.left(), pair.right());

        Node a = new Node("a");
        a.next = new Node("b");
        a.next.next = a;
        Node decoded = (Node) same(a);
        assertSame(decoded, decoded.next.next);

        shared.add(shared);
        List<?> self = (List<?>) codec.decode(codec.encode(shared));
        assertSame(self, self.get(1));
        Object[] array = new Object[1];
        array[0] = new Pair(array, null);
        Object[] cyclic = (Object[]) same(array);
        assertSame(cyclic, ((Pair) cyclic[0]).left());
    }

    @Test
    public void hashesSeeCompleteObjects() {
        for (Collection<Object> items : List.<Collection<Object>>of(new HashSet<>(), new LinkedHashSet<>())) {
            Group group = new Group();
            group.items = items;
            group.label = "late"; // a field that comes after the set and takes part in its elements' hashes
            addItems(group, items);
            Group decoded = (Group) same(group);
            for (Object item : (Collection<?>) decoded.items) {
                assertTrue(((Collection<?>) decoded.items).contains(item));
                assertSame(decoded, ((Item) item).owner);
            }
        }
        Group group = new Group();
        List<Object> items = new ArrayList<>();
        group.label = "late";
        addItems(group, items);
        group.items = Set.copyOf(items);
        assertTrue(((Set<?>) ((Group) same(group)).items).contains(items.get(0)));
        group.items = Map.of(items.get(0), 1, items.get(1), 2);
        assertEquals(2, ((Map<?, ?>) ((Group) same(group)).items).get(items.get(1)));
    }

    private static void addItems(Group group, Collection<Object> items) {
        for (int i = 0; i < 20; i++) {
            Item item = new Item(i);
            item.owner = group;
            items.add(item);
        }
    }

    /** The outer set's element hashes a set that is filled later. */
    private static final class Late {
        Object outer;
        Set<Object> inner;

        @Override
        public int hashCode() {
            return inner.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    @Test
    public void hashOfASetThatEndsLater() {
        Late late = new Late();
        late.inner = new HashSet<>(Set.of(1, 2, 3));
        late.outer = new HashSet<>(List.of(late));
        Late decoded = (Late) same(late);
        assertTrue(((Set<?>) decoded.outer).contains(decoded));
        late.inner = Set.of(1, 2, 3);
        late.outer = Map.of(late, 1, 2, 2);
        decoded = (Late) same(late);
        assertEquals(1, ((Map<?, ?>) decoded.outer).get(decoded));
    }

    /** A comparator that holds the set that it sorts. */
    private static final class Knows implements Comparator<Integer> {
        Object set;

        @Override
        public int compare(Integer a, Integer b) {
            return Integer.compare(a, b);
        }
    }

    @Test
    public void comparatorsThatLeadBack() {
        Knows knows = new Knows();
        TreeSet<Integer> set = new TreeSet<>(knows);
        knows.set = set;
        set.addAll(List.of(3, 1, 2));
        TreeSet<?> decoded = (TreeSet<?>) same(set);
        assertSame(decoded, ((Knows) (Object) decoded.comparator()).set);
        PriorityQueue<Integer> queue = new PriorityQueue<>(knows);
        queue.addAll(List.of(3, 1, 2));
        knows.set = queue;
        PriorityQueue<?> heap = (PriorityQueue<?>) same(queue);
        assertEquals(1, heap.poll());
        assertNull(((PriorityQueue<?>) same(new PriorityQueue<>())).poll());
    }

    @Test
    public void localStates() {
        Acceptor acceptor = new Acceptor();
        acceptor.promised = 4;
        acceptor.value = new Pair(acceptor, acceptor.new Vote());
        byte[] bytes = codec.encode(new LocalState("a1", 300, acceptor, Map.of()));
        for (LocalState state : Orders.all(() -> codec.decodeLocalState(bytes))) {
            assertEquals("a1", state.name());
            assertEquals(300, state.children());
            Acceptor decoded = (Acceptor) state.actor();
            assertEquals(4, decoded.promised);
            assertSame(decoded, ((Pair) decoded.value).left());
            assertSame(decoded, ((Acceptor.Vote) ((Pair) decoded.value).right()).owner());
            assertArrayEquals(bytes, codec.encode(state));
        }
    }

    @Test
    public void manyNumberedValues() {
        List<Object> nodes = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            nodes.add(new Node(i % 7 == 0 && i > 0 ? nodes.get(i / 2) : i));
        }
        same(nodes);
        same(new HashSet<>(nodes));
    }
}
