package harrier.runtime.step.setup;

import harrier.Parameter;
import harrier.Scenario;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.LimitException;
import harrier.runtime.failure.RuleException;
import harrier.runtime.failure.Suggestion;
import harrier.runtime.failure.UsageException;
import harrier.runtime.load.NeededClass;
import harrier.runtime.load.ProgramLoader;
import harrier.runtime.origin.Origin;
import harrier.runtime.rules.Guard;
import harrier.runtime.rules.Running;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Finds the scenario of a program, makes it, and gives its parameters their values. */
public final class ScenarioSetUp {
    /** The types that parameters may have, beside enums. */
    private static final Set<Class<?>> TYPES =
        Set.of(int.class, long.class, double.class, boolean.class, String.class);

    private ScenarioSetUp() {}

    /** The name of the class of the scenario that {@code wanted} names, or of the only one if that is empty. */
    public static String find(ProgramLoader loader, String wanted, String where) {
        List<String> names = loader.classes().concreteSubclasses(Scenario.class);
        if (names.isEmpty()) {
            throw new UsageException(where + " has no scenario: write a class that extends harrier.Scenario");
        }
        // A full name is not ambiguous, even if it is another's simple name.
        List<String> matching = names.contains(wanted) ? List.of(wanted)
            : names.stream().filter(n -> matches(n, wanted)).toList();
        String all = String.join(", ", names);
        if (matching.isEmpty()) {
            throw new UsageException(where + " has no scenario " + wanted + ": it has " + all);
        }
        if (matching.size() > 1) {
            throw new UsageException(where + " has " + matching.size() + " scenarios (" + all
                + "): name one with --scenario");
        }
        String name = matching.get(0);
        if (Origin.isApi(name)) {
            throw new UsageException("the scenario " + name + " is in a package of harrier's own: move it to another");
        }
        return name;
    }

    /** The class of a scenario, initialized under the rules that it relaxes. */
    public static Class<? extends Scenario> initialize(ProgramLoader loader, String name) {
        Running.begin("the static initializer of " + name);
        try {
            loader.relax(name);
            return Class.forName(name, true, loader).asSubclass(Scenario.class);
        } catch (UsageException | RuleException | OutOfMemoryError e) {
            throw e;
        } catch (ExceptionInInitializerError e) {
            throw refused("the static initializer of " + name, e.getCause() == null ? e : e.getCause());
        } catch (ClassNotFoundException | LinkageError e) {
            Guard.here().refuse(name, "");
            throw NeededClass.unloadable("the scenario " + name, e);
        } catch (RuntimeException | Error e) {
            throw refused("the static initializer of " + name, e);
        } finally {
            Running.end();
        }
    }

    private static boolean matches(String name, String wanted) {
        return wanted.isEmpty() || name.endsWith("." + wanted) || name.endsWith("$" + wanted);
    }

