package harrier.runtime.codec;

import harrier.runtime.codec.Samples.*;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Makes random graphs of objects of all classes that can be captured, with sharing and cycles. What hash collections
 * hash is scalar, or an object with an id of its own: equal twins in a set would have more than one encoding.
 */
final class RandomHeap {
    /** Collections that start empty and take anything, given a capacity that must not show. */
    static final List<IntFunction<Collection<Object>>> LISTS = List.of(
        ArrayList::new, n -> new LinkedList<>(), n -> new Vector<>(n + 1), n -> new Stack<>(), n -> new CopyOnWriteArrayList<>(),
        n -> Collections.synchronizedList(new ArrayList<>(n)), n -> Collections.checkedList(new LinkedList<>(), Object.class),
        n -> new Samples.Log(n));

    /** As those, but null is none of their elements. */
    static final List<IntFunction<Collection<Object>>> QUEUES = List.of(
        ArrayDeque::new, n -> new ConcurrentLinkedQueue<>(), n -> new ConcurrentLinkedDeque<>(),
        n -> new LinkedTransferQueue<>(), n -> new LinkedBlockingQueue<>(), n -> new LinkedBlockingDeque<>(50),
        n -> new ArrayBlockingQueue<>(50), n -> Collections.asLifoQueue(new ArrayDeque<>(n)));

    static final List<IntFunction<Collection<Object>>> SETS = List.of(
        n -> new LinkedHashSet<>(n), n -> new HashSet<>(n), n -> new CopyOnWriteArraySet<>(),
        n -> Collections.newSetFromMap(new ConcurrentHashMap<>(n)), n -> ConcurrentHashMap.newKeySet(n + 1),
        n -> Collections.synchronizedSet(new HashSet<>(n)));

    static final Comparator<Object> BY_TEXT = new ByText();
    private static final List<Comparator<Object>> ORDERS = List.of(BY_TEXT, BY_TEXT.reversed(),
        Comparator.nullsFirst(BY_TEXT), Comparator.comparing(new TextLength()).thenComparing(BY_TEXT));

    static final List<Function<Comparator<Object>, Collection<Object>>> SORTED = List.of(
        TreeSet::new, ConcurrentSkipListSet::new, c -> new PriorityQueue<>(c), c -> new PriorityBlockingQueue<>(3, c));

    static final List<IntFunction<Map<Object, Object>>> MAPS = List.of(
        n -> new LinkedHashMap<>(n), n -> new LinkedHashMap<>(n, 0.75f, true), n -> new HashMap<>(n), n -> new Hashtable<>(n),
        n -> new ConcurrentHashMap<>(n), n -> Collections.synchronizedMap(new HashMap<>(n)), n -> new Samples.Cache(n));

    static final List<Function<Comparator<Object>, Map<Object, Object>>> SORTED_MAPS =
        List.of(TreeMap::new, ConcurrentSkipListMap::new);

    private final Random random;
    private final List<Object> made = new ArrayList<>();
    private int ids;
    private int budget;

    RandomHeap(long seed) {
        random = new Random(seed);
        budget = 5 + random.nextInt(60);
    }

