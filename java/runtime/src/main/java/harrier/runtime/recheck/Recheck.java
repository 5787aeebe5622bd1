package harrier.runtime.recheck;

import java.util.Arrays;

/**
 * Which local steps are executed twice and compared.
 *
 * @param percent how many of a hundred, on average
 */
public record Recheck(double percent) {
    public static final Recheck ALL = new Recheck(100);
    public static final Recheck NONE = new Recheck(0);

    /** As on the command line: all, none, or a percentage. */
    public static Recheck of(String text) {
        return switch (text) {
            case "all" -> ALL;
            case "none" -> NONE;
            default -> new Recheck(Double.parseDouble(text.replace("%", "")));
        };
    }

    /** Reports whether anything is repeated; evaluations of properties and the like are few, and then all are. */
    public boolean isOn() {
        return percent > 0;
    }

    /** Reports whether a question is in the sample. That depends on nothing but the question. */
    public boolean has(byte[] local, byte[] message) {
        if (percent <= 0 || percent >= 100) {
            return isOn();
        }
        long hash = (31L * Arrays.hashCode(local) + Arrays.hashCode(message)) * 0x9E3779B97F4A7C15L;
        return (hash >>> 11) * 0x1p-53 * 100 < percent;
    }
}
