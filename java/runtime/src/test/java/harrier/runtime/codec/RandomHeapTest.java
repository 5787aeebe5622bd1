package harrier.runtime.codec;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import harrier.runtime.codec.format.FormatException;
import harrier.runtime.codec.graph.NotCapturableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.Test;

/** Random graphs survive, and have the same bytes exactly when an independent dump says they are the same. */
public class RandomHeapTest {
    private static final int HEAPS = 500;

    private final Codec codec = new Codec(getClass().getClassLoader());

    @Test
    public void roundTrips() {
        int large = 0;
        for (int seed = 0; seed < HEAPS; seed++) {
            Object value = new RandomHeap(seed).value();
            byte[] bytes = codec.encode(value);
            large = Math.max(large, bytes.length);
            String dump = Dump.of(value);
            for (Object decoded : Orders.all(() -> codec.decode(bytes))) {
                assertEquals("seed " + seed, dump, Dump.of(decoded));
                assertArrayEquals("seed " + seed, bytes, codec.encode(decoded));
            }
        }
        assertTrue("heaps are too small to say much", large > 1000);
    }

    /** Seeds that nobody tried before; the message of a failure tells them. */
    @Test
    public void newSeeds() {
        long first = System.nanoTime();
        for (long seed = first; seed < first + 500; seed++) {
            Object value = new RandomHeap(seed).value();
            byte[] bytes = codec.encode(value);
            assertEquals("seed " + seed, Dump.of(value), Dump.of(codec.decode(bytes)));
            assertArrayEquals("seed " + seed, bytes, codec.encode(codec.decode(bytes)));
        }
    }

    @Test
    public void copiesGoOnAsTheOriginalDoes() {
        for (int seed = 0; seed < HEAPS; seed++) {
            Object value = new RandomHeap(seed).value();
            byte[] bytes = codec.encode(value);
            List<Object> copies = Orders.all(() -> codec.decode(bytes));
            List<String> answers = Acting.on(value);
            String after = Dump.of(value);
            for (Object copy : copies) {
                assertEquals("seed " + seed, answers, Acting.on(copy));
                assertEquals("seed " + seed, after, Dump.of(copy));
            }
        }
    }

    /** Grown and emptied again, or filled at once: the same content has the same bytes, and other content has not. */
    @Test
    public void historyDoesNotShow() {
        for (List<IntFunction<Collection<Object>>> makers : List.of(RandomHeap.LISTS, RandomHeap.QUEUES, RandomHeap.SETS)) {
            for (IntFunction<Collection<Object>> maker : makers) {
                sameHistory(maker.apply(0), maker.apply(100));
            }
        }
        for (Function<Comparator<Object>, Collection<Object>> maker : RandomHeap.SORTED) {
            sameHistory(maker.apply(RandomHeap.BY_TEXT), maker.apply(RandomHeap.BY_TEXT));
        }
        for (IntFunction<Map<Object, Object>> maker : RandomHeap.MAPS) {
            sameMaps(maker.apply(0), maker.apply(100));
        }
        for (Function<Comparator<Object>, Map<Object, Object>> maker : RandomHeap.SORTED_MAPS) {
            sameMaps(maker.apply(RandomHeap.BY_TEXT), maker.apply(RandomHeap.BY_TEXT));
        }
    }

    private void sameHistory(Collection<Object> grown, Collection<Object> direct) {
        for (int i = 0; i < 40; i++) {
            grown.add("k" + i);
        }
        for (int i = 0; i < 40; i++) {
            if (i % 10 != 3) {
                grown.remove("k" + i);
            }
        }
        List<Object> content = new ArrayList<>(grown);
        if (grown.getClass().getSimpleName().equals("AsLIFOQueue")) {
            Collections.reverse(content);
        }
        direct.addAll(content);
        if (grown instanceof Samples.Log log) {
            ((Samples.Log) direct).added = log.added;
        }
        String name = grown.getClass().getName();
        assertArrayEquals(name, codec.encode(direct), codec.encode(grown));
        grown.remove("k3");
        assertFalse(name, Arrays.equals(codec.encode(direct), codec.encode(grown)));
    }

    private void sameMaps(Map<Object, Object> grown, Map<Object, Object> direct) {
        for (int i = 0; i < 40; i++) {
            grown.put("k" + i, i);
        }
        grown.keySet().removeIf(key -> key.toString().length() > 2 && !key.equals("k39"));
        direct.putAll(grown);
        String name = grown.getClass().getName();
        if (grown instanceof Samples.Cache cache) {
            ((Samples.Cache) direct).forgotten = cache.forgotten;
        }
        assertArrayEquals(name, codec.encode(direct), codec.encode(grown));
        grown.put("k39", -1);
        assertFalse(name, Arrays.equals(codec.encode(direct), codec.encode(grown)));
    }

    @Test
    public void equalBytesMeanEqualDumps() {
        Map<String, String> dumps = new HashMap<>();
        Map<String, String> bytes = new HashMap<>();
        for (int seed = 0; seed < HEAPS; seed++) {
            Object value = new RandomHeap(seed).value();
            String encoding = Arrays.toString(codec.encode(value));
            String dump = Dump.of(value);
            assertEquals("seed " + seed, dumps.computeIfAbsent(encoding, e -> dump), dump);
            assertEquals("seed " + seed, bytes.computeIfAbsent(dump, d -> encoding), encoding);
        }
    }

    @Test
    public void severalThreads() {
        List<byte[]> expected = new ArrayList<>();
        for (int seed = 0; seed < 500; seed++) {
            expected.add(codec.encode(new RandomHeap(seed).value()));
        }
        Codec shared = new Codec(getClass().getClassLoader()); // one that has no plans yet
        IntStream.range(0, 2000).parallel().forEach(i -> {
            byte[] bytes = expected.get(i % expected.size());
            assertArrayEquals(bytes, shared.encode(shared.decode(bytes)));
        });
    }

    @Test
    public void damagedBytesAreRefusedOrRead() {
        Random random = new Random(1);
        for (int seed = 0; seed < 1000; seed++) {
            byte[] bytes = codec.encode(new RandomHeap(seed).value());
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                codec.decode(bytes);
            } catch (FormatException | NotCapturableException e) {
                // as it should be
            }
        }
    }
}
