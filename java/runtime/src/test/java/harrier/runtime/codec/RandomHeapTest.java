package harrier.runtime.codec;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.Test;

/** Random graphs survive, and have the same bytes exactly when an independent dump says they are the same. */
public class RandomHeapTest {
    private static final int HEAPS = 4000;

    private final Codec codec = new Codec(getClass().getClassLoader());

    @Test
    public void roundTrips() {
        int large = 0;
        for (int seed = 0; seed < HEAPS; seed++) {
            Object value = new RandomHeap(seed).value();
            byte[] bytes = codec.encode(value);
            large = Math.max(large, bytes.length);
            String dump = Dump.of(value);
            for (HashLayout layout : HashLayout.values()) {
                Object decoded = codec.decode(bytes, layout);
                assertEquals("seed " + seed, dump, Dump.of(decoded));
                assertArrayEquals("seed " + seed, bytes, codec.encode(decoded));
            }
        }
        assertTrue("heaps are too small to say much", large > 1000);
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
            assertArrayEquals(bytes, shared.encode(shared.decode(bytes, HashLayout.OPPOSITE)));
        });
    }

    @Test
    public void damagedBytesAreRefusedOrRead() {
        Random random = new Random(1);
        for (int seed = 0; seed < 1000; seed++) {
            byte[] bytes = codec.encode(new RandomHeap(seed).value());
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                codec.decode(bytes, HashLayout.PLAIN);
            } catch (FormatException | NotCapturableException e) {
                // as it should be
            }
        }
    }
}
