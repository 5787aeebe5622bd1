package harrier;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The annotations of a scenario's methods that declare properties, and all that is said of each: evaluation, analysis and replay go by
 * this table. A formula of {@link Ltl}, which is declared at a class, is none of them. Programs under check that refer to it are refused.
 */
public enum PropertyAnnotation {
    INVARIANT(Invariant.class, Holds.IN_EACH_STATE),
    FINAL(Final.class, Holds.WHERE_RUNS_END),
    STEP_INVARIANT(StepInvariant.class, Holds.OF_EACH_STEP),
    WITHIN(Within.class, Holds.IN_EXPLORED_STATES),
    EVENTUALLY(Eventually.class, Holds.IN_FAIR_RUNS, "<>%s"),
    ALWAYS_EVENTUALLY(AlwaysEventually.class, Holds.IN_FAIR_RUNS, "[]<>%s"),
    EVENTUALLY_ALWAYS(EventuallyAlways.class, Holds.IN_FAIR_RUNS, "<>[]%s"),
    LEADS_TO(LeadsTo.class, Holds.IN_FAIR_RUNS, "[](%s -> <>%s)", "to", "%s leads to %s"),
    SOMETIMES(Sometimes.class, Holds.IN_SOME_STATE, "%s"),
    POSSIBLE(Possible.class, Holds.FROM_EACH_STATE, "%s");

    /** Where a property must hold, and with that what its method takes, and how a replay shows that it does not hold. */
    public enum Holds {
        /** In every state that a run comes to; the last state of a trace violates it. */
        IN_EACH_STATE("an invariant", Takes.NOTHING, "invariant"),
        /** In every state in which no event but faults is enabled; the last state of a trace violates it. */
        WHERE_RUNS_END("a final condition", Takes.NOTHING, "final", "deadlock"),
        /** Of every step that changes an actor; the last step of a trace fails. */
        OF_EACH_STEP("a step invariant", Takes.ACTOR_TWICE),
        /** In the states that are explored; nothing violates it. */
        IN_EXPLORED_STATES("a bound", Takes.NOTHING),
        /** As a formula, in every fair run; the run of a trace violates it. */
        IN_FAIR_RUNS("a predicate", Takes.NOTHING_OR_ACTOR, "liveness"),
        /** In some state that a run comes to; no run violates it. */
        IN_SOME_STATE("a predicate", Takes.NOTHING_OR_ACTOR),
        /** In some state that can be reached without faults, from every state that a run comes to; the run of a trace violates it. */
        FROM_EACH_STATE("a predicate", Takes.NOTHING_OR_ACTOR, "impossible");

        private final String noun;
        private final Takes takes;
        private final Set<String> violations;

        /** Has the kinds of violations that traces show, as they stand there, but for failures of handlers. */
        Holds(String noun, Takes takes, String... violations) {
            this.noun = noun;
            this.takes = takes;
            this.violations = Set.of(violations);
        }

        /** The noun for a method with such an annotation, with its article. */
        public String noun() {
            return noun;
        }

        /** The parameters that such a method has. */
        public Takes takes() {
            return takes;
        }

        /** Reports whether the property is evaluated in single states. */
        public boolean isOfStates() {
            return this == IN_EACH_STATE || this == WHERE_RUNS_END || this == IN_EXPLORED_STATES;
        }

        /** Reports whether the method is a predicate of a formula. */
        public boolean isOfRuns() {
            return takes == Takes.NOTHING_OR_ACTOR;
        }

        /** Reports whether a trace with a kind of violation violates such a property. */
        public boolean isViolation(String kind) {
            return violations.contains(kind);
        }
    }

    /** The parameters that the method of a property has. */
    public enum Takes {
        NOTHING("take nothing"),
        NOTHING_OR_ACTOR("take nothing or an actor"),
        /** As it is before a step, and after it. */
        ACTOR_TWICE("take an actor before and after a step, both of one class,");

        private final String text;

        Takes(String text) {
            this.text = text;
        }

        /** Reports whether a method has such parameters. */
        public boolean isOf(Method method) {
            Class<?>[] types = method.getParameterTypes();
            return switch (types.length) {
                case 0 -> this != ACTOR_TWICE;
                case 1 -> this == NOTHING_OR_ACTOR && Actor.class.isAssignableFrom(types[0]);
                case 2 -> this == ACTOR_TWICE && types[0] == types[1] && Actor.class.isAssignableFrom(types[0]);
                default -> false;
            };
        }

        /** What a method must do, as a part of a sentence. */
        @Override public String toString() {
            return text;
        }
    }

    private final Class<? extends Annotation> type;
    private final Holds holds;
    private final String formula;
    private final String other;
    private final String text;

    PropertyAnnotation(Class<? extends Annotation> type, Holds holds) {
        this(type, holds, "");
    }

    PropertyAnnotation(Class<? extends Annotation> type, Holds holds, String formula) {
        this(type, holds, formula, "", "%s");
    }

    /**
     * A row of the table.
     *
     * @param formula of properties of runs, with the names of the method and of the other one for {@code %s}
     * @param other the element that names another method; empty if the annotation has none
     * @param text the default of the property's text, with the same names
     */
    PropertyAnnotation(Class<? extends Annotation> type, Holds holds, String formula, String other, String text) {
        this.type = type;
        this.holds = holds;
        this.formula = formula;
        this.other = other;
        this.text = text;
    }

    /** The annotations of properties that must hold there, in the order of the table. */
    public static Stream<PropertyAnnotation> of(Holds holds) {
        return Stream.of(values()).filter(a -> a.holds == holds);
    }

    /** The annotation's interface. */
    public Class<? extends Annotation> type() {
        return type;
    }

    /** Where the property must hold. */
    public Holds holds() {
        return holds;
    }

    /** The element that names another method; empty if the annotation has none. */
    public String other() {
        return other;
    }

    /** Reports whether a method has the annotation. */
    public boolean isOn(Method method) {
        return method.isAnnotationPresent(type);
    }

    /** The text of the property that is declared at a method: the annotation's, or by default the names of methods. */
    public String textOf(Method method) {
        String own = element(method, "value");
        return own.isEmpty() ? String.format(text, method.getName(), otherOf(method)) : own;
    }

    /** The formula of a property of runs that is declared at a method. */
    public String formulaOf(Method method) {
        return String.format(formula, method.getName(), otherOf(method));
    }

    /** The name of the other method that the annotation of one names; empty if there is none. */
    public String otherOf(Method method) {
        return other.isEmpty() ? "" : element(method, other);
    }

    private String element(Method method, String name) {
        try {
            return (String) type.getMethod(name).invoke(method.getAnnotation(type));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
