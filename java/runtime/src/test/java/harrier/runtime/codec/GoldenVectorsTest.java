package harrier.runtime.codec;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import harrier.runtime.codec.Samples.*;
import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.graph.LocalState;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.Test;

/**
 * Samples of every tag, with the text that people see. The file that holds their bytes holds the Go
 * side to the same format. Run {@code main}, or the test with {@code -Dharrier.golden.write=true}, to
 * write the file anew.
 */
public class GoldenVectorsTest {
    private static final String FILE = "serializer/testdata/golden.txt";

    private final Codec codec = new Codec(getClass().getClassLoader());
    private final List<String> lines = new ArrayList<>();

    public static void main(String[] args) throws IOException {
        Files.writeString(file(), new GoldenVectorsTest().text());
    }

    @Test
    public void fileIsUpToDate() throws IOException {
        if (Boolean.getBoolean("harrier.golden.write")) {
            main(new String[0]);
        }
        assertEquals(Files.readString(file()), text());
    }

    @Test
    public void fileDecodes() throws IOException {
        for (String line : Files.readAllLines(file())) {
            if (line.startsWith("#") || line.isEmpty()) {
                continue;
            }
            byte[] bytes = HexFormat.of().parseHex(line.split("\t")[1]);
            for (Object decoded : Orders.all(() -> bytes[0] == Tag.ACTOR
                    ? codec.decodeLocalState(bytes) : codec.decode(bytes))) {
                assertArrayEquals(line, bytes, codec.encode(decoded));
            }
        }
    }

