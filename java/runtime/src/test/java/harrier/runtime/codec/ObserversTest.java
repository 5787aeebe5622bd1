package harrier.runtime.codec;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import harrier.runtime.codec.Samples.*;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.jdk.JdkFields;
import harrier.runtime.rules.refuse.RefusedCalls;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.*;
import java.net.DatagramPacket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.*;
import java.time.chrono.IsoChronology;
import java.time.chrono.JapaneseChronology;
import java.time.format.DateTimeFormatter;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.function.*;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.BaseStream;
import java.util.zip.*;
import org.junit.Test;

/**
 * All that programs can ask of an object of the JDK without arguments, they are told of the decoded one as of the
 * original, whatever its history, and the order of hash collections; and it leaves both equal. Other classes are
 * refused by a rule.
 */
public class ObserversTest {
    private static final Set<String> OF_OBJECTS = Set.of("getClass", "notify", "notifyAll", "wait", "printStackTrace");
    /** Exceptions: the order of hash tables, and inside heaps, for which states are executed with several. */
    private static final Pattern ORDERS = Pattern.compile(".*(Hash|Properties|SetFromMap).*\\.(elements|entrySet"
        + "|iterator|keySet|keys|propertyNames|spliterator|stream|stringPropertyNames|toArray|toString|values)"
        + "|.*Priority.*\\.(iterator|spliterator|stream|toArray|toString)");
    /** Nor are constants that are compared by content, the room that is left, cached results, the place of a thread local, and the access that code opened. */
    private static final Pattern NO_PART = Pattern.compile(
        ".*(\\.Instant|\\.LocalTime|OptionalLong|Base64\\$\\w+) is one|.*Base64\\$\\w+ equals"
        + "|.*(ByteArrayOutputStream|Pattern|UnixPath|ThreadLocal) holds|.*Method\\.isAccessible");
    private final Codec codec = new Codec(getClass().getClassLoader());
    private final Set<String> asked = new TreeSet<>();
    private final Set<String> differing = new TreeSet<>();

