package harrier.runtime;

import harrier.runtime.codec.Order;
import java.util.List;
import java.util.function.Function;

/**
 * Does what a part of a program did once more, in the other orders of hash collections, to compare.
 *
 * @param <T> the part: steps, properties, histories
 */
public abstract class Again<T> {

    /**
     * What {@code run} gives.
     *
     * @param self the part that did it first
     * @param drawnFrom what decides which elements of larger collections come first
     */
    public abstract <R> List<R> inOthers(T self, byte[] drawnFrom, Function<T, R> run);

    /** Does nothing again. */
    public static <T> Again<T> never() {
        return new Again<>() {
            @Override
            public <R> List<R> inOthers(T self, byte[] drawnFrom, Function<T, R> run) {
                return List.of();
            }
        };
    }

    /** By the part itself: objects that it shares among executions, such as enum constants, have the same hash codes. */
    public static <T> Again<T> byItself() {
        return new Again<>() {
            @Override
            public <R> List<R> inOthers(T self, byte[] drawnFrom, Function<T, R> run) {
                return Order.inOthers(drawnFrom, () -> run.apply(self));
            }
        };
    }
}
