package harrier.runtime.step.setup;

import harrier.runtime.step.Choices;
import harrier.runtime.wire.FirstState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The first states of a scenario whose set-up chooses. Each is a value of a parameter of its own, as what the set-up chooses may decide which
 * actors there are and what is declared: the numbers that {@code choose} gives, with slashes between.
 */
final class FirstStates {
    /** How many there may be: as many as a check may have settings. */
    static final int MOST = 1000;

    private FirstStates() {}

    /** The choices that a value stands for. One that is no first state comes to another one, which the end of the set-up shows. */
    static Choices choices(Map<String, String> values) {
        String value = values.getOrDefault(FirstState.FIRST_STATE, FirstState.ALL_FIRST_STATES);
        if (!value.matches("[0-9]{1,8}(/[0-9]{1,8})*")) {
            return Choices.first();
        }
        return Choices.of(Arrays.stream(value.split("/")).map(Integer::valueOf).toList());
    }

    /** The value of the choices that were made. */
    static String value(Choices made) {
        return made.answers().stream().map(String::valueOf).collect(Collectors.joining("/"));
    }

    /** Settings of the parameter, as --set takes them. */
    static List<String> settings(List<String> values) {
        List<String> settings = new ArrayList<>();
        values.forEach(v -> settings.add(FirstState.FIRST_STATE + "=" + v));
        return settings;
    }
}
