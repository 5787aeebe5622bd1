package harrier.runtime.rules;

import harrier.runtime.rules.refuse.OwnClasses;
import harrier.runtime.rules.refuse.Stack;
import harrier.runtime.rules.statics.StaticAccess;

/**
 * Who asks: the program's own code or a library, in a step or while classes are initialized. Libraries look around when they are first
 * used, and may do so, as that happens once for all steps.
 */
final class Callers {
    /** The note of libraries that look around. */
    static final String LOOK_AROUND = "libraries look around when they are initialized, and may: {}";

    private final OwnClasses own;
    private final Notes notes;
    private final StaticAccess statics;

    Callers(OwnClasses own, Notes notes, StaticAccess statics) {
        this.own = own;
        this.notes = notes;
        this.statics = statics;
    }

    /** Reports whether the code that asks is of a library that logs. */
    boolean isLogger() {
        return own.isLogger(Stack.caller());
    }

    /** Reports whether the program is being set up, or one of its classes initialized. */
    boolean isStarting() {
        return !statics.isSealed() || Stack.isInitializing();
    }

    /** Reports whether the initializer of a class runs during an execution: it runs once, for all. */
    boolean isInitializingInStep() {
        return statics.isInitializing() && Stack.isInitializing();
    }

    /**
     * Reports whether a library asks that may look around: one that logs, or any while it is initialized.
     *
     * @param note the note on the latter
     */
    boolean isLibraryStarting(String note, String place) {
        String caller = Stack.caller();
        if (own.isLogger(caller)) {
            return true;
        }
        boolean may = isStarting() && !own.has(caller);
        if (may) {
            notes.add(note, place);
        }
        return may;
    }

    /** Reports whether code of a library runs in the initializer of a class: its draws there are the same for all. */
    boolean isLibrarysInitializer() {
        String caller = Stack.program();
        boolean is = !own.has(caller) && Stack.isInitializing();
        if (is && !own.isLogger(caller)) {
            notes.add("libraries draw the same random numbers whenever they are initialized: {}", Stack.place());
        }
        return is;
    }
}
