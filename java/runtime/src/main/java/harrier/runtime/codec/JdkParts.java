package harrier.runtime.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.Charset;
import java.time.ZoneId;
import java.util.Currency;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The classes of the JDK that are written as what makes them anew. */
final class JdkParts {
    private JdkParts() {}

    static List<Plan> plans() {
        return List.of(
            new PartsPlan<>(StringBuilder.class, Tag.OBJECT, List.of("text"), b -> new Object[] {b.toString()},
                all -> new StringBuilder((String) all[0])),
            new PartsPlan<>(StringBuffer.class, Tag.OBJECT, List.of("text"), b -> new Object[] {b.toString()},
                all -> new StringBuffer((String) all[0])),
            new PartsPlan<>(Date.class, Tag.OBJECT, List.of("time"), date -> new Object[] {date.getTime()},
                all -> new Date((Long) all[0])),
            new PartsPlan<>(Pattern.class, Tag.RECORD, List.of("pattern", "flags"),
                p -> new Object[] {p.pattern(), p.flags()}, all -> Pattern.compile((String) all[0], (Integer) all[1])),
            named(BigInteger.class, BigInteger::toString, BigInteger::new),
            new PartsPlan<>(BigDecimal.class, Tag.RECORD, List.of("unscaled", "scale"),
                n -> new Object[] {n.unscaledValue(), n.scale()},
                all -> new BigDecimal((BigInteger) all[0], (Integer) all[1])),
            named(Locale.class, JdkParts::tag, Locale::forLanguageTag),
            named(URI.class, URI::toString, URI::create),
            named(Currency.class, Currency::getCurrencyCode, Currency::getInstance),
            byText(ZoneId.of("UTC").getClass(), ZoneId::of),
            byText(ZoneId.of("Z").getClass(), ZoneId::of));
    }

    /** The plan of a character set: each has a class of its own. */
    static Plan charset(Class<?> type) {
        return byText(type, Charset::forName);
    }

    /** A value that its text makes anew. */
    private static <T> Plan named(Class<T> type, Function<T, String> text, Function<String, T> maker) {
        return new PartsPlan<>(type, Tag.RECORD, List.of("text"), v -> new Object[] {text.apply(v)},
            all -> maker.apply((String) all[0]));
    }

    private static <T> Plan byText(Class<T> type, Function<String, ?> maker) {
        return named(type, Object::toString, name -> type.cast(maker.apply(name)));
    }

    private static String tag(Locale locale) {
        String tag = locale.toLanguageTag();
        if (!Locale.forLanguageTag(tag).equals(locale)) {
            throw new IllegalStateException("it has no language tag; keep its language and country as Strings");
        }
        return tag;
    }
}