    /** Histories that may lead to equal contents. They are told apart if they have other bytes. */
    private static final List<List<Supplier<?>>> HISTORIES = List.of(
        collections(ArrayList::new), collections(LinkedList::new), collections(Vector::new), collections(Stack::new),
        List.of(() -> new Vector<>(3, 7), () -> new Vector<>(100), () -> trimmed(new Vector<>(List.of(1, 2)))),
        collections(CopyOnWriteArrayList::new), collections(CopyOnWriteArraySet::new), collections(HashSet::new),
        collections(LinkedHashSet::new), collections(TreeSet::new), collections(ConcurrentSkipListSet::new),
        collections(() -> new TreeSet<>(Comparator.reverseOrder())),
            collections(() -> new TreeSet<>(Comparator.naturalOrder())),
        collections(() -> new TreeSet<>(new Backwards(true))), collections(ArrayDeque::new),
        collections(ConcurrentLinkedQueue::new), collections(ConcurrentLinkedDeque::new),
            collections(LinkedTransferQueue::new),
        collections(LinkedBlockingQueue::new), collections(() -> new LinkedBlockingDeque<>(40)),
        collections(() -> new ArrayBlockingQueue<>(40)), collections(() -> new ArrayBlockingQueue<>(40, true)),
        collections(PriorityQueue::new), collections(() -> new PriorityQueue<>(new Backwards(true))),
            collections(PriorityBlockingQueue::new),
        collections(() -> Collections.newSetFromMap(new TreeMap<>())),
            collections(() -> Collections.newSetFromMap(new HashMap<>())), collections(ConcurrentHashMap::newKeySet),
            collections(() -> Collections.asLifoQueue(new ArrayDeque<>())),
        collections(() -> Collections.synchronizedList(new ArrayList<>())),
        collections(() -> Collections.checkedSet(new TreeSet<>(), Integer.class)),
        List.of(() -> EnumSet.of(TimeUnit.DAYS, TimeUnit.HOURS), () -> EnumSet.allOf(TimeUnit.class),
            () -> EnumSet.noneOf(Thread.State.class), () -> EnumSet.of(Color.RED, Color.BLUE),
            () -> EnumSet.noneOf(Op.class), () -> EnumSet.of(Many.A0, Many.G5)),
        maps(HashMap::new), maps(LinkedHashMap::new), maps(() -> new LinkedHashMap<>(4, 0.5f, true)),
            maps(TreeMap::new),
        maps(() -> new TreeMap<>(Collections.reverseOrder())), maps(Hashtable::new), maps(() -> new Hashtable<>(1)),
        maps(ConcurrentHashMap::new), maps(ConcurrentSkipListMap::new), maps(Properties::new),
        maps(() -> new ConcurrentSkipListMap<>(Collections.reverseOrder())),
        maps(() -> Collections.synchronizedMap(new TreeMap<>())),
        List.of(() -> new EnumMap<>(Map.of(TimeUnit.DAYS, 1)), () -> new EnumMap<>(TimeUnit.class),
            () -> new EnumMap<>(Map.of(Color.GREEN, 1)), () -> put(new EnumMap<>(Op.class), Op.PLUS, null)),
        List.of(() -> put(put(new HashMap<>(), null, null), "a", null),
            () -> new TreeMap<>(String.CASE_INSENSITIVE_ORDER),
            () -> put(put(new TreeMap<>(new Backwards(true)), 7, "a"), -4, "b")),
        List.of(() -> new TreeMap<>(Map.of(1, 2)).keySet(), () -> new HashMap<>(Map.of(1, 2)).keySet(),
            () -> new HashMap<>(Map.of(1, 2)).values(), () -> new LinkedHashMap<>(Map.of(1, 2)).entrySet()),
        List.of(() -> Collections.unmodifiableList(new ArrayList<>(List.of(1))), () -> List.of(1, 2), List::of,
            () -> Set.of(3),
            () -> Map.of(1, 2), () -> Collections.nCopies(3, "x"), () -> Collections.singletonMap(1, 2),
            () -> Collections.unmodifiableSortedMap(new TreeMap<>(Map.of(1, 2))), () -> Arrays.asList(1, 2),
            Collections::emptyList, Collections::emptySet, Collections::emptyMap, Collections::emptySortedSet,
            () -> Collections.singleton(1), () -> Collections.singletonList(1),
            () -> Collections.unmodifiableSet(new HashSet<>(List.of(1))),
            () -> Collections.unmodifiableMap(new TreeMap<>(Map.of(1, 2))),
            () -> Collections.unmodifiableCollection(new ArrayList<>(List.of(1))),
            () -> Collections.checkedList(new ArrayList<>(List.of("a")), String.class),
            () -> Map.entry(1, 2), () -> new AbstractMap.SimpleEntry<>(1, 2)),
        List.of(() -> bits(0, 1, 70, 7), () -> cleared(bits(0, 1, 70, 7, 900), 900), () -> new BitSet(4000),
            BitSet::new),
        List.of(StringBuilder::new, () -> new StringBuilder(900), () -> new StringBuilder("a\u20ac").append("b"),
            () -> new StringBuilder(99).append("a\u20acbc").delete(3, 4),
            () -> new StringBuilder("\u20ac").deleteCharAt(0)),
        List.of(StringBuffer::new, () -> new StringBuffer(900), () -> new StringBuffer("ab").reverse()),
        List.of(() -> new Random(3), () -> gaussian(new Random(3)), () -> new SplittableRandom(4),
            () -> new SplittableRandom(4).split()),
        List.of(() -> ByteBuffer.allocate(9), () -> ByteBuffer.wrap(new byte[9], 2, 5).mark().position(4),
            () -> ByteBuffer.wrap(new byte[9]).order(ByteOrder.LITTLE_ENDIAN).putShort((short) 1).flip(),
            () -> ByteBuffer.wrap(new byte[9], 3, 4).slice().limit(2), () -> ByteBuffer.allocate(3).asReadOnlyBuffer()),
        List.of(() -> new AtomicInteger(3), () -> new AtomicLong(3), () -> new AtomicBoolean(true),
            () -> new AtomicReference<>("x"),
            () -> new AtomicIntegerArray(3), () -> new AtomicLongArray(3), () -> new AtomicReferenceArray<>(3),
            () -> new AtomicReferenceArray<>(new Object[] {1, "b"}),
            () -> new AtomicMarkableReference<>("x", true), () -> new AtomicStampedReference<>("x", 4),
            () -> added(new LongAdder()), () -> new DoubleAdder()),
        List.of(() -> new StringTokenizer("a b c"), () -> after(new StringTokenizer("a b c", " ", true), StringTokenizer::nextToken)),
        List.of(() -> Pattern.compile("a+").matcher("baab"), () -> after(Pattern.compile("a+").matcher("baab"), Matcher::find)),
        List.of(ThreadLocal::new, InheritableThreadLocal::new),
        List.of(Object::new, () -> new AbstractMap.SimpleImmutableEntry<>(1, 2), DelayQueue::new,
            () -> new DelayQueue<>(List.of(new Soon(3), new Soon(1))),
            () -> new ConcurrentHashMap<>(Map.of(1, 2)).keySet(3), () -> new DoubleAccumulator(new Sum(), 0),
            () -> new LongAccumulator(new Sum(), 3), () -> new ReentrantLock().newCondition()),
        List.of(ReentrantLock::new, () -> new ReentrantLock(true), () -> used(new ReentrantLock()),
            () -> new Semaphore(3),
            () -> new Semaphore(-1, true), () -> new CountDownLatch(2), ReentrantReadWriteLock::new, StampedLock::new,
            () -> new Phaser(2), () -> after(new Phaser(2), Phaser::arrive),
            () -> used(new ReentrantReadWriteLock().writeLock()), () -> new ReentrantReadWriteLock(true).readLock()),
        List.of(CompletableFuture::new, () -> CompletableFuture.completedFuture(3),
            () -> CompletableFuture.failedFuture(new Error("x")),
            () -> CompletableFuture.completedStage(3), () -> cancelled(new CompletableFuture<>()),
            () -> dependent(new CompletableFuture<>()),
            () -> new FutureTask<>(new Answer()), () -> ran(new FutureTask<>(new Answer())),
            () -> cancelled(new FutureTask<>(new Answer()))),
        List.of(() -> new Exception("x", new Error("y")), Throwable::new,
            () -> suppressing(new IllegalStateException())),
        List.of(() -> new IntSummaryStatistics(2, 1, 5, 6), DoubleSummaryStatistics::new, LongSummaryStatistics::new,
            () -> new EventObject("x"), () -> new Date(77), () -> new Date(1L << 40)),
        List.of(() -> Pattern.compile("(?i)a|b"), () -> Pattern.compile("a", Pattern.CASE_INSENSITIVE),
            () -> Pattern.compile("(?m)^x$", Pattern.UNICODE_CHARACTER_CLASS),
            () -> new BigInteger("-123456789012345678901234567890"), () -> new BigDecimal("1.50"),
            () -> new BigDecimal("15e3"),
            () -> new MathContext(3), () -> Locale.forLanguageTag("de-CH-1996"), () -> Locale.ROOT,
            () -> URI.create("a:b%20c#d"),
            () -> URI.create("../x?q"), () -> Currency.getInstance("EUR"), () -> ZoneId.of("Europe/Berlin"),
            () -> ZoneOffset.ofHours(3),
            () -> StandardCharsets.UTF_16, () -> new UUID(1, 2), () -> Duration.ofMillis(-3), () -> Instant.EPOCH,
            () -> Period.ofDays(400),
            () -> LocalDate.of(2020, 2, 29), () -> LocalTime.NOON, () -> LocalDateTime.of(2020, 2, 29, 1, 2),
            () -> Year.of(2020), () -> YearMonth.of(2020, 2),
            () -> MonthDay.of(2, 29), () -> OffsetTime.of(LocalTime.NOON, ZoneOffset.UTC),
            () -> OffsetDateTime.of(2020, 1, 2, 3, 4, 5, 6, ZoneOffset.UTC),
            () -> ZonedDateTime.of(2020, 10, 25, 2, 30, 0, 0, ZoneId.of("Europe/Berlin")).withLaterOffsetAtOverlap(),
            () -> Clock.fixed(Instant.EPOCH, ZoneOffset.UTC), () -> OptionalInt.of(3), OptionalLong::empty,
            () -> OptionalDouble.of(0), () -> Optional.of("x"), () -> OptionalLong.of(4)),
        List.of(() -> String.class, () -> int.class, () -> void.class, () -> int[].class, () -> String[].class,
            () -> Prepare.class, () -> TimeUnit.DAYS, () -> Path.of("/a/b"), () -> Path.of(""),
            made(() -> List.class.getMethod("add", int.class, Object.class))),
        List.of(() -> new DatagramPacket(new byte[] {1, 2, 3}, 1, 2), () -> new DatagramPacket(new byte[4], 4),
            made(() -> new DatagramPacket(new byte[] {1}, 1, InetAddress.getByAddress("node1", new byte[] {10, 0, 0, 1}), 7))),
        List.of(made(() -> InetAddress.getByAddress("node1", new byte[] {10, 0, 0, 1})),
            made(() -> InetAddress.getByName("10.0.0.1")), made(() -> InetAddress.getByName("::1")),
            made(() -> Inet6Address.getByAddress("x", new byte[16], 3)),
            () -> new InetSocketAddress("10.0.0.1", 80), () -> InetSocketAddress.createUnresolved("node1", 80)),
        List.of(() -> new StringJoiner(","), () -> new StringJoiner(",", "[", "]").setEmptyValue("none"),
            () -> joined(new StringJoiner("-"), 9), () -> joined(new StringJoiner("-"), 2).merge(joined(new StringJoiner("+"), 7))),
        List.of(CRC32::new, CRC32C::new, Adler32::new, () -> updated(new CRC32()), () -> updated(new CRC32C()),
            () -> updated(new Adler32())),
        List.of(Base64::getEncoder, Base64::getMimeEncoder, () -> Base64.getUrlEncoder().withoutPadding(), Base64::getDecoder,
            Base64::getMimeDecoder, () -> ByteOrder.BIG_ENDIAN, () -> ByteOrder.LITTLE_ENDIAN,
            () -> DateTimeFormatter.ISO_DATE, () -> IsoChronology.INSTANCE, () -> JapaneseChronology.INSTANCE),
        List.of(ByteArrayOutputStream::new, () -> new ByteArrayOutputStream(900), () -> written(new ByteArrayOutputStream(1))),
        List.of(() -> TimeZone.getTimeZone("Europe/Berlin"), () -> TimeZone.getTimeZone("GMT+3")),
        List.of(ThreadPoolExecutor.AbortPolicy::new, ThreadPoolExecutor.CallerRunsPolicy::new,
            ThreadPoolExecutor.DiscardPolicy::new, ThreadPoolExecutor.DiscardOldestPolicy::new,
            () -> new ExecutorCompletionService<>(new Direct()), () -> ran(new ExecutorCompletionService<>(new Direct()))));

