package harrier.runtime.codec.graph;

import java.util.IdentityHashMap;
import java.util.Map;

/** The objects that a value reaches, of those that are told apart by which they are. */
public final class Identities {
    private final Numbers numbers;

    public Identities(Numbers numbers) {
        this.numbers = numbers;
    }

    public boolean isEmpty() {
        return numbers.size() == 0;
    }

    /** Reports whether an object is one of them. */
    boolean has(Object object, Plan plan) {
        return numbers.find(object, plan) >= 0;
    }

    /** The objects in the order in which an encoding meets them, each with the one of another value that is met like it. */
    public Map<Object, Object> with(Identities others) {
        Map<Object, Object> pairs = new IdentityHashMap<>();
        for (int n = 0; n < numbers.size(); n++) {
            pairs.put(numbers.get(n), others.numbers.get(n));
        }
        return pairs;
    }
}
