package harrier.runtime.codec.jdk;

import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.graph.PartsPlan;
import harrier.runtime.codec.graph.Plan;
import java.io.ByteArrayOutputStream;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Currency;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.function.Function;
import java.util.function.ToIntFunction;
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
            new PartsPlan<>(StringWriter.class, Tag.OBJECT, List.of("text"), w -> new Object[] {w.toString()},
                all -> new StringWriter().append((String) all[0])),
            JdkFormats.calendar(), JdkFormats.decimal(), JdkFormats.date(),
            new PartsPlan<>(ByteArrayOutputStream.class, Tag.OBJECT, List.of("bytes"), out -> new Object[] {out.toByteArray()},
                all -> {
                    ByteArrayOutputStream out = new ByteArrayOutputStream();
                    out.writeBytes((byte[]) all[0]);
                    return out;
                }),
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
            address(Inet4Address.class, a -> -1),
            address(Inet6Address.class, Inet6Address::getScopeId),
            new PartsPlan<>(InetSocketAddress.class, Tag.RECORD, List.of("address", "host", "port"),
                a -> new Object[] {a.getAddress(), a.isUnresolved() ? a.getHostString() : null, a.getPort()},
                all -> all[0] == null ? InetSocketAddress.createUnresolved((String) all[1], (Integer) all[2])
                    : new InetSocketAddress((InetAddress) all[0], (Integer) all[2])),
            byText(Path.of("").getClass(), Path::of),
            new PartsPlan<>(Method.class, Tag.RECORD, List.of("type", "name", "takes"),
                m -> new Object[] {m.getDeclaringClass(), m.getName(), List.of(m.getParameterTypes())},
                all -> method((Class<?>) all[0], (String) all[1], (List<?>) all[2])),
            named(ByteOrder.class, ByteOrder::toString,
                text -> text.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN),
            timeZone(TimeZone.getTimeZone("UTC").getClass()),
            named(Currency.class, Currency::getCurrencyCode, Currency::getInstance),
            byText(ZoneId.of("UTC").getClass(), ZoneId::of),
            byText(ZoneId.of("Z").getClass(), ZoneId::of));
    }

    /** A time zone by its name, which must say all that there is to it. */
    private static <T> Plan timeZone(Class<T> type) {
        return new PartsPlan<>(type, Tag.OBJECT, List.of("id"), zone -> {
            String id = ((TimeZone) zone).getID();
            if (!TimeZone.getTimeZone(id).equals(zone)) {
                throw new IllegalStateException("its offset was set; keep a java.time.ZoneOffset");
            }
            return new Object[] {id};
        }, all -> type.cast(TimeZone.getTimeZone((String) all[0])));
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

    /** The plan of an address of the network: its host if it was given, as nobody is asked for that, and its digits. */
    private static <T extends InetAddress> Plan address(Class<T> type, ToIntFunction<T> scope) {
        return new PartsPlan<>(type, Tag.RECORD, List.of("host", "digits", "scope"), a -> {
            String text = a.toString();
            int slash = text.indexOf('/');
            return new Object[] {slash == 0 ? null : text.substring(0, slash), text.substring(slash + 1).replaceFirst("%.*", ""),
                scope.applyAsInt(a)};
        }, all -> {
            try {
                byte[] digits = InetAddress.getByName((String) all[1]).getAddress();
                int zone = (Integer) all[2];
                return type.cast(zone > 0 ? Inet6Address.getByAddress((String) all[0], digits, zone)
                    : InetAddress.getByAddress((String) all[0], digits));
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException(e);
            }
        });
    }

    /** A method of a class, which code can call as far as it may be called at all: whether it was made so is no part of it. */
    private static Method method(Class<?> type, String name, List<?> takes) {
        try {
            Method method = type.getDeclaredMethod(name, takes.toArray(new Class<?>[0]));
            method.trySetAccessible();
            return method;
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static String tag(Locale locale) {
        String tag = locale.toLanguageTag();
        if (!Locale.forLanguageTag(tag).equals(locale)) {
            throw new IllegalStateException("it has no language tag; keep its language and country as Strings");
        }
        return tag;
    }
}