    /** An instance of the scenario with its parameters set. */
    public static Scenario make(Class<? extends Scenario> type, Map<String, String> values) {
        Scenario scenario;
        Running.begin(type.getSimpleName() + "'s constructor");
        try {
            Constructor<? extends Scenario> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            scenario = constructor.newInstance();
        } catch (NoSuchMethodException e) {
            throw new UsageException("the scenario " + type.getName() + " needs a constructor without parameters");
        } catch (InvocationTargetException e) {
            throw refused(type.getSimpleName() + "'s constructor", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        } finally {
            Running.end();
        }
        Map<String, Field> fields = parameters(type);
        values.forEach((name, value) -> {
            if (!fields.containsKey(name)) {
                throw new UsageException("the scenario " + type.getSimpleName() + " has no parameter '" + name + "': "
                    + (fields.isEmpty() ? "it has none"
                        : Suggestion.beforeNames(name, fields.keySet()) + String.join(", ", fields.keySet())));
            }
            set(scenario, fields.get(name), value);
        });
        return scenario;
    }

    /** The parameters of a scenario with their present values, by name, without those that are null. */
    public static Map<String, String> values(Scenario scenario) {
        Map<String, String> values = new TreeMap<>();
        parameters(scenario.getClass()).forEach((name, field) -> {
            try {
                Object value = field.get(scenario);
                if (value != null) {
                    values.put(name, value instanceof Enum<?> constant ? constant.name() : value.toString());
                }
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        });
        return values;
    }

    /** What went wrong in the scenario's own code, unless that broke a rule, which is refused instead. */
    private static UsageException refused(String where, Throwable thrown) {
        UsageException failed = failed(where, thrown);
        Guard.here().refuse(where, "");
        return failed;
    }

    /**
     * What went wrong in the scenario's own code, with the place. To find out runs code of the program, too: whoever asks has the guard
     * refuse what broke a rule afterwards.
     */
    public static UsageException failed(String where, Throwable thrown) {
        Failure failure = Failure.of(Running.cause(thrown));
        if (failure.isHang()) {
            throw LimitException.hang(where, failure);
        }
        String problem = "failed: " + failure.text() + Failure.denied(NeededClass.rootCause(thrown));
        List<String> detail = new ArrayList<>();
        if (thrown instanceof LinkageError e) {
            problem = NeededClass.problem(e);
            detail.addAll(Guard.here().callers(NeededClass.rootCause(e)));
        }
        if (detail.isEmpty()) {
            failure.stack().forEach(line -> detail.add(line.startsWith("caused by ") ? line : "at " + line));
        }
        return new UsageException(where + " " + problem, detail);
    }

    /** As above, of a failure that was caught. */
    public static UsageException caught(String where, Failure failure) {
        List<String> detail = new ArrayList<>();
        failure.stack().forEach(line -> detail.add("at " + line));
        detail.add("caught at " + failure.caught());
        return new UsageException(where + " failed: " + failure.text(), detail);
    }

    private static Map<String, Field> parameters(Class<?> type) {
        Map<String, Field> fields = new TreeMap<>();
        for (Class<?> c = type; c != Scenario.class; c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                if (f.isAnnotationPresent(Parameter.class)) {
                    if (Modifier.isFinal(f.getModifiers()) || Modifier.isStatic(f.getModifiers())) {
                        throw new UsageException("the parameter " + c.getSimpleName() + "." + f.getName()
                            + " must be neither final nor static");
                    }
                    if (!TYPES.contains(f.getType()) && !f.getType().isEnum()) {
                        throw new UsageException("the parameter '" + f.getName() + "' has type "
                            + f.getType().getSimpleName()
                            + ": parameters are int, long, double, boolean, String or an enum");
                    }
                    f.setAccessible(true);
                    fields.putIfAbsent(f.getName(), f);
                }
            }
        }
        return fields;
    }

    private static void set(Scenario scenario, Field field, String value) {
        try {
            field.set(scenario, parse(field, value));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object parse(Field field, String value) {
        Class<?> type = field.getType();
        try {
            if (type == int.class) {
                return Integer.parseInt(value);
            } else if (type == long.class) {
                return Long.parseLong(value);
            } else if (type == double.class) {
                return Double.parseDouble(value);
            }
        } catch (NumberFormatException e) {
            throw wrong(field, value, "a number of type " + type);
        }
        if (type == String.class) {
            return value;
        } else if (type == boolean.class) {
            if (!value.equals("true") && !value.equals("false")) {
                throw wrong(field, value, "true or false");
            }
            return value.equals("true");
        }
        List<String> names = Arrays.stream(type.getEnumConstants()).map(c -> ((Enum<?>) c).name()).toList();
        if (!names.contains(value)) {
            throw wrong(field, value, "one of " + names);
        }
        return type.getEnumConstants()[names.indexOf(value)];
    }

    private static UsageException wrong(Field field, String value, String wanted) {
        return new UsageException("the parameter '" + field.getName() + "' must be " + wanted + ", not \"" + value + '"');
    }
}
