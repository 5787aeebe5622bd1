package harrier.runtime;

import harrier.Scenario;
import harrier.runtime.load.ProgramLoader;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The examples' folder: its programs, and the counts that are known of them. */
public final class Examples {
    static {
        UserProgram.prepare();
    }

    private Examples() {}

    /** A line of golden.txt. */
    record Golden(String verdict, int states, int transitions, int depth) {}

    public static Path folder() {
        for (Path p = Path.of("").toAbsolutePath(); p != null; p = p.getParent()) {
            if (Files.exists(p.resolve("examples/golden.txt"))) {
                return p.resolve("examples");
            }
        }
        throw new AssertionError("no examples folder around " + Path.of("").toAbsolutePath());
    }

    /** The line of a search that tells states apart by all their fields. */
    public static Golden golden(String program, Map<String, Integer> parameters, String search) throws IOException {
        String key = String.join("\t", program, text(parameters), search, "last") + "\t";
        for (String line : Files.readAllLines(folder().resolve("golden.txt"))) {
            if (line.startsWith(key)) {
                String[] columns = line.split("\t");
                return new Golden(columns[4], Integer.parseInt(columns[5]), Integer.parseInt(columns[6]),
                    Integer.parseInt(columns[7]));
            }
        }
        throw new AssertionError("golden.txt has no line for " + key);
    }

    private static String text(Map<String, Integer> parameters) {
        return parameters.isEmpty() ? "-" : new TreeMap<>(parameters).entrySet().stream()
            .map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(","));
    }

    private static Field field(Class<?> scenario, String name) {
        for (Class<?> c = scenario; c != Scenario.class; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        throw new AssertionError(scenario + " has no field " + name);
    }

    /** Makes a scenario of an example, with values for its parameters, as often as it is asked. */
    public static Supplier<Scenario> scenarios(String program, String type, Map<String, Integer> parameters) {
        ProgramLoader loader = UserProgram.loader(UserProgram.read(folder().resolve(program)));
        return () -> {
            try {
                Constructor<?> constructor = loader.loadClass(type).getDeclaredConstructor();
                constructor.setAccessible(true);
                Scenario scenario = (Scenario) constructor.newInstance();
                for (Map.Entry<String, Integer> p : parameters.entrySet()) {
                    field(scenario.getClass(), p.getKey()).setInt(scenario, p.getValue());
                }
                return scenario;
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        };
    }
}