    Object value() {
        budget--;
        if (budget < 0 || random.nextInt(4) == 0) {
            return scalar();
        }
        if (!made.isEmpty() && random.nextInt(5) == 0) {
            return made.get(random.nextInt(made.size()));
        }
        return switch (random.nextInt(8)) {
            case 0 -> object();
            case 1 -> immutable();
            case 2 -> fill(add(any(LISTS).apply(random.nextInt(20))));
            case 3 -> fillQueue(add(any(QUEUES).apply(random.nextInt(20))));
            case 4 -> map();
            case 5 -> fillSet(add(any(SETS).apply(random.nextInt(100))));
            case 6 -> sorted();
            default -> library();
        };
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private <T> T add(T numbered) {
        made.add(numbered);
        return numbered;
    }

    private Object some() {
        return Objects.requireNonNullElse(value(), "none");
    }

    private Object scalar() {
        return switch (random.nextInt(17)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> (byte) random.nextInt();
            case 3 -> (short) random.nextInt();
            case 4 -> (char) random.nextInt(0xd800);
            case 5 -> (long) random.nextInt(300);
            case 6 -> random.nextInt(10) * 0.25;
            case 7 -> random.nextInt(10) * 0.5f;
            case 8 -> Samples.name("a" + random.nextInt(3));
            case 9 -> Color.values()[random.nextInt(3)];
            case 10 -> Op.values()[random.nextInt(2)];
            case 11 -> "s" + random.nextInt(5);
            case 12 -> BigInteger.valueOf(random.nextInt(5));
            case 13 -> Duration.ofMillis(random.nextInt(5));
            case 14 -> date();
            default -> random.nextInt(300) - 100;
        };
    }

    private Object date() {
        return switch (random.nextInt(8)) {
            case 0 -> new BigDecimal(BigInteger.valueOf(random.nextInt(5)), 2);
            case 1 -> Instant.ofEpochSecond(random.nextInt(5));
            case 2 -> LocalDateTime.of(2020, 1 + random.nextInt(12), 1, 2, 3);
            case 3 -> ZonedDateTime.ofInstant(Instant.EPOCH, ZoneId.of("Asia/Tokyo")).plusDays(random.nextInt(5));
            case 4 -> new UUID(1, random.nextInt(5));
            case 5 -> Locale.forLanguageTag(random.nextBoolean() ? "de-AT" : "fr");
            case 6 -> random.nextBoolean() ? String.class : Prepare.class;
            default -> OptionalInt.of(random.nextInt(5));
        };
    }

    /** Something to hash. */
    private Object key() {
        return switch (random.nextInt(6)) {
            case 0 -> node();
            case 1, 2 -> item();
            case 3 -> new Prepare(random.nextInt(20));
            case 4 -> Optional.ofNullable(scalar());
            default -> Objects.requireNonNullElse(scalar(), "none");
        };
    }

    private Node node() {
        Node node = add(new Node(null));
        node.value = new Pair(ids++, budget > 0 ? value() : null);
        node.next = random.nextInt(3) == 0 && budget > 0 ? node() : null;
        return node;
    }

    private Item item() {
        Item item = new Item(ids++);
        item.owner = value(); // before anyone hashes the item
        return add(item);
    }

    private Object object() {
        switch (random.nextInt(7)) {
            case 0 -> {
                return node();
            }
            case 1 -> {
                return item();
            }
            case 2 -> {
                Group group = add(new Group());
                group.label = "g" + random.nextInt(3);
                group.items = value();
                return group;
            }
            case 3 -> {
                AtomicReference<Object> reference = add(new AtomicReference<>());
                reference.set(value());
                return reference;
            }
            case 4 -> {
                return new Pair(value(), value());
            }
            case 5 -> {
                Derived derived = add(new Derived());
                derived.held = value();
                return derived;
            }
            default -> {
                Object[] array = add(new Object[random.nextInt(5)]);
                for (int i = 0; i < array.length; i++) {
                    array[i] = value();
                }
                return random.nextBoolean() ? array : add(new int[] {random.nextInt(5), 2});
            }
        }
    }

    /** Objects of the JDK that are no collections. */
    private Object library() {
        Supplier<Object> maker = any(List.of(
            () -> new StringBuilder(random.nextInt(50)).append(random.nextInt(5)), () -> new Random(random.nextInt(5)),
            () -> new SplittableRandom(random.nextInt(5)), ReentrantLock::new, () -> new ReentrantReadWriteLock(true),
            () -> new Semaphore(random.nextInt(3)), () -> new CountDownLatch(random.nextInt(3)), StampedLock::new,
            () -> new AtomicInteger(random.nextInt(5)), () -> new AtomicLongArray(new long[] {random.nextInt(3)}),
            () -> ByteBuffer.wrap(new byte[random.nextInt(4) + 1]), this::bits, this::adder, Date::new,
            () -> new IdentityHashMap<>(Map.of(Color.RED, random.nextInt(3))), () -> new int[][] {{1}, null, {random.nextInt(3)}},
            () -> new byte[random.nextInt(3)], () -> EnumSet.of(any(List.of(Color.values()))), this::future,
            () -> new AtomicStampedReference<>(scalar(), random.nextInt(3)), () -> new Samples.Failed("m", random.nextInt(3)),
            () -> new IllegalStateException("m" + random.nextInt(3))));
        Object object = maker.get();
        if (object instanceof Date date) {
            date.setTime(random.nextInt(5));
        }
        return add(object);
    }

    private Object bits() {
        BitSet bits = new BitSet(random.nextInt(300));
        bits.set(random.nextInt(100));
        return bits;
    }

    private Object adder() {
        LongAdder adder = new LongAdder();
        adder.add(random.nextInt(5));
        return adder;
    }

    private Object future() {
        CompletableFuture<Object> future = new Samples.Indexed(random.nextInt(3));
        switch (random.nextInt(3)) {
            case 0 -> future.complete(scalar());
            case 1 -> future.completeExceptionally(new IllegalStateException("f" + random.nextInt(3)));
            default -> future.thenApply(new TextLength());
        }
        return future;
    }

    private Object immutable() {
        switch (random.nextInt(5)) {
            case 0 -> {
                return List.of(some(), Optional.ofNullable(value()));
            }
            case 1 -> {
                return Set.copyOf(keys());
            }
            case 2 -> {
                Map<Object, Object> map = new HashMap<>();
                keys().forEach(key -> map.put(key, some()));
                return Map.copyOf(map);
            }
            case 3 -> {
                return Map.entry(some(), some());
            }
            default -> {
                return add(any(List.<Supplier<Object>>of(
                    () -> Collections.unmodifiableList(new ArrayList<>(Arrays.asList(value(), value()))),
                    () -> Collections.singletonList(value()), () -> Collections.nCopies(2, value()),
                    () -> Arrays.asList(value(), value()), () -> Collections.unmodifiableMap(new HashMap<>(Map.of("k", some()))),
                    () -> Collections.singletonMap("k", value()), () -> Collections.emptyMap())).get());
            }
        }
    }

    private List<Object> keys() {
        List<Object> keys = new ArrayList<>();
        for (int n = random.nextInt(6); n > 0; n--) {
            keys.add(key());
        }
        return keys;
    }

    private Object fill(Collection<Object> list) {
        for (int n = random.nextInt(5); n > 0; n--) {
            list.add(value());
        }
        return list;
    }

    private Object fillQueue(Collection<Object> queue) {
        for (int n = random.nextInt(5); n > 0; n--) {
            queue.add(some());
        }
        return queue;
    }

    private Object fillSet(Collection<Object> set) {
        set.addAll(keys());
        return set;
    }

    private Object sorted() {
        Comparator<Object> order = any(ORDERS);
        if (random.nextBoolean()) {
            Map<Object, Object> map = add(any(SORTED_MAPS).apply(order));
            for (int n = random.nextInt(6); n > 0; n--) {
                map.put(random.nextInt(50), some());
            }
            return map;
        }
        Collection<Object> all = add(any(SORTED).apply(order));
        for (int n = random.nextInt(9); n > 0; n--) {
            Object next = random.nextInt(30);
            if (!all.contains(next)) {
                all.add(next);
            }
        }
        return all;
    }

    private Object map() {
        Map<Object, Object> map = add(any(MAPS).apply(random.nextInt(100)));
        for (int n = random.nextInt(6); n > 0; n--) {
            map.put(key(), some());
        }
        return map;
    }

    /** Compares anything by its text. */
    static final class ByText implements Comparator<Object> {
        @Override
        public int compare(Object a, Object b) {
            return a.toString().compareTo(b.toString());
        }
    }

    private record TextLength() implements Function<Object, Integer> {
        @Override
        public Integer apply(Object o) {
            return o.toString().length();
        }
    }
}
