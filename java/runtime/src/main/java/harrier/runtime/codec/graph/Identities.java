package harrier.runtime.codec.graph;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The objects that a value reaches, of those that are told apart by which they are. */
public final class Identities {
    private final Numbers numbers;

    public Identities(Numbers numbers) {
        this.numbers = numbers;
    }

    /** The same objects, looked at anew, as some may have changed since. */
    public Identities again() {
        return new Identities(numbers.again());
    }

    public boolean isEmpty() {
        return numbers.size() == 0;
    }

    /** Reports whether an object is one of them. */
    boolean has(Object object, Plan plan) {
        return numbers.find(object, plan) >= 0;
    }

    /** Reports whether another value reaches one of them, too. */
    public boolean meets(Identities others) {
        return numbers.meets(others.numbers);
    }

    /** The objects in the order in which an encoding meets them, each with the one of another value that is met like it. */
    public Map<Object, Object> with(Identities others) {
        Map<Object, Object> pairs = new IdentityHashMap<>();
        for (int n = 0; n < numbers.size(); n++) {
            pairs.put(numbers.get(n), others.numbers.get(n));
        }
        return pairs;
    }

    /** Which of several values reach common objects, by themselves or by way of others: for each, the first of its kind. */
    public static int[] together(List<Identities> all) {
        Numbers met = new Numbers();
        List<Integer> owners = new ArrayList<>();
        int[] first = new int[all.size()];
        for (int i = 0; i < first.length; i++) {
            first[i] = i;
            Numbers numbers = all.get(i).numbers;
            for (int n = 0; n < numbers.size(); n++) {
                int known = met.findAs(numbers, n);
                if (known < 0) {
                    met.addAs(numbers, n);
                    owners.add(i);
                } else {
                    join(first, i, owners.get(known));
                }
            }
        }
        for (int i = 0; i < first.length; i++) {
            first[i] = first(first, i);
        }
        return first;
    }

    private static void join(int[] first, int a, int b) {
        int x = first(first, a);
        int y = first(first, b);
        first[Math.max(x, y)] = Math.min(x, y);
    }

    private static int first(int[] first, int i) {
        int at = i;
        while (first[at] != at) {
            first[at] = first[first[at]];
            at = first[at];
        }
        return at;
    }
}
