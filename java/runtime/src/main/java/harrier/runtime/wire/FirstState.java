package harrier.runtime.wire;

// Made of Go's constants: make java-constants.

/**
 * FIRST_STATE is the name of the parameter by which one of the first states of a scenario is meant whose set-up
 * chooses, and ALL_FIRST_STATES the value with which Java lists them in place of loading the program: in the
 * details of an error, each as --set takes it, or NO_FIRST_STATES if the set-up chooses nothing.
 */
public final class FirstState {
    public static final String FIRST_STATE = "setUp.choose";
    public static final String ALL_FIRST_STATES = "all";
    public static final String NO_FIRST_STATES = "setUp.choose: none";

    private FirstState() {}
}
