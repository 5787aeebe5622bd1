package harrier.runtime.rules.allow;

import harrier.runtime.failure.UsageException;
import harrier.runtime.origin.Origin;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;

/**
 * Which rules a check relaxes, and how.
 *
 * @param allowed the allowed values, by rule; rules that are not there hold
 */
public record Rules(Map<Rule, String> allowed) {
    /** All rules hold. */
    public static final Rules STRICT = new Rules(Map.of());

    /** That threads run although only code of libraries starts them. */
    private static final String OF_LIBRARIES = "of-libraries";
    private static final String SEED = "seed:";
    private static final String UNIQUE = "unique:";
    private static final String CHOICE = "choice:";
    /** Between the values of a rule that may have several. */
    private static final String ANOTHER = "\n";

    /**
     * The rules that a text for each relaxes.
     *
     * @param where who says so, for complaints
     * @param texts each {@code name=value}
     */
    public static Rules parse(String where, List<String> texts) {
        Map<Rule, String> allowed = new EnumMap<>(Rule.class);
        for (String text : texts) {
            int equals = text.indexOf('=');
            Rule rule = rule(where, text, equals < 0 ? text : text.substring(0, equals));
            String value = equals < 0 ? "" : text.substring(equals + 1);
            if (!fits(rule, value)) {
                throw new UsageException(where + " " + text + ": " + (rule.choices().isEmpty() ? rule.label() + " takes no value"
                    : "what " + rule.label() + " may be is " + rule.choices()));
            }
            allowed.merge(rule, value, (before, now) -> both(rule, before, now));
        }
        return new Rules(allowed);
    }

    private static Rule rule(String where, String text, String name) {
        return Arrays.stream(Rule.values()).filter(r -> r != Rule.EXIT && r.label().equals(name)).findFirst()
            .orElseThrow(() -> new UsageException(where + " " + text + ": there is no rule \"" + name + "\": there are "
                + Rule.list()));
    }

    private static boolean fits(Rule rule, String value) {
        return switch (rule) {
            case THREADS -> value.equals("ignore-sleep") || value.equals("sequential-streams") || value.equals(OF_LIBRARIES);
            case RANDOMNESS -> value.startsWith(SEED) && isLong(value.substring(SEED.length()))
                || value.startsWith(UNIQUE) && isLong(value.substring(UNIQUE.length()))
                || value.startsWith(CHOICE) && Arrays.stream(choices(value)).allMatch(Rules::isNumber);
            case JDK -> Arrays.stream(value.split(",", -1)).allMatch(Rules::isOfTheJdk);
            case CAUGHT -> Arrays.stream(value.split(",", -1)).allMatch(SourceVersion::isName);
            case PROPERTY -> value.indexOf(':') > 0 && !value.contains(ANOTHER);
            default -> value.equals(rule.choices());
        };
    }

    /** Reports whether a name is that of a package of the JDK, of packages that begin so, or of a class in one. */
    private static boolean isOfTheJdk(String name) {
        return Origin.jdkPackages().anyMatch(p -> isWithin(p, name) || isWithin(name, p));
    }

    private static boolean isWithin(String name, String outer) {
        return name.equals(outer) || name.startsWith(outer + ".") || name.startsWith(outer + "$");
    }

    private static String both(Rule rule, String before, String now) {
        return switch (rule) {
            case JDK, CAUGHT -> Stream.of((before + "," + now).split(",")).distinct().collect(Collectors.joining(","));
            case PROPERTY -> before + ANOTHER + now;
            case THREADS -> Stream.concat(before.lines(), now.lines()).distinct().collect(Collectors.joining(ANOTHER));
            default -> now;
        };
    }

    /** These rules where they say something, others elsewhere. What each allows of a rule that may have several values is allowed. */
    public Rules or(Rules others) {
        Map<Rule, String> both = new EnumMap<>(Rule.class);
        both.putAll(others.allowed);
        allowed.forEach((rule, value) -> both.merge(rule, value, (theirs, ours) -> both(rule, theirs, ours)));
        return new Rules(both);
    }

