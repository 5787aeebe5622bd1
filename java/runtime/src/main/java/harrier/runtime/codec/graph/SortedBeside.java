package harrier.runtime.codec.graph;

import java.util.function.Function;

/**
 * Values beside the fields of an actor that come in an order of their bytes, in which objects of the fields are references. These are known
 * when the fields are written.
 */
@FunctionalInterface
public interface SortedBeside {
    /**
     * The values in their order.
     *
     * @param bytes gives the bytes of one
     */
    Object sorted(Function<Object, byte[]> bytes);
}
