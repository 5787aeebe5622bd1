package harrier.runtime.codec.jdk;

import harrier.runtime.codec.format.Raw;
import harrier.runtime.codec.format.Tag;
import harrier.runtime.codec.graph.PartsPlan;
import harrier.runtime.codec.graph.Plan;
import java.math.RoundingMode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.DecimalFormat;
import java.text.SimpleDateFormat;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.TimeZone;

/**
 * Calendars, formats and digests, by what makes them anew. One that has more to it than that is refused, with what to keep in its
 * place.
 */
final class JdkFormats {
    private static final long HAS_TIME = Raw.UNSAFE.objectFieldOffset(Calendar.class, "isTimeSet");
    private static final long HAS_FIELDS = Raw.UNSAFE.objectFieldOffset(Calendar.class, "areFieldsSet");

    private JdkFormats() {}

    /** A calendar whose fields have been computed, by its time. */
    static Plan calendar() {
        return new PartsPlan<>(GregorianCalendar.class, Tag.OBJECT, List.of("time", "zone", "lenient", "firstDay", "minimalDays", "change"),
            c -> {
                if (!isComputed(c)) {
                    throw new IllegalStateException("fields of it were set since its time was computed; call getTime() after that");
                }
                return new Object[] {c.getTimeInMillis(), c.getTimeZone(), c.isLenient(), c.getFirstDayOfWeek(),
                    c.getMinimalDaysInFirstWeek(), c.getGregorianChange().getTime()};
            }, all -> {
                GregorianCalendar calendar = new GregorianCalendar((TimeZone) all[1]);
                calendar.setLenient((Boolean) all[2]);
                calendar.setFirstDayOfWeek((Integer) all[3]);
                calendar.setMinimalDaysInFirstWeek((Integer) all[4]);
                calendar.setGregorianChange(new Date((Long) all[5]));
                calendar.setTimeInMillis((Long) all[0]);
                calendar.get(Calendar.YEAR); // computes the fields
                return calendar;
            });
    }

    private static boolean isComputed(Calendar calendar) {
        return Raw.UNSAFE.getBoolean(calendar, HAS_TIME) && Raw.UNSAFE.getBoolean(calendar, HAS_FIELDS);
    }

    static Plan decimal() {
        return new PartsPlan<>(DecimalFormat.class, Tag.OBJECT, List.of("pattern", "rounding"), f -> {
            DecimalFormat again = decimal(f.toPattern(), f.getRoundingMode());
            return require(again.equals(f), f.toPattern(), f.getRoundingMode());
        }, all -> decimal((String) all[0], (RoundingMode) all[1]));
    }

    private static DecimalFormat decimal(String pattern, RoundingMode rounding) {
        DecimalFormat format = new DecimalFormat(pattern);
        format.setRoundingMode(rounding);
        return format;
    }

    static Plan date() {
        return new PartsPlan<>(SimpleDateFormat.class, Tag.OBJECT, List.of("pattern", "zone"), f -> {
            SimpleDateFormat again = date(f.toPattern(), f.getTimeZone());
            return require(again.equals(f), f.toPattern(), f.getTimeZone());
        }, all -> date((String) all[0], (TimeZone) all[1]));
    }

    private static SimpleDateFormat date(String pattern, TimeZone zone) {
        SimpleDateFormat format = new SimpleDateFormat(pattern);
        format.setTimeZone(zone);
        return format;
    }

    private static Object[] require(boolean isAll, Object... parts) {
        if (!isAll) {
            throw new IllegalStateException("more was set of it than its pattern; make it where it is used");
        }
        return parts;
    }

    /** The plan of a class of digests: one that nothing was put into since it was made or reset, by its algorithm. */
    static <T> Plan digest(Class<T> type) {
        return new PartsPlan<>(type, Tag.OBJECT, List.of("algorithm"), d -> {
            MessageDigest digest = (MessageDigest) d;
            try {
                byte[] none = MessageDigest.getInstance(digest.getAlgorithm()).digest();
                if (!Arrays.equals(((MessageDigest) digest.clone()).digest(), none)) {
                    throw new IllegalStateException("it has begun a digest; put in all of it within one handler");
                }
            } catch (CloneNotSupportedException | NoSuchAlgorithmException e) {
                throw new IllegalStateException("what it has digested cannot be read; make it where it is used");
            }
            return new Object[] {digest.getAlgorithm()};
        }, all -> {
            try {
                return type.cast(MessageDigest.getInstance((String) all[0]));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalArgumentException(e);
            }
        });
    }
}
