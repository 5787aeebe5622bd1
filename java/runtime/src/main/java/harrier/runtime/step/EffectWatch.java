package harrier.runtime.step;

/** Watches what a handler does that others, or its actor after a crash, can notice. */
interface EffectWatch {
    /** What kind of effect it is. */
    enum Kind {
        SEND("sending"), CREATE("creating"), RECORD("calling"), WRITE("writing");

        private final String verb;

        Kind(String verb) {
            this.verb = verb;
        }
    }

    /**
     * An effect of a handler.
     *
     * @param what the message, actor, operation or value, for people
     */
    record Effect(Kind kind, String what) {
        @Override
        public String toString() {
            return kind.verb + " " + what;
        }
    }

    /** One begins. */
    void begins(Effect effect);

    /** The one that began is over. */
    void ends();
}
