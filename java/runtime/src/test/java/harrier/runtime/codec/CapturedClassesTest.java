package harrier.runtime.codec;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.codec.Samples.*;
import harrier.runtime.codec.graph.NotCapturableException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.Test;

/** Classes of the JDK that actors hold, and classes of programs that extend some: decoded objects behave as the encoded ones. */
public class CapturedClassesTest {
    private final Codec codec = new Codec(getClass().getClassLoader());

    /** What both layouts give; the bytes of each are the same as before. */
    private <T> List<T> copies(T value) {
        byte[] bytes = codec.encode(value);
        List<T> copies = new ArrayList<>();
        for (Object decoded : Orders.all(() -> codec.decode(bytes))) {
            @SuppressWarnings("unchecked")
            T copy = (T) decoded;
            assertSame(value.getClass(), copy.getClass());
            assertArrayEquals(bytes, codec.encode(copy));
            copies.add(copy);
        }
        return copies;
    }

    private <T> T copy(T value) {
        return copies(value).get(0);
    }

    /** What {@code behaviour} does with a value, it does with a decoded one. */
    private <T> void behaves(Supplier<T> maker, Function<T, Object> behaviour) {
        List<T> copies = copies(maker.get());
        Object expected = behaviour.apply(maker.get());
        for (T copy : copies) {
            assertEquals(expected, behaviour.apply(copy));
        }
    }

    private void same(Object a, Object b) {
        assertArrayEquals(codec.encode(a), codec.encode(b));
    }

    private void differ(Object a, Object b) {
        assertFalse(Arrays.equals(codec.encode(a), codec.encode(b)));
    }

    @Test
    public void values() {
        same(new Pair(BigInteger.ONE, BigInteger.ONE), new Pair(BigInteger.ONE, new BigInteger("1")));
        differ(new Locale("de"), new Locale("de", "AT"));
        assertThrows(NotCapturableException.class, () -> codec.encode(new Locale("a", "b", "c_d e")));
        assertThrows(NotCapturableException.class,
            () -> new Codec(ClassLoader.getPlatformClassLoader()).encode(Prepare.class));
    }

    private static final VarHandle LENGTH = MethodHandles.arrayElementVarHandle(int[].class);

    @Test
    public void handlesInStaticFinalFieldsAreThese() {
        Codec codec = new Codec(getClass().getClassLoader(), () -> List.of(CapturedClassesTest.class));
        assertSame(LENGTH, codec.decode(codec.encode(LENGTH)));
        VarHandle other = MethodHandles.arrayElementVarHandle(long[].class);
        assertThrows(NotCapturableException.class, () -> codec.encode(other));
    }

    @Test
    public void whatBuffersAndQueuesTake() {
        same(new StringBuilder(1000).append("x"), new StringBuilder("x"));
        differ(new LinkedBlockingQueue<>(3), new LinkedBlockingQueue<>(4));
        ByteBuffer readOnly = copy(ByteBuffer.allocate(2).asReadOnlyBuffer());
        assertThrows(java.nio.ReadOnlyBufferException.class, () -> readOnly.put((byte) 1));
    }

