package harrier.runtime.codec;

import harrier.Actor;

/** An actor with what its local state covers beside its fields. */
public record LocalState(String name, int children, Actor actor) {}
