package harrier.runtime.step;

/**
 * That an operation of an actor began or ended.
 *
 * @param actor whose operation it is
 * @param kind which of the two
 * @param payload what was invoked, or the result, encoded
 */
public record OperationRecord(String actor, Kind kind, byte[] payload) {
    /** Which end of an operation it is; the wire has the ordinals. */
    public enum Kind { INVOKED, RETURNED }
}
