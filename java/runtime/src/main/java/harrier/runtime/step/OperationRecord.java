package harrier.runtime.step;

import harrier.runtime.wire.RecordKind;

/**
 * That an operation of an actor began or ended, or that it will not end as the actor crashed.
 *
 * @param actor whose operation it is
 * @param kind which of these
 * @param payload the invoked operation, or its result, encoded; null, encoded, if the actor crashed
 */
public record OperationRecord(String actor, RecordKind kind, byte[] payload) {}
