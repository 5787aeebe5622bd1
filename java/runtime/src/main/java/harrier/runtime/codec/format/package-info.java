/**
 * The bytes of the format: {@link harrier.runtime.codec.format.Tag} has the tags, {@link harrier.runtime.codec.format.Output} writes
 * numbers and strings, {@link harrier.runtime.codec.format.Input} reads them and refuses malformed bytes. Nothing here knows of plans
 * or classes. {@link harrier.runtime.codec.format.LargeStack} lets values nest as deep as the format allows, and
 * {@link harrier.runtime.codec.format.Raw} reaches fields past access checks.
 *
 * <p><b>To add a new kind of value to the bytes</b>: a tag; what writes and reads it, in a plan or in {@code graph.Encoder} and
 * {@code graph.Decoder}, and whether {@code graph.Merging} may make equal ones one object; the same in Go's package serializer
 * ({@code value.go}, {@code decode.go}, {@code encode.go}, {@code canonical.go}, {@code format.go}, {@code diff.go};
 * {@code Value.hasParts} says which kinds hold others); a golden vector; and the table in docs/reference.md.
 */
package harrier.runtime.codec.format;
