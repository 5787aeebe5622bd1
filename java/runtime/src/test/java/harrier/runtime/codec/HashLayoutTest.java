package harrier.runtime.codec;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;

import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.Test;

/** Layouts differ where iteration order is nobody's promise, and nowhere else. */
public class HashLayoutTest {
    private final Codec codec = new Codec(getClass().getClassLoader());

    private List<Object> order(Object value, HashLayout layout) {
        Object decoded = codec.decode(codec.encode(value), layout);
        return new ArrayList<>(decoded instanceof Map<?, ?> map ? map.keySet() : (Collection<?>) decoded);
    }

    private void differ(Object value) {
        assertNotEquals(order(value, HashLayout.PLAIN), order(value, HashLayout.OPPOSITE));
    }

    private void same(Object value) {
        assertEquals(order(value, HashLayout.PLAIN), order(value, HashLayout.OPPOSITE));
    }

    @Test
    public void collidingKeys() {
        List<String> keys = List.of("AaAa", "BBBB", "AaBB");
        differ(new HashSet<>(keys));
        Map<String, Integer> map = new HashMap<>();
        keys.forEach(key -> map.put(key, 1));
        differ(map);
        differ(new ConcurrentHashMap<>(map));
        differ(Set.of(1, 2));
    }

    @Test
    public void smallTablesIterateExactlyBackwards() {
        Set<String> set = new HashSet<>(List.of("key0", "key31", "key62", "key93"));
        List<Object> backwards = order(set, HashLayout.PLAIN);
        Collections.reverse(backwards);
        assertEquals(backwards, order(set, HashLayout.OPPOSITE));
        Map<Integer, Integer> map = new HashMap<>(Map.of(1, 1, 2, 2, 3, 3));
        assertEquals(List.of(3, 2, 1), order(map, HashLayout.OPPOSITE));
    }

    @Test
    public void largerTablesDiffer() {
        for (int n = 9; n < 200; n += 10) {
            Set<Integer> set = new HashSet<>();
            for (int i = 0; i < n; i++) {
                set.add(i * i * 31);
            }
            differ(set);
        }
    }

    @Test
    public void capacity() {
        differ(new HashSet<>(List.of(1, 17, 2, 50)));
    }

    @Test
    public void promisedOrders() {
        List<String> keys = List.of("BBBB", "AaAa", "AaBB");
        same(new ArrayList<>(keys));
        same(new LinkedHashSet<>(keys));
        same(new TreeSet<>(keys));
        same(new ArrayDeque<>(keys));
        same(keys);
        Map<String, Integer> map = new LinkedHashMap<>();
        keys.forEach(key -> map.put(key, 1));
        same(map);
    }
}
