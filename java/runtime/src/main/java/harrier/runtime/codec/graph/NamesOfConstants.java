package harrier.runtime.codec.graph;

import java.util.Set;

/** Which objects one encoding writes as the static fields that hold them. */
final class NamesOfConstants {
    private final Plans plans;
    /** Whether objects are written as the static fields that hold them. */
    private boolean areWritten = true;
    /** Whether that holds for objects that could change, too. */
    private boolean areShared;
    /** The plan met last, and what static fields hold of its class. */
    private Plan lookedUp;
    private Constants.Known known;
    /** What the step changed of what static fields hold; null until that is needed. */
    private Set<Object> changed;

    NamesOfConstants(Plans plans) {
        this.plans = plans;
    }

    /** Has all objects written by their content, or none. */
    void write(boolean write) {
        areWritten = write;
    }

    /** Has objects that could change written as static fields. */
    void share() {
        areShared = true;
    }

    /** The encoded names that an object is written as in place of its content; null if its content is written. */
    byte[] written(Object value, Plan plan) {
        return areWritten ? of(value, plan) : null;
    }

    /** The encoded names of the static field that holds an object; null if there is none. */
    byte[] of(Object value, Plan plan) {
        if (lookedUp != plan) {
            lookedUp = plan;
            known = plans.constants.of(plan.type);
        }
        return plans.constants.find(value, plan, known);
    }

    /** Reports whether an object that could change is written by its name: it is not, once the step changed it. */
    boolean isShared(Object value) {
        if (!areShared) {
            return false;
        }
        if (changed == null && plans.constants.leadsToSame(value)) {
            return true;
        }
        changed = changed == null ? plans.constants.changed() : changed;
        return changed.isEmpty() || !changed.contains(value);
    }
}
