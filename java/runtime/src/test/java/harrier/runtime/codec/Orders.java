package harrier.runtime.codec;

import harrier.runtime.jdk.Order;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** Does things in all orders of hash collections. */
public final class Orders {
    private Orders() {}

    /** What {@code run} gives in the plain order, and then in the others. */
    public static <T> List<T> all(Supplier<T> run) {
        List<T> all = new ArrayList<>(Collections.singletonList(run.get()));
        all.addAll(Order.inOthers(new byte[0], run));
        return all;
    }
}
