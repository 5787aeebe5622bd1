package harrier.runtime.codec;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.codec.Samples.*;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.codec.graph.NotCapturableException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.Test;

/** Objects that cannot be captured, and the messages about them. */
public class NotCapturableTest {
    private final Codec codec = new Codec(getClass().getClassLoader());

    private static final class Worker {
        Object[] queue = new Object[4];
    }

    private static final class Task {
        Object thread;
    }

    /** A list of its own kind. */
    private static final class MyList extends ArrayList<Object> {
        private static final long serialVersionUID = 1;
    }

    private static final class MyThread extends Thread {}

    private static final class Custom extends AbstractList<Object> {
        final int size = 3;

        @Override
        public Object get(int i) {
            return i;
        }

        @Override
        public int size() {
            return size;
        }
    }

    private void refused(Object value, String message) {
        NotCapturableException e = assertThrows(NotCapturableException.class, () -> codec.encode(value));
        assertEquals(message, e.getMessage());
    }

    private void state(Object held, String message) {
        Acceptor actor = new Acceptor();
        actor.value = held;
        refused(new LocalState("a", 0, actor, Map.of()), message);
    }

    private static final String KEEP_OUT = ", which cannot be captured: keep it out of the actor's state";

    @Test
    public void pathsLeadThere() {
        Worker worker = new Worker();
        Task task = new Task();
        worker.queue[3] = task;
        task.thread = Thread.currentThread();
        state(worker, "field value.queue[3].thread holds a java.lang.Thread" + KEEP_OUT);
        state(List.of(1, new Pair(Optional.of(new ByteArrayInputStream(new byte[0])), 0)), "field value[1].left.value holds a java.io.ByteArrayInputStream" + KEEP_OUT);
        state(Map.of("k", new PrintStream(new ByteArrayOutputStream())), "field value[\"k\"] holds a java.io.PrintStream" + KEEP_OUT);
        state(new HashMap<>(Map.of(Color.RED, Thread.currentThread())), "field value[RED] holds a java.lang.Thread" + KEEP_OUT);
        state(new HashMap<>(Map.of(Samples.name("a2"), 1, new Prepare(1), new Task[] {task})), "field value[*][0].thread holds a java.lang.Thread" + KEEP_OUT);
        state(Set.of(task), "field value[*].thread holds a java.lang.Thread" + KEEP_OUT);
        refused(Thread.currentThread(), "the value is a java.lang.Thread" + KEEP_OUT);
        refused(List.of(Thread.currentThread()), "element [0] holds a java.lang.Thread" + KEEP_OUT);
    }

    @Test
    public void actorsAndScenarios() {
        String mend = ", which cannot be captured: it is an actor of its own; hold its ActorName";
        String type = "harrier.runtime.codec.Samples$Acceptor";
        state(new Acceptor(), "field value holds a " + type + mend);
        refused(new Acceptor(), "the value is a " + type + mend);
        state(new Closed().new Inside(), "field value.this$0 holds a harrier.runtime.codec.Samples$Closed, which cannot be captured: "
                + "make the class that refers to the scenario static, and hand it what it needs");
    }

    @Test
    public void lambdas() {
        Runnable lambda = () -> { };
        state(lambda, "field value holds a harrier.runtime.codec.NotCapturableTest$$Lambda, "
            + "which cannot be captured: it has no name; use a class with a name");
        Object held = Thread.currentThread();
        Comparator<Object> comparator = Comparator.comparing(new Extractor(held));
        state(new TreeMap<>(comparator), "field value.comparator.arg$1.held holds a java.lang.Thread" + KEEP_OUT);
    }

    private record Extractor(Object held) implements Function<Object, String> {
        @Override
        public String apply(Object o) {
            return o.toString();
        }
    }

    @Test
    public void subclassesOfTheJdks() {
        MyList list = new MyList();
        list.add(Thread.currentThread());
        state(list, "field value.ArrayList[0] holds a java.lang.Thread" + KEEP_OUT);
        state(new MyThread(), "field value holds a harrier.runtime.codec.NotCapturableTest$MyThread, "
            + "which cannot be captured: it extends java.lang.Thread; keep it out of the actor's state");
        Custom custom = (Custom) codec.decode(codec.encode(new Custom())); // no state in the superclass
        assertEquals(3, custom.size());
    }

