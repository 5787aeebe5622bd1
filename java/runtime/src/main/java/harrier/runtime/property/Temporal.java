package harrier.runtime.property;

import harrier.Ltl;
import harrier.PropertyAnnotation;
import harrier.PropertyAnnotation.Holds;
import harrier.PropertyAnnotation.Takes;
import harrier.Scenario;
import harrier.runtime.actor.AnnotatedMethods;
import harrier.runtime.analysis.flow.Formulas;
import harrier.runtime.failure.UsageException;
import harrier.runtime.step.ActorState;
import harrier.runtime.wire.LivenessKind;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The properties of whole runs that a scenario declares: formulas over methods of the scenario, its predicates. */
final class Temporal {
    private static final Map<Holds, LivenessKind> KINDS = Map.of(Holds.IN_FAIR_RUNS, LivenessKind.ALWAYS, Holds.IN_SOME_STATE,
        LivenessKind.SOMETIMES, Holds.FROM_EACH_STATE, LivenessKind.POSSIBLE);

    /**
     * A formula as it is declared.
     *
     * @param name the property's name
     * @param formula in linear temporal logic, over the names of methods
     * @param place the method that it is declared at; null if it is declared at the class
     */
    record Formula(String name, LivenessKind kind, String formula, Method place) {
        Set<String> names() {
            return Formulas.names(formula);
        }
    }

    /**
     * A predicate of a formula.
     *
     * @param name the method's
     * @param actor the actor that it is asked of; empty if it takes none
     */
    record Predicate(String name, Method method, String actor) {    }

    private final Class<? extends Scenario> type;
    private final List<ActorState> actors;
    private final Map<String, Class<?>> classes;

    /**
     * For a scenario that was set up.
     *
     * @param actors those that there are at first
     * @param classes theirs, by name
     */
    Temporal(Class<? extends Scenario> type, List<ActorState> actors, Map<String, Class<?>> classes) {
        this.type = type;
        this.actors = actors;
        this.classes = classes;
    }

    /** Those of methods by the names of these, then those of classes. */
    List<Formula> formulas() {
        List<Formula> found = new ArrayList<>();
        for (Method m : sorted(AnnotatedMethods.of(type, Scenario.class, m -> !formulasOf(m).isEmpty()))) {
            found.addAll(formulasOf(m));
        }
        for (Class<?> c = type; c != Scenario.class; c = c.getSuperclass()) {
            for (Ltl l : c.getDeclaredAnnotationsByType(Ltl.class)) {
                found.add(new Formula(l.name().isEmpty() ? l.value() : l.name(), LivenessKind.ALWAYS, l.value(), null));
            }
        }
        return found;
    }

    private static List<Method> sorted(List<Method> methods) {
        methods.sort(Comparator.comparing(Method::getName));
        return methods;
    }

    /** The formulas that the annotations of a method declare. */
    private static List<Formula> formulasOf(Method m) {
        return Stream.of(PropertyAnnotation.values()).filter(a -> a.holds().isOfRuns() && a.isOn(m)).map(a -> {
            String other = a.otherOf(m);
            if (!a.other().isEmpty() && !Formulas.names(other).equals(Set.of(other))) {
                throw new UsageException(where(m) + ": @" + a.type().getSimpleName() + "(" + a.other() + " = \"" + other
                    + "\") is to name a method");
            }
            return new Formula(a.textOf(m), KINDS.get(a.holds()), a.formulaOf(m), m);
        }).toList();
    }

    private static String where(Method m) {
        return m.getDeclaringClass().getSimpleName() + "." + m.getName();
    }

    /** The actors that a formula is asked for, one after the other; that with an empty name if it is asked once. */
    List<String> subjects(Formula formula) {
        List<Class<?>> wanted = methods(formula).stream().filter(m -> m.getParameterCount() == 1)
            .<Class<?>>map(m -> m.getParameterTypes()[0]).distinct().toList();
        if (wanted.isEmpty()) {
            return List.of("");
        }
        if (wanted.size() > 1) {
            throw new UsageException("the predicates of \"" + formula.name() + "\" take actors of two classes, "
                + wanted.get(0).getSimpleName() + " and " + wanted.get(1).getSimpleName()
                + ": a formula is about one actor at a time");
        }
        List<String> subjects = actors.stream().map(ActorState::name)
            .filter(n -> wanted.get(0).isAssignableFrom(classes.get(n))).toList();
        if (subjects.isEmpty()) {
            throw new UsageException("\"" + formula.name() + "\" is asked for each " + wanted.get(0).getSimpleName()
                + ", and setUp() creates none");
        }
        return subjects;
    }

    /** The predicates of a formula, for one actor if it is asked for each of several. */
    List<Predicate> predicates(Formula formula, String subject) {
        return methods(formula).stream()
            .map(m -> new Predicate(m.getName(), m, m.getParameterCount() == 0 ? "" : subject)).toList();
    }

    /** The methods that a formula names. */
    private List<Method> methods(Formula formula) {
        return formula.names().stream().map(name -> method(formula, name)).toList();
    }

    private Method method(Formula formula, String name) {
        List<Method> found = Stream.<Class<?>>iterate(type, c -> c != Scenario.class, Class::getSuperclass)
            .flatMap(c -> Stream.of(c.getDeclaredMethods()))
            .filter(m -> m.getName().equals(name) && !m.isSynthetic()).toList();
        Method m = found.isEmpty() ? null : found.get(0);
        if (m == null) {
            throw new UsageException("\"" + formula.name() + "\": " + type.getSimpleName() + " has no method " + name
                + " to be asked for");
        }
        if (m.getReturnType() != boolean.class || !Takes.NOTHING_OR_ACTOR.isOf(m) || Modifier.isStatic(m.getModifiers()) || found.stream()
                    .anyMatch(o -> o.getDeclaringClass() == m.getDeclaringClass() && !Objects.equals(o, m))) {
            throw new UsageException(where(m)
                + " cannot be a predicate: it must return boolean, " + Takes.NOTHING_OR_ACTOR + ", not be static,"
                + " and be the only method of its name");
        }
        m.setAccessible(true);
        return m;
    }
}
