package harrier.runtime.codec.graph;

/**
 * A text that {@code codec.Codec.replace} writes in place of an object, without quotes: as a constant of that name.
 *
 * @param of the class of the object
 */
public record BareText(Class<?> of, String text) {}
