package harrier.runtime.wire;

// Made of Go's constants: make java-constants.

/** Values of Touch.Field that stand for more than one field of a class. */
public final class TouchedField {
    /** ANY_FIELD is each field that there is. */
    public static final String ANY_FIELD = "*";
    /** AGENDA stands for what an actor is to do by itself: timers, tasks, its clock. */
    public static final String AGENDA = "the agenda";

    private TouchedField() {}
}