    private static Path file() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("serializer")) && Files.exists(folder.resolve("settings.gradle"))) {
                return folder.resolve(FILE);
            }
        }
        throw new IllegalStateException("not inside of the project");
    }

    private String text() {
        lines.clear();
        lines.add("# name, bytes, what people see. Written by the Java test GoldenVectorsTest; do not edit.");
        scalars();
        fields();
        arrays();
        collections();
        maps();
        immutables();
        references();
        actors();
        return String.join("\n", lines) + "\n";
    }

    private void add(String name, Object value, String text) {
        lines.add(name + "\t" + HexFormat.of().formatHex(codec.encode(value)) + "\t" + text);
    }

    private void scalars() {
        add("null", null, "null");
        add("false", false, "false");
        add("true", true, "true");
        add("byte", (byte) -128, "-128");
        add("short", (short) 300, "300");
        add("int", 42, "42");
        add("int-least", Integer.MIN_VALUE, "-2147483648");
        add("long", -1L, "-1");
        add("long-least", Long.MIN_VALUE, "-9223372036854775808");
        add("long-most", Long.MAX_VALUE, "9223372036854775807");
        add("char", 'c', "'c'");
        add("char-quote", '\'', "'\\''");
        add("char-surrogate", '\ud800', "'\\ud800'");
        add("float", 1.5f, "1.5");
        add("float-nan", Float.NaN, "NaN");
        add("double", -0.25, "-0.25");
        add("double-infinite", Double.POSITIVE_INFINITY, "+Inf");
        add("double-least", Double.NEGATIVE_INFINITY, "-Inf");
        add("double-nan", Double.NaN, "NaN");
        add("double-minus-zero", -0.0, "-0");
        add("string-empty", "", "\"\"");
        add("string", "say \"hi\"\n", "\"say \\\"hi\\\"\\n\"");
        add("string-umlaut", "käse", "\"käse\"");
        add("string-long", "x".repeat(200), '"' + "x".repeat(200) + '"');
        add("string-pair", "\ud83d\ude00", "\"\ud83d\ude00\"");
        add("units", "a\ud800b", "\"a\\ud800b\"");
        add("name", Samples.name("proposer1/worker1"), "proposer1/worker1");
        add("enum", Color.GREEN, "GREEN");
        add("enum-with-body", Op.MINUS, "MINUS");
        add("optional-empty", Optional.empty(), "Optional.empty");
        add("optional", Optional.of(Optional.of("x")), "Optional[Optional[\"x\"]]");
    }

    private void fields() {
        add("record", new Prepare(1), "Prepare(ballot=1)");
        add("record-empty", new Ping(), "Ping()");
        add("record-nested", new Pair(new Prepare(2), null), "Pair(left=Prepare(ballot=2), right=null)");
        add("object-empty", new Object(), "Object{}");
        add("object-kinds", new Kinds(), "Kinds{z=true, b=-1, s=-300, i=70000, j=-9223372036854775808, c='x', f=1.5, "
            + "d=-0.25, boxed=7, text=\"t\"}");
        add("object-hidden-field", new Derived(), "Derived{x=1, held=null, Derived.x=2}");
        add("object-of-the-jdk", new AtomicInteger(5), "AtomicInteger{value=5}");
        add("object-by-parts", new StringBuilder("ab"), "StringBuilder{text=\"ab\"}");
        add("object-that-is-a-lock", new ReentrantLock(), "ReentrantLock{sync=NonfairSync{state=0}}");
        add("object-that-was-thrown", new Samples.Failed("no", 3), "Failed{detailMessage=\"no\", cause=^Failed, suppressedExceptions=EmptyList(), code=3}");
        Samples.Log log = new Samples.Log(3);
        log.add("x");
        add("object-that-is-a-list", log, "Log{ArrayList=[\"x\"], added=1}");
        Samples.Cache cache = new Samples.Cache(3);
        cache.put("k", cache);
        add("object-that-is-a-map", cache, "Cache{LinkedHashMap={\"k\": ^Cache}, forgotten=0}");
        Samples.Indexed future = new Samples.Indexed(4);
        future.complete(future);
        add("object-that-completed-itself", future, "Indexed{CompletableFuture.result=^Indexed, stack=null, index=4, result=\"own\"}");
        add("object-that-is-a-proxy", Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Supplier.class, Runnable.class},
            new Samples.Answering(4)), "Proxy{interfaces=[Supplier.class, Runnable.class], h=Answering(answer=4)}");
        add("record-of-the-jdk", new UUID(1, 2), "UUID(mostSigBits=1, leastSigBits=2)");
        add("record-by-parts", new BigDecimal("1.50"), "BigDecimal(unscaled=BigInteger(text=\"150\"), scale=2)");
        add("record-of-a-class", Prepare.class, "Prepare.class");
    }

    private void arrays() {
        add("array-of-int", new int[] {1, -2}, "[1, -2]");
        add("array-empty", new String[0], "[]");
        add("array-of-arrays", new int[][] {{1}, null, {}}, "[[1], null, []]");
        add("array-of-strings", new String[] {"a", "b"}, "[\"a\", \"b\"]");
        add("bytes", new byte[] {0x0a, 0x0b}, "0x0a0b");
        add("bytes-empty", new byte[0], "0x");
        add("array-of-bytes", new byte[][] {{1}}, "[0x01]");
    }

    private void collections() {
        add("list", new ArrayList<>(List.of(1, "a")), "[1, \"a\"]");
        add("list-empty", new LinkedList<>(), "[]");
        add("list-sorted", new TreeSet<>(List.of(3, 1, 2)), "{1, 2, 3}");
        add("list-with-comparator", new TreeSet<>(new Backwards(true)), "{}");
        TreeSet<Integer> downwards = new TreeSet<>(Comparator.reverseOrder());
        downwards.addAll(List.of(1, 2));
        add("list-downwards", downwards, "{2, 1}");
        add("list-of-enums", EnumSet.of(Color.BLUE, Color.RED), "{RED, BLUE}");
        add("list-with-capacity", new LinkedBlockingQueue<>(List.of(1)), "[1]");
        add("list-polled", new PriorityQueue<>(List.of(3, 2, 1)), "[1, 2, 3]");
        BitSet bits = new BitSet();
        bits.set(1);
        bits.set(70);
        add("list-of-bits", bits, "{1, 70}");
        add("set", new HashSet<>(List.of("b", "a", 3, 300, -1)), "{-1, 3, 300, \"a\", \"b\"}");
        add("set-empty", new HashSet<>(), "{}");
        add("set-of-lengths", new HashSet<>(List.of("b", "aa", "")), "{\"\", \"b\", \"aa\"}");
        add("set-of-sets", new HashSet<>(List.of(new HashSet<>(List.of(2, 1)), new HashSet<>(List.of(3)))), "{{3}, {1, 2}}");
    }

    private void maps() {
        add("map", new HashMap<>(Map.of("k2", 2, "k", 1)), "{\"k\": 1, \"k2\": 2}");
        Map<String, Integer> nulls = new HashMap<>();
        nulls.put(null, 1);
        nulls.put("a", null);
        add("map-with-nulls", nulls, "{null: 1, \"a\": null}");
        Map<String, Integer> linked = new LinkedHashMap<>();
        linked.put("z", 1);
        linked.put("a", 2);
        add("ordered-map", linked, "{\"z\": 1, \"a\": 2}");
        add("ordered-map-sorted", new TreeMap<>(linked), "{\"a\": 2, \"z\": 1}");
        Map<String, Integer> accessed = new LinkedHashMap<>(4, 0.75f, true);
        accessed.putAll(linked);
        accessed.get("z");
        add("ordered-map-by-access", accessed, "{\"a\": 2, \"z\": 1}");
        add("map-by-identity", new IdentityHashMap<>(Map.of(Color.RED, 1)), "{RED: 1}");
        add("ordered-map-of-enums", new EnumMap<>(Map.of(Color.RED, 1)), "{RED: 1}");
    }

    private void immutables() {
        add("immutable-list", List.of(1, List.of()), "[1, []]");
        add("nullable-list-with-null", Stream.of(1, null).toList(), "[1, null]");
        add("nullable-list", Stream.of("a", "b").toList(), "[\"a\", \"b\"]");
        add("nullable-list-empty", Stream.of().toList(), "[]");
        add("nullable-list-of-lists", List.of(Stream.of(List.of(), Stream.of(1).toList()).toList()), "[[[], [1]]]");
        add("immutable-set", Set.of(Samples.name("b"), Samples.name("a")), "{a, b}");
        add("immutable-map", Map.of(Color.RED, 1, Color.BLUE, new Prepare(2)), "{RED: 1, BLUE: Prepare(ballot=2)}");
        add("immutable-map-empty", Map.of(), "{}");
    }

    private void references() {
        List<Object> list = new ArrayList<>();
        add("ref-shared", new Pair(list, list), "Pair(left=[], right=^list)");
        list.add(List.of(list));
        add("ref-cycle", list, "[[^list]]");
        add("ref-numbers", new Pair(new int[] {1}, node("a", node("b", null))),
            "Pair(left=[1], right=Node{value=\"a\", next=Node{value=\"b\", next=null}})");

        // Elements that refer out of their set, to each other, and in sets within sets.
        Node shared = node("shared", null);
        add("ref-out-of-set", new Pair(shared, set(node(1, shared), node(2, null))),
            "Pair(left=Node{value=\"shared\", next=null}, right={Node{value=1, next=Node{value=\"shared\", next=null}}, Node{value=2, next=null}})");
        Node one = node(1, null);
        Node two = node(2, one);
        one.next = two;
        add("ref-in-set", set(one, two), "{Node{value=1, next=Node{value=2, next=^Node}}, ^Node}");
        Node owner = node("owner", null);
        owner.value = set(node(set(node("x", owner), node("w", shared)), null), shared);
        add("ref-through-sets", owner, "Node{value={Node{value=\"shared\", next=null}, "
            + "Node{value={Node{value=\"w\", next=Node{value=\"shared\", next=null}}, Node{value=\"x\", next=^Node}}, next=null}}, next=null}");
        add("ref-in-map", new HashMap<>(Map.of("a", shared, "b", shared)),
            "{\"a\": Node{value=\"shared\", next=null}, \"b\": Node{value=\"shared\", next=null}}");
    }

    private static Node node(Object value, Node next) {
        Node node = new Node(value);
        node.next = next;
        return node;
    }

    private static Set<Object> set(Object... elements) {
        return new HashSet<>(Arrays.asList(elements));
    }

    private void actors() {
        Acceptor acceptor = new Acceptor();
        add("actor", new LocalState("acceptor1", 0, acceptor, Map.of()), "acceptor1: Acceptor{promised=0, value=null}");
        acceptor.promised = 1;
        acceptor.value = new Pair(acceptor, new ArrayList<>(List.of(Samples.name("learner1"))));
        add("actor-that-holds-itself", new LocalState("acceptor2", 200, acceptor, Map.of()),
            "acceptor2: Acceptor{promised=1, value=Pair(left=^acceptor2, right=[learner1])}");
        acceptor.value = acceptor.new Vote();
        add("actor-with-inner-object", new LocalState("a/b1", 0, acceptor, Map.of()),
            "a/b1: Acceptor{promised=1, value=Vote{count=1, this$0=^a/b1}}");
    }
}