    @Test
    public void aPriorityQueueIsWhatItPolls() {
        PriorityQueue<Integer> grown = new PriorityQueue<>(List.of(9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
        grown.remove(9);
        grown.remove(0);
        PriorityQueue<Integer> sorted = new PriorityQueue<>(100);
        sorted.addAll(List.of(1, 2, 3, 4, 5, 6, 7, 8));
        assertFalse("not the same inside", List.copyOf(grown).equals(List.copyOf(sorted)));
        same(grown, sorted);
        same(new PriorityQueue<>(List.of(2, 1, 1, 3, 1)), new PriorityQueue<>(List.of(1, 1, 1, 2, 3)));
        List<PriorityQueue<Integer>> both = copies(grown);
        assertFalse("layouts show", List.copyOf(both.get(0)).equals(List.copyOf(both.get(1))));
        for (PriorityQueue<Integer> queue : both) {
            List<Integer> polled = new ArrayList<>();
            while (!queue.isEmpty()) {
                polled.add(queue.poll());
            }
            assertEquals(List.of(1, 2, 3, 4, 5, 6, 7, 8), polled);
        }
    }

    @Test
    public void placesMatterAmongEquals() {
        Supplier<PriorityQueue<String>> maker = () -> {
            PriorityQueue<String> q = new PriorityQueue<>(Comparator.comparing(String::length));
            q.addAll(List.of("bb", "aa", "c", "dd", "ee"));
            return q;
        };
        // This comparator compares by a hidden lambda of the tests, which has no name.
        assertThrows(NotCapturableException.class, () -> codec.encode(maker.get()));
        Supplier<PriorityQueue<Object>> tied = () -> {
            PriorityQueue<Object> q = new PriorityQueue<>(new ByLength());
            q.addAll(List.of("bb", "aa", "c", "dd", "ee"));
            return q;
        };
        behaves(tied, q -> "" + q.poll() + q.poll() + q.poll() + q.poll() + q.poll());
        PriorityQueue<Object> other = new PriorityQueue<>(new ByLength());
        other.addAll(List.of("aa", "bb", "c", "dd", "ee"));
        differ(tied.get(), other);
    }

    private static final class ByLength implements Comparator<Object> {
        @Override
        public int compare(Object a, Object b) {
            return a.toString().length() - b.toString().length();
        }
    }

    @Test
    public void mapsOfOtherKinds() {
        Supplier<LinkedHashMap<Integer, String>> accessed = () -> {
            LinkedHashMap<Integer, String> map = new LinkedHashMap<>(16, 0.75f, true);
            map.put(1, "a");
            map.put(2, "b");
            map.get(1);
            return map;
        };
        behaves(accessed, map -> map + " " + map.get(2) + map);
        differ(accessed.get(), new LinkedHashMap<>(accessed.get()));
        Node a = new Node(1);
        Node b = new Node(2);
        IdentityHashMap<Object, Object> byIdentity = new IdentityHashMap<>();
        byIdentity.put(a, "a");
        byIdentity.put(b, "b");
        byIdentity.put(Color.RED, "red");
        byIdentity.put(null, "none");
        Pair pair = copy(new Pair(byIdentity, List.of(a, b)));
        List<?> nodes = (List<?>) pair.right();
        assertEquals(List.of("a", "b", "red", "none"), Arrays.asList(((Map<?, ?>) pair.left()).get(nodes.get(0)),
            ((Map<?, ?>) pair.left()).get(nodes.get(1)), ((Map<?, ?>) pair.left()).get(Color.RED),
            ((Map<?, ?>) pair.left()).get(null)));
        Properties defaults = new Properties();
        defaults.setProperty("k", "v");
        behaves(() -> {
            Properties p = new Properties(defaults);
            p.setProperty("x", "y");
            return p;
        }, p -> p.getProperty("k") + p.getProperty("x") + p.size() + p.put("z", 1));
    }

    @Test
    public void randomGenerators() {
        behaves(() -> new Random(7), Random::nextInt);
        Random used = new Random(7);
        used.nextGaussian();
        assertEquals(copy(used).nextGaussian(), used.nextGaussian(), 0);
        behaves(() -> new SplittableRandom(7), r -> r.nextLong() + " " + r.split().nextInt());
        behaves(() -> new Loaded(7, 3), r -> r.nextInt() + " " + r.bias);
        differ(new Random(1), new Random(2));
    }

    private static final class Loaded extends Random {
        private static final long serialVersionUID = 1;
        int bias;

        Loaded(long seed, int bias) {
            super(seed);
            this.bias = bias;
        }
    }

    @Test
    public void locksThatAreFree() {
        behaves(ReentrantLock::new, lock -> lock.tryLock() + " " + lock.getHoldCount() + lock.isFair());
        behaves(() -> new ReentrantLock(true), lock -> lock.tryLock() + " " + lock.isFair());
        for (ReentrantReadWriteLock lock : copies(new ReentrantReadWriteLock())) {
            assertTrue(lock.readLock().tryLock());
            assertEquals(1, lock.getReadHoldCount());
            assertFalse(lock.writeLock().tryLock());
            lock.readLock().unlock();
            assertTrue(lock.writeLock().tryLock());
        }
        Pair pair = copy(lockAndViews());
        ((ReadWriteLock) pair.left()).readLock().lock();
        assertFalse("they belong together", ((Lock) pair.right()).tryLock());
        ReentrantLock used = new ReentrantLock();
        used.lock();
        used.unlock();
        same(used, new ReentrantLock());
        behaves(StampedLock::new, lock -> lock.tryWriteLock() != 0 && lock.tryReadLock() == 0);
        behaves(() -> new Semaphore(2, true), s -> s.tryAcquire() + " " + s.availablePermits());
        behaves(() -> new CountDownLatch(2), latch -> {
            latch.countDown();
            return latch.getCount();
        });
        ReentrantLock lock = copy(new ReentrantLock());
        lock.lock();
        lock.newCondition().signal();
    }

    private static Pair lockAndViews() {
        ReadWriteLock lock = new ReentrantReadWriteLock();
        return new Pair(lock, lock.writeLock());
    }

    @Test
    public void throwables() {
        Exception cause = new IllegalArgumentException("inner");
        Failed failed = new Failed("outer", cause, 7);
        failed.addSuppressed(new RuntimeException());
        for (Failed copy : copies(failed)) {
            assertEquals("outer", copy.getMessage());
            assertEquals(7, copy.code);
            assertEquals("inner", copy.getCause().getMessage());
            assertEquals(1, copy.getSuppressed().length);
            assertEquals("where it was thrown is no part of the state", 0, copy.getStackTrace().length);
            copy.addSuppressed(cause);
            copy.fillInStackTrace();
            assertTrue(copy.getStackTrace().length > 0);
        }
        IllegalStateException plain = copy(new IllegalStateException("x"));
        plain.initCause(cause);
        plain.addSuppressed(cause);
        same(new IllegalStateException("x"), thrownElsewhere());
        copy(new AssertionError(3)).printStackTrace(new java.io.PrintWriter(new java.io.StringWriter()));
    }

    private static Exception thrownElsewhere() {
        return new IllegalStateException("x");
    }

    private static final class Failed extends Exception {
        private static final long serialVersionUID = 1;
        final int code;

        Failed(String message, Throwable cause, int code) {
            super(message, cause);
            this.code = code;
        }
    }

    /** As io.microraft's OrderedFuture: it adds fields, one of the name of a field of its superclass. */
    private static final class Ordered extends CompletableFuture<Object> {
        long index;
        Object result;

        void finish(long index, Object result) {
            this.index = index;
            this.result = result;
            super.complete(this);
        }

        @Override
        public Object join() {
            super.join();
            return result;
        }
    }

    @Test
    public void futures() {
        assertFalse(copy(new Ordered()).isDone());
        Ordered done = new Ordered();
        done.finish(5, "done");
        Ordered copy = copy(done);
        assertEquals("done", copy.join());
        assertSame(copy, copy.getNow(null));
        Ordered failed = new Ordered();
        failed.completeExceptionally(new IllegalStateException("no"));
        assertEquals("no", assertThrows(CompletionException.class, () -> copy(failed).join()).getCause().getMessage());
        behaves(() -> CompletableFuture.completedFuture(null), f -> f.isDone() + " " + f.join());
    }

    private record Append(List<Object> to, String text) implements Function<Object, Object> {
        @Override
        public Object apply(Object given) {
            to.add(text + given);
            return given;
        }
    }

    @Test
    public void futuresWithDependents() {
        List<Object> log = new ArrayList<>();
        CompletableFuture<Object> future = new CompletableFuture<>();
        future.thenApply(new Append(log, "a")).thenApply(new Append(log, "b"));
        future.exceptionally(new Append(log, "c")::apply); // a lambda without a name
        assertThrows(NotCapturableException.class, () -> codec.encode(future));
        CompletableFuture<Object> named = new CompletableFuture<>();
        CompletableFuture<Object> last = named.thenApply(new Append(log, "a")).thenApply(new Append(log, "b"));
        for (List<?> copy : copies(new ArrayList<>(List.of(named, last, log)))) {
            @SuppressWarnings("unchecked")
            CompletableFuture<Object> first = (CompletableFuture<Object>) copy.get(0);
            first.complete(1);
            assertEquals(List.of("a1", "b1"), copy.get(2));
            assertTrue(((CompletableFuture<?>) copy.get(1)).isDone());
        }
        assertTrue(log.isEmpty());
    }

    private record Log(List<Object> to) implements Supplier<Object>, Runnable {
        @Override
        public Object get() {
            to.add("got");
            return "given";
        }

        @Override
        public void run() {
            to.add("run");
        }
    }

    @Test
    public void futuresWhoseTasksWait() {
        List<Object> log = new ArrayList<>();
        List<Runnable> tasks = new ArrayList<>();
        CompletableFuture.supplyAsync(new Log(log), tasks::add).thenApply(new Append(log, "then "));
        new CompletableFuture<>().completeAsync(new Log(log), tasks::add);
        CompletableFuture.runAsync(new Log(log), tasks::add);
        for (List<?> copy : copies(new ArrayList<>(List.of(tasks, log)))) {
            ((List<?>) copy.get(0)).forEach(task -> ((Runnable) task).run());
            assertEquals(List.of("got", "then given", "got", "run"), copy.get(1));
        }
    }

    @Test
    public void comparatorsOfTheJdk() {
        Comparator<Object> byText = Comparator.comparing(new Text());
        Supplier<TreeSet<Object>> maker = () -> {
            TreeSet<Object> set = new TreeSet<>(byText.thenComparing(Comparator.nullsLast(byText.reversed())));
            set.addAll(List.of("b", 1, 'c'));
            return set;
        };
        behaves(maker, set -> set.add("a") + " " + set.add("b") + set);
        assertSame(Function.identity(), copy(Function.identity()));
        behaves(() -> Map.Entry.<String, Integer>comparingByValue().reversed(),
            c -> c.compare(Map.entry("a", 1), Map.entry("b", 2)));
        same(Comparator.comparing(new Text()), Comparator.comparing(new Text()));
        differ(Comparator.nullsLast(byText), Comparator.nullsFirst(byText));
    }

    private record Text() implements Function<Object, String> {
        @Override
        public String apply(Object o) {
            return o.toString();
        }
    }

    /** Forgets the eldest entry when a third one comes. */
    private static final class Recent extends LinkedHashMap<Object, Object> {
        private static final long serialVersionUID = 1;
        int forgotten;
        Object self = this;

        Recent() {
            super(4, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Object> eldest) {
            boolean full = size() > 2;
            forgotten += full ? 1 : 0;
            return full;
        }

        @Override
        public Set<Map.Entry<Object, Object>> entrySet() {
            throw new AssertionError("what a program overrides must not run");
        }
    }

    private static final class Counting extends ArrayList<Object> {
        private static final long serialVersionUID = 1;
        int added;

        @Override
        public boolean add(Object o) {
            added++;
            return super.add(o);
        }
    }

    private static final class Own extends HashSet<Object> {
        private static final long serialVersionUID = 1;
    }

    @Test
    public void subclassesOfCollections() {
        behaves(() -> {
            Recent recent = new Recent();
            recent.put(1, "a");
            recent.put(2, "b");
            recent.put(3, "c");
            recent.get(2);
            return recent;
        }, recent -> {
            recent.put(4, "d");
            return recent.keySet() + " " + recent.forgotten + (recent.self == recent) + recent.get(2);
        });
        behaves(() -> {
            Counting counting = new Counting();
            counting.add("x");
            return counting;
        }, counting -> counting.add("y") + " " + counting + counting.added + counting.subList(1, 2));
        Counting roomy = new Counting();
        roomy.ensureCapacity(100);
        same(new Counting(), roomy);
        Node key = new Node(1);
        HashSet<Object> inner = new Own();
        inner.add(new Item(3));
        inner.add(key);
        key.value = inner; // a cycle through a hash table
        HashSet<Object> copy = copy(inner);
        assertTrue(copy.contains(new Item(3)));
        assertNotSame(inner, copy);
    }

    private static final class Single extends AbstractList<Object> {
        private Object element;

        @Override
        public int size() {
            return 1;
        }

        @Override
        public Object get(int i) {
            return element;
        }

        @Override
        public Object set(int i, Object o) {
            modCount++;
            element = o;
            return i;
        }

        int changes() {
            return modCount;
        }
    }

    @Test
    public void listsOfTheProgramCountTheirOwnChanges() {
        behaves(() -> {
            Single single = new Single();
            single.set(0, "x");
            return single;
        }, single -> single.changes() + " " + single.set(0, "y") + single.changes());
    }

    @Test
    public void loggers() {
        java.util.logging.Logger logger = java.util.logging.Logger.getLogger("a.b");
        assertSame(logger, copy(logger));
        differ(logger, java.util.logging.Logger.getLogger("a.c"));
        assertEquals("x.y", copy(System.getLogger("x.y")).getName());
    }
}
