package harrier.run;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values of parameters as {@code harrier check --set} takes them: one, a range {@code 1..4}, or a list {@code 1,2}. */
public final class Settings {
    private static final int MOST = 1000;
    private static final Pattern NUMBERS = Pattern.compile("[-0-9.,]*");
    private static final Pattern CONSTANT = Pattern.compile("-?[0-9]+(\\.[0-9]+)?|true|false|[A-Z][A-Z0-9_]*");
    private static final Pattern RANGE = Pattern.compile("(-?[0-9]+)\\.\\.(-?[0-9]+)");

    private Settings() {}

    /** Values of parameters, and the sum of their positions among those that were written. */
    private record Setting(int sum, Map<String, String> values) {
        Setting with(String name, String value, int position) {
            var more = new LinkedHashMap<>(values);
            if (more.put(name, value) != null) {
                throw new IllegalArgumentException("the parameter " + name + " is set twice");
            }
            return new Setting(sum + position, more);
        }
    }

    /**
     * The settings that some values stand for, smallest first, as {@code harrier check} has them.
     *
     * @param written each as {@code name=value}
     */
    public static List<Map<String, String>> of(List<String> written) {
        var settings = List.of(new Setting(0, Map.of()));
        for (String set : written) {
            int equals = set.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("\"" + set + "\": write name=value, such as acceptors=5");
            }
            String name = set.substring(0, equals).strip();
            var values = values(set, set.substring(equals + 1).strip());
            if (name.equals("setUp.choose") && values.contains("all")) {
                throw new IllegalArgumentException("\"" + set + "\": name one first state each, such as setUp.choose=0:"
                    + " harrier check --set setUp.choose=all lists them");
            }
            var longer = new ArrayList<Setting>();
            for (Setting s : settings) {
                for (int i = 0; i < values.size(); i++) {
                    longer.add(s.with(name, values.get(i), i));
                }
            }
            if (longer.size() > MOST) {
                throw new IllegalArgumentException("\"" + set + "\": that makes more than " + MOST + " settings: take fewer values");
            }
            settings = longer;
        }
        return settings.stream().sorted(Comparator.comparingInt(Setting::sum)).map(Setting::values).toList();
    }

    private static List<String> values(String set, String value) {
        if (isQuoted(value)) {
            return List.of(value.substring(1, value.length() - 1));
        }
        if (isOneText(value)) {
            return List.of(value);
        }
        var values = new ArrayList<String>();
        for (String part : value.split(",", -1)) {
            String element = part.strip();
            Matcher range = RANGE.matcher(element);
            if (range.matches()) {
                values.addAll(range(set, new BigInteger(range.group(1)), new BigInteger(range.group(2))));
            } else if (CONSTANT.matcher(element).matches()) {
                values.add(element);
            } else if (NUMBERS.matcher(value).matches() && value.matches(".*[0-9].*")) {
                throw new IllegalArgumentException("\"" + set + "\": write several values as 1..4 or 1,2,4, and a text in double quotes");
            } else {
                return List.of(value);
            }
        }
        if (values.stream().distinct().count() < values.size()) {
            throw new IllegalArgumentException("\"" + set + "\": it has a value twice");
        }
        return values;
    }

    private static List<String> range(String set, BigInteger first, BigInteger last) {
        if (first.compareTo(last) > 0) {
            throw new IllegalArgumentException("\"" + set + "\": a range goes from the smaller number to the larger one: write "
                + last + ".." + first);
        }
        if (last.subtract(first).compareTo(BigInteger.valueOf(MOST)) >= 0) {
            throw new IllegalArgumentException("\"" + set + "\": that makes more than " + MOST + " settings: take fewer values");
        }
        var values = new ArrayList<String>();
        for (BigInteger n = first; n.compareTo(last) <= 0; n = n.add(BigInteger.ONE)) {
            values.add(n.toString());
        }
        return values;
    }

    private static boolean isQuoted(String value) {
        return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    }

    private static boolean isOneText(String value) {
        return !value.contains(",") && !value.contains("..");
    }

    /** A text as {@code --set} takes it: in double quotes where it would stand for something else. */
    static String value(String text) {
        return isQuoted(text) || !isOneText(text) ? '"' + text + '"' : text;
    }
}