    /**
     * These rules, if the command line relaxes those of them that have code reach more of the machine.
     *
     * @param where who says so, for complaints
     * @throws UsageException if it does not
     */
    public Rules granted(String where, Rules commandLine) {
        allowed.forEach((rule, value) -> {
            boolean granted = rule == Rule.JDK ? Arrays.stream(value.split(",")).allMatch(commandLine::allowJdk)
                : commandLine.allow(rule, value);
            if (rule.isOfTheMachine() && !granted) {
                String text = rule.label() + "=" + value;
                throw new UsageException(where + " " + text + ": it lets the program reach more of the machine, which only the"
                    + " command line allows: --allow " + text);
            }
        });
        return this;
    }

    /** Reports whether threads run although only code of libraries starts them. */
    public boolean haveThreads() {
        return allow(Rule.THREADS, OF_LIBRARIES);
    }

    /** The same, with threads that run although only code of libraries starts them. */
    public Rules withThreads() {
        return new Rules(Map.of(Rule.THREADS, OF_LIBRARIES)).or(this);
    }

    /** The relaxed rules, each as {@code name=value}, or as a name where a rule takes no value. */
    public List<String> list() {
        return allowed.entrySet().stream().flatMap(e -> Arrays.stream(e.getValue().split(ANOTHER))
            .map(value -> e.getKey().label() + (e.getKey().choices().isEmpty() ? "" : "=" + value))).toList();
    }

    /** The names of the classes of exceptions that fail no step if they are caught. */
    public Set<String> caught() {
        String all = allowed.get(Rule.CAUGHT);
        return all == null ? Set.of() : Set.of(all.split(","));
    }

    /** What system properties are said to be, by name; of those that are said twice the last. */
    public Map<String, String> properties() {
        String all = allowed.get(Rule.PROPERTY);
        return all == null ? Map.of() : Arrays.stream(all.split(ANOTHER)).map(p -> p.split(":", 2))
            .collect(Collectors.toMap(p -> p[0], p -> p[1], (before, now) -> now));
    }

    /** Reports whether a rule is relaxed in this way. */
    public boolean allow(Rule rule, String value) {
        String values = allowed.get(rule);
        return values != null && List.of(values.split(ANOTHER)).contains(value);
    }

    /** Reports whether a class of the JDK that is not known to be harmless may be used. */
    public boolean allowJdk(String type) {
        String value = allowed.get(Rule.JDK);
        return value != null && Arrays.stream(value.split(",")).anyMatch(outer -> isWithin(type, outer));
    }

    /** Reports whether what {@code name=value} relaxes is relaxed, or its rule in another way that leaves nothing to refuse. */
    public boolean relaxes(String text) {
        Rule rule = Rule.valueOf(text.substring(0, text.indexOf('=')).toUpperCase(Locale.ROOT));
        String value = text.substring(text.indexOf('=') + 1);
        return switch (rule) {
            case JDK -> allowJdk(value);
            case RANDOMNESS -> allowed.containsKey(rule);
            case CAUGHT -> caught().contains(value);
            default -> allow(rule, value);
        };
    }

    /** Reports whether native methods of the program may run. Elsewhere each fails. */
    public boolean mayRunNative() {
        return allow(Rule.NATIVES, "any");
    }

    /** Reports whether a program may find any class. */
    public boolean mayReachAny() {
        return allow(Rule.REFLECTION, "any");
    }

    public boolean isTimeReal() {
        return allow(Rule.TIME, "real");
    }

    /** Reports whether hash collections iterate as they do by themselves, in the executions that are compared, too. */
    public boolean isOrderPlain() {
        return allow(Rule.ORDER, "plain");
    }

    /** The seed of all randomness, the same in each step; null if there is none. */
    public Long seed() {
        return number(SEED);
    }

    /** The seed of values each of which is another one; null if there is none. */
    public Long unique() {
        return number(UNIQUE);
    }

    private Long number(String kind) {
        String value = allowed.getOrDefault(Rule.RANDOMNESS, "");
        return value.startsWith(kind) ? Long.valueOf(value.substring(kind.length())) : null;
    }

    /** The numbers that random ones are chosen from; empty if they are not. */
    public double[] choices() {
        String value = allowed.getOrDefault(Rule.RANDOMNESS, "");
        return value.startsWith(CHOICE) ? Arrays.stream(choices(value)).mapToDouble(Double::parseDouble).toArray()
            : new double[0];
    }

    private static String[] choices(String value) {
        return value.substring(CHOICE.length()).split(",", -1);
    }

    private static boolean isLong(String value) {
        try {
            Long.parseLong(value);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean isNumber(String value) {
        try {
            return Double.isFinite(Double.parseDouble(value));
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