    private static final class Direct implements Executor {
        @Override
        public void execute(Runnable task) {
            task.run();
        }
    }

    private static <T> ExecutorCompletionService<T> ran(ExecutorCompletionService<T> service) {
        service.submit(() -> { }, null);
        return service;
    }

    /** An element that is due. */
    private record Soon(int n) implements Delayed {
        @Override
        public long getDelay(TimeUnit unit) {
            return -1;
        }

        @Override
        public int compareTo(Delayed other) {
            return Integer.compare(n, ((Soon) other).n);
        }
    }

    private static Supplier<?> made(Callable<?> maker) {
        return () -> {
            try {
                return maker.call();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        };
    }

    private static <K, V> Map<K, V> put(Map<K, V> map, K key, V value) {
        map.put(key, value);
        return map;
    }

    private static StringJoiner joined(StringJoiner joiner, int parts) {
        for (int i = 0; i < parts; i++) {
            joiner.add("" + i);
        }
        return joiner;
    }

    private static <T> T after(T object, Consumer<T> use) {
        use.accept(object);
        return object;
    }

    private static Checksum updated(Checksum sum) {
        sum.update(7);
        return sum;
    }

    private static ByteArrayOutputStream written(ByteArrayOutputStream out) {
        out.writeBytes(new byte[] {1, 2, 3});
        return out;
    }

    @Test
    public void decodedObjectsTellWhatTheOriginalsTell() {
        for (List<Supplier<?>> group : HISTORIES) {
            Map<String, List<Supplier<?>>> sameBytes = new LinkedHashMap<>();
            for (Supplier<?> history : group) {
                String hex = HexFormat.of().formatHex(codec.encode(history.get()));
                sameBytes.computeIfAbsent(hex, b -> new ArrayList<>()).add(history);
            }
            sameBytes.forEach((hex, histories) -> {
                byte[] bytes = HexFormat.of().parseHex(hex);
                histories.forEach(history -> compare(history, bytes));
            });
        }
        differing.removeIf(ORDERS.asMatchPredicate().or(NO_PART.asMatchPredicate()));
        assertEquals(Set.of(), differing);
        Set<String> unasked = new TreeSet<>(JdkFields.VALUES);
        unasked.addAll(JdkFields.OBJECTS);
        unasked.remove("java.security.SecureRandom"); // the superclass of a stand-in
        unasked.removeIf(type -> !isPublic(type) || asked.stream().anyMatch(a -> a.startsWith(type + ".")));
        assertEquals(Set.of(), unasked);
        assertTrue("asks little: " + asked.size(), asked.size() > 600);
    }

    private static boolean isPublic(String type) {
        try {
            int modifiers = Class.forName(type).getModifiers();
            return Modifier.isPublic(modifiers) && !Modifier.isAbstract(modifiers);
        } catch (ClassNotFoundException e) {
            return false; // of another version
        }
    }

    private void compare(Supplier<?> original, byte[] bytes) {
        Supplier<List<Object>> decoded = () -> Orders.all(() -> codec.decode(bytes));
        Class<?> type = original.get().getClass();
        for (Object other : decoded.get()) {
            assertArrayEquals(type.getName(), bytes, codec.encode(other));
            Object one = original.get();
            expect(type + " is one", one != original.get() || one == other);
            expect(type + " equals", one.equals(original.get()) == one.equals(other));
            expect(type + " holds", Dump.of(one).equals(Dump.of(other)));
            expect(type + " polls", drained(one).equals(drained(other)));
        }
        for (Method m : observers(type)) {
            String what = type.getName() + "." + m.getName();
            asked.add(what);
            for (Object other : decoded.get()) {
                Object one = original.get();
                expect(what, told(m, one).equals(told(m, other)) && shown(one).equals(shown(other)));
            }
        }
    }

    private void expect(String what, boolean isSame) {
        if (!isSame) {
            differing.add(what);
        }
    }

    /** What a queue gives, one by one. */
    private static List<Object> drained(Object of) {
        List<Object> all = new ArrayList<>();
        while (of instanceof Queue<?> queue && !queue.isEmpty()) {
            all.add(queue.poll());
        }
        return all;
    }

    /** The public methods without arguments that programs may call. */
    private static List<Method> observers(Class<?> type) {
        List<Method> found = new ArrayList<>();
        for (Method m : type.getMethods()) {
            Method open = open(m, type);
            boolean asks = m.getParameterCount() == 0 && !Modifier.isStatic(m.getModifiers()) && open != null
                && !OF_OBJECTS.contains(m.getName());
            boolean isIdentity = m.getName().equals("hashCode") && m.getDeclaringClass() == Object.class;
            if (asks && !isIdentity && !isRefused(type, m)) {
                found.add(open);
            }
        }
        return found;
    }

    /** Whether programs cannot call a method as it is. */
    private static boolean isRefused(Class<?> type, Method m) {
        return m.getName().equals("parallelStream") || RefusedCalls.find(type.getName().replace('.', '/'), m.getName(), "()", (owner, of) -> {
            try {
                return Class.forName(of.replace('/', '.')).isAssignableFrom(type);
            } catch (ClassNotFoundException e) {
                return false;
            }
        }) >= 0;
    }

    /** The method as a class declares it that programs can name. */
    private static Method open(Method m, Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Class<?> named : all(c)) {
                if (Modifier.isPublic(named.getModifiers()) && named.getModule().isExported(named.getPackageName())) {
                    try {
                        Method found = named.getMethod(m.getName());
                        if (Modifier.isPublic(found.getDeclaringClass().getModifiers())) {
                            return found;
                        }
                    } catch (NoSuchMethodException e) {
                        continue;
                    }
                }
            }
        }
        return null;
    }

    private static Set<Class<?>> all(Class<?> c) {
        Set<Class<?>> found = new LinkedHashSet<>(List.of(c));
        for (Class<?> i : c.getInterfaces()) {
            found.addAll(all(i));
        }
        return found;
    }

    /** What a method says, as a text. */
    private String told(Method m, Object of) {
        try {
            return shown(m.invoke(of));
        } catch (InvocationTargetException e) {
            return "throws " + e.getCause();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private String shown(Object told) {
        if (told instanceof BaseStream<?, ?> stream) {
            return shown(stream.sequential().iterator());
        } else if (told instanceof Iterator<?> elements) {
            List<Object> all = new ArrayList<>();
            for (int i = 0; i < 100 && elements.hasNext(); i++) {
                all.add(elements.next());
            }
            return "iterates over " + shown(all);
        } else if (told instanceof Enumeration<?> elements) {
            return shown(elements.asIterator());
        } else if (told instanceof Spliterator<?> elements) {
            List<Object> all = new ArrayList<>();
            elements.forEachRemaining(all::add);
            return elements.characteristics() + " " + shown(all);
        } else if (told instanceof String text) {
            return text.replaceAll("@[0-9a-f]+", "@");
        }
        try {
            return told == null ? "null" : told.getClass() + HexFormat.of().formatHex(codec.encode(told));
        } catch (NotCapturableException e) {
            return told.getClass() + " " + told.toString().replaceAll("@[0-9a-f]+", "@");
        }
    }

    private static List<Supplier<?>> collections(Supplier<Collection<Integer>> maker) {
        return List.of(maker, () -> {
            Collection<Integer> c = maker.get();
            c.addAll(List.of(3, 1, 2));
            return c;
        }, () -> {
            Collection<Integer> c = maker.get();
            for (int i = 0; i < 40; i++) {
                c.add(i);
            }
            c.removeIf(i -> i > 3 || i == 0);
            c.remove(3);
            c.add(3);
            return c;
        });
    }

    private static List<Supplier<?>> maps(Supplier<Map<Object, Object>> maker) {
        return List.of(maker, () -> {
            Map<Object, Object> map = maker.get();
            map.putAll(new TreeMap<>(Map.of("a", "1", "b", "2", "c", "3")));
            return map;
        }, () -> {
            Map<Object, Object> map = maker.get();
            for (int i = 0; i < 90; i++) {
                map.put("" + i, "");
            }
            map.keySet().removeIf(k -> true);
            map.put("a", "1");
            map.put("b", "2");
            map.put("c", "3");
            map.get("c");
            return map;
        });
    }

    private record Sum() implements DoubleBinaryOperator, LongBinaryOperator {
        @Override
        public double applyAsDouble(double a, double b) {
            return a + b;
        }

        @Override
        public long applyAsLong(long a, long b) {
            return a + b;
        }
    }

    private record Answer() implements Callable<Object>, Function<Object, Object> {
        @Override
        public Object call() {
            return 42;
        }

        @Override
        public Object apply(Object o) {
            return o;
        }
    }

    private static Object trimmed(Vector<?> vector) {
        vector.trimToSize();
        vector.clear();
        return vector;
    }

    private static BitSet bits(int... bits) {
        BitSet set = new BitSet();
        Arrays.stream(bits).forEach(set::set);
        return set;
    }

    private static BitSet cleared(BitSet set, int bit) {
        set.clear(bit);
        return set;
    }

    private static Random gaussian(Random random) {
        random.nextGaussian();
        return random;
    }

    private static LongAdder added(LongAdder adder) {
        adder.add(3);
        return adder;
    }

    private static Lock used(Lock lock) {
        lock.lock();
        lock.unlock();
        return lock;
    }

    private static <T extends Future<?>> T cancelled(T future) {
        future.cancel(false);
        return future;
    }

    private static CompletableFuture<Object> dependent(CompletableFuture<Object> future) {
        future.thenApply(new Answer());
        return future;
    }

    private static FutureTask<Object> ran(FutureTask<Object> task) {
        task.run();
        return task;
    }

    private static Exception suppressing(Exception e) {
        e.addSuppressed(new Error("s"));
        return e;
    }
}
