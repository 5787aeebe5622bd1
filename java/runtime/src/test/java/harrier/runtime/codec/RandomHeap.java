package harrier.runtime.codec;

import harrier.runtime.codec.Samples.*;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Makes random graphs of objects with sharing and cycles. What hash collections hash is scalar, or an
 * object with an id of its own: equal twins in a set would have more than one encoding.
 */
final class RandomHeap {
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
        return switch (random.nextInt(5)) {
            case 0 -> object();
            case 1 -> immutable();
            case 2 -> fill(add(list()));
            case 3 -> fill(add(map()));
            default -> set();
        };
    }

    private <T> T add(T numbered) {
        made.add(numbered);
        return numbered;
    }

    private Object scalar() {
        return switch (random.nextInt(14)) {
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
            default -> random.nextInt(300) - 100;
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

    private Object immutable() {
        switch (random.nextInt(4)) {
            case 0 -> {
                return List.of(Objects.requireNonNullElse(value(), 1), Optional.ofNullable(value()));
            }
            case 1 -> {
                return Set.copyOf(keys());
            }
            case 2 -> {
                Map<Object, Object> map = new HashMap<>();
                keys().forEach(key -> map.put(key, Objects.requireNonNullElse(value(), 1)));
                return Map.copyOf(map);
            }
            default -> {
                return add(Collections.unmodifiableList(new ArrayList<>(Arrays.asList(value(), value()))));
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

    private Collection<Object> list() {
        return switch (random.nextInt(3)) {
            case 0 -> new LinkedList<>();
            case 1 -> new Vector<>();
            default -> new ArrayList<>(random.nextInt(20));
        };
    }

    private Object set() {
        Collection<Object> set = switch (random.nextInt(3)) {
            case 0 -> new LinkedHashSet<>();
            case 1 -> new TreeSet<>(BY_TEXT);
            default -> new HashSet<>(random.nextInt(100));
        };
        add(set);
        if (set instanceof TreeSet) {
            set.addAll(List.of("b", random.nextInt(9), 'c'));
        } else {
            set.addAll(keys());
        }
        return set;
    }

    private Map<Object, Object> map() {
        return switch (random.nextInt(4)) {
            case 0 -> new LinkedHashMap<>();
            case 1 -> new TreeMap<>(BY_TEXT);
            case 2 -> new ConcurrentHashMap<>();
            default -> new HashMap<>(random.nextInt(100));
        };
    }

    private Object fill(Collection<Object> list) {
        for (int n = random.nextInt(5); n > 0; n--) {
            list.add(value());
        }
        return list;
    }

    private Object fill(Map<Object, Object> map) {
        for (int n = random.nextInt(6); n > 0; n--) {
            Object key = map instanceof TreeMap ? (Object) random.nextInt(50) : key();
            map.put(key, Objects.requireNonNullElse(value(), "none"));
        }
        return map;
    }

    private static final Comparator<Object> BY_TEXT = new ByText();

    /** Compares anything by its text. */
    static final class ByText implements Comparator<Object> {
        @Override
        public int compare(Object a, Object b) {
            return a.toString().compareTo(b.toString());
        }
    }
}
