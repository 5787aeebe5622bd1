package harrier.runtime.codec;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import harrier.runtime.codec.Samples.*;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.*;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.Test;

/** What cannot be captured, and what is said about it. */
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
        refused(new LocalState("a", 0, actor), message);
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
            + "which cannot be captured: use an enum or a class with a name instead of a lambda");
        Comparator<String> byLength = Comparator.comparing(String::length);
        state(new TreeMap<>(byLength), "field value.comparator holds a java.util.Comparator$$Lambda, "
            + "which cannot be captured: use an enum or a class with a name instead of a lambda");
    }

    @Test
    public void subclassesOfTheJdks() {
        state(new MyList(), "field value holds a harrier.runtime.codec.NotCapturableTest$MyList, "
            + "which cannot be captured: it extends java.util.ArrayList; hold the collection in a field");
        state(new MyThread(), "field value holds a harrier.runtime.codec.NotCapturableTest$MyThread, "
            + "which cannot be captured: it extends java.lang.Thread; keep it out of the actor's state");
        Custom custom = (Custom) codec.decode(codec.encode(new Custom()), HashLayout.PLAIN); // no state in the superclass
        assertEquals(3, custom.size());
    }

    @Test
    public void collectionsWithMoreThanElements() {
        String cannot = ", which cannot be captured: ";
        state(new LinkedHashMap<>(16, 0.75f, true), "field value holds a java.util.LinkedHashMap" + cannot
            + "it is ordered by access; make it ordered by insertion");
        state(new TreeSet<>(Set.of(1, 2)).descendingSet(), "field value holds a java.util.TreeSet" + cannot
            + "it is a view of another set; copy it into a set of its own");
        state(new TreeMap<>(Map.of(1, 2)).headMap(1), "field value holds a java.util.TreeMap$AscendingSubMap"
            + cannot + "copy it into an ArrayList, a HashSet or a HashMap");
        state(new IdentityHashMap<>(), "field value holds a java.util.IdentityHashMap" + cannot + "use a HashMap");
    }

    @Test
    public void otherClassesOfTheJdk() {
        String cannot = ", which cannot be captured: ";
        state(new Random(1), "field value holds a java.util.Random" + cannot
            + "take what it decides from choose(n)");
        state(new StringBuilder("x"), "field value holds a java.lang.StringBuilder" + cannot + "keep a String");
        state(String.class, "field value holds a java.lang.Class" + cannot + "keep the name of the class");
        state(new ReentrantLock(), "field value holds a java.util.concurrent.locks.ReentrantLock" + cannot
            + "leave it out; an actor's handlers run one at a time");
        state(new IllegalStateException(), "field value holds a java.lang.IllegalStateException" + cannot
            + "keep its message as a String");
        state(new Object() { Object inner = List.of(1).iterator(); }, "field value.inner holds a java.util.ImmutableCollections$ListItr" + KEEP_OUT);
    }

    @Test
    public void depth() {
        // Level 1 is the outermost value, so 999 arrays around a scalar are 1,000 levels.
        Object nested = 1;
        for (int i = 0; i < 999; i++) {
            nested = new Object[] {nested};
        }
        byte[] bytes = codec.encode(nested);
        assertArrayEquals(bytes, codec.encode(codec.decode(bytes, HashLayout.OPPOSITE)));
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
            + "it is not a class of the program under check",
            assertThrows(NotCapturableException.class, () -> strangers.encode(new Ping())).getMessage());
    }

    @Test
    public void elementsThatBecameEqual() {
        Item a = new Item(1);
        Item b = new Item(2);
        Set<Object> set = new HashSet<>(List.of(a, b));
        b.id = 1;
        byte[] bytes = codec.encode(set);
        NotCapturableException e = assertThrows(NotCapturableException.class,
            () -> codec.decode(bytes, HashLayout.PLAIN));
        assertTrue(e.getMessage(), e.getMessage().contains("java.util.HashSet"));
    }
}
