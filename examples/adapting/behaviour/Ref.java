import harrier.ActorName;

/** The address of an actor that takes messages of type {@code M}. */
record Ref<M>(ActorName name) {}
