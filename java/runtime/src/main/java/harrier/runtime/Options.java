package harrier.runtime;

import java.util.Map;

/**
 * The settings of a check that say how a program is run. Go's side has them in bridge.Source.
 *
 * @param recheck whether every step is executed twice and compared
 * @param output whether what the program prints is shown
 */
public record Options(boolean recheck, boolean output) {
    /** The settings by their names. */
    static Options of(Map<String, String> values) {
        return new Options(Boolean.parseBoolean(values.get("recheck")), Boolean.parseBoolean(values.get("output")));
    }
}