    @Test
    public void viewsOfSortedCollections() {
        String cannot = ", which cannot be captured: ";
        state(new TreeSet<>(Set.of(1, 2)).descendingSet(), "field value holds a java.util.TreeSet" + cannot
            + "it is a view of another set; copy it into a set of its own");
        state(new TreeMap<>(Map.of(1, 2)).headMap(1), "field value holds a java.util.TreeMap$AscendingSubMap"
            + cannot + "copy it into an ArrayList, a HashSet or a HashMap");
    }

    @Test
    public void otherClassesOfTheJdk() {
        String cannot = ", which cannot be captured: ";
        state(ThreadLocalRandom.current(), "field value holds a java.util.concurrent.ThreadLocalRandom" + cannot
            + "take what it decides from choose(n)");
        state(new ArrayList<>(List.of(1, 2)).subList(0, 1), "field value holds a java.util.ArrayList$SubList" + cannot
            + "it is a view of another list; copy it: new ArrayList<>(list.subList(from, to))");
        state(getClass().getClassLoader(), "field value holds a jdk.internal.loader.ClassLoaders$AppClassLoader" + KEEP_OUT);
        state(ByteBuffer.allocateDirect(1), "field value holds a java.nio.DirectByteBuffer" + KEEP_OUT);
        state(Stream.of(1), "field value holds a java.util.stream.ReferencePipeline$Head" + KEEP_OUT);
        state(ForkJoinPool.commonPool(), "field value holds a java.util.concurrent.ForkJoinPool" + cannot
            + "it has threads of its own; use an executor that runs tasks in the handler, or the actor's eventLoop()");
        state(new Object() { Object inner = List.of(1).iterator(); }, "field value.inner holds a java.util.ImmutableCollections$ListItr"
            + cannot + "iterate within one handler; keep the collection, and a position if need be");
    }

    @Test
    public void locksThatAreHeld() {
        String held = ", which cannot be captured: it is held; unlock it before the handler ends";
        ReentrantReadWriteLock both = new ReentrantReadWriteLock(true);
        both.readLock().lock();
        String fair = "a java.util.concurrent.locks.ReentrantReadWriteLock$FairSync" + held;
        state(both, "field value.readerLock.sync holds " + fair);
        both.readLock().unlock();
        both.writeLock().lock();
        state(both, "field value.readerLock.sync holds " + fair);
    }

    @Test
    public void depth() {
        // Level 1 is the outermost value, so 999 arrays around a scalar are 1,000 levels.
        Object nested = 1;
        for (int i = 0; i < 999; i++) {
            nested = new Object[] {nested};
        }
        byte[] bytes = codec.encode(nested);
        assertArrayEquals(bytes, codec.encode(codec.decode(bytes)));
        String path = "[0][0][0][0][0][0][0][0]...[0][0][0][0][0]";
        refused(new Object[] {nested}, "element " + path + " holds a java.lang.Integer, which cannot be captured: "
            + "it is nested more than 1,000 values deep; hold long chains in a java.util collection");

        Object ints = new int[] {1};
        for (int i = 0; i < 998; i++) {
            ints = Optional.of(ints);
        }
        codec.encode(ints);
        Object tooDeep = Optional.of(ints);
        assertThrows(NotCapturableException.class, () -> codec.encode(tooDeep));

        Node chain = null;
        for (int i = 0; i < 2000; i++) {
            Node node = new Node(i);
            node.next = chain;
            chain = node;
        }
        Node first = chain;
        NotCapturableException e = assertThrows(NotCapturableException.class, () -> codec.encode(first));
        assertTrue(e.getMessage(), e.getMessage().startsWith(
            "field next.next.next.next.next.next.next.next...next.next.next.next.value holds "));
    }

    @Test
    public void anotherLoadersClass() {
        Codec strangers = new Codec(ClassLoader.getPlatformClassLoader());
        assertEquals("the value is a harrier.runtime.codec.Samples$Ping, which cannot be captured: "
            + "it is not a class of the program under check; keep it out of the actor's state",
            assertThrows(NotCapturableException.class, () -> strangers.encode(new Ping())).getMessage());
    }
}
