package harrier.runtime.codec.graph;

/**
 * A text that {@code codec.Codec.replace} writes in place of an object, without quotes: as a constant of that name, which is empty
 * for an object that is not shown.
 *
 * @param of the class of the object
 */
public record BareText(Class<?> of, String text) {}
