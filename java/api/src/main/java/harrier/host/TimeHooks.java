package harrier.host;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.TimeZone;

/** Stands in for methods that tell the time. */
public final class TimeHooks {
    private TimeHooks() {}

    /** Stands in for {@link Instant#now()}. */
    public static Instant now(String place) {
        return Hooks.control(place).now(place);
    }

    /** Stands in for {@link System#currentTimeMillis}. */
    public static long currentTimeMillis(String place) {
        return now(place).toEpochMilli();
    }

    /** Stands in for {@link System#nanoTime}. */
    public static long nanoTime(String place) {
        return Duration.between(Instant.EPOCH, now(place)).toNanos();
    }

    /** Stands in for {@link Clock#systemUTC} and {@link Clock#systemDefaultZone}. */
    public static Clock clock(String place) {
        return new StepClock(ZoneOffset.UTC, place);
    }

    /** Stands in for {@link Clock#system}. */
    public static Clock clock(ZoneId zone, String place) {
        return new StepClock(zone, place);
    }

    /** Stands in for {@code InstantSource.system}. */
    public static InstantSource source(String place) {
        return clock(place);
    }

    /** Stands in for {@link Clock#tickMillis}. */
    public static Clock tickMillis(ZoneId zone, String place) {
        return Clock.tick(clock(zone, place), Duration.ofMillis(1));
    }

    /** Stands in for {@link Clock#tickSeconds}. */
    public static Clock tickSeconds(ZoneId zone, String place) {
        return Clock.tick(clock(zone, place), Duration.ofSeconds(1));
    }

    /** Stands in for {@link Clock#tickMinutes}. */
    public static Clock tickMinutes(ZoneId zone, String place) {
        return Clock.tick(clock(zone, place), Duration.ofMinutes(1));
    }

    /** Stands in for {@link Calendar#getInstance()}. */
    public static Calendar calendar(String place) {
        return at(Calendar.getInstance(), place);
    }

    /** Stands in for {@link Calendar#getInstance(TimeZone)}. */
    public static Calendar calendar(TimeZone zone, String place) {
        return at(Calendar.getInstance(zone), place);
    }

    /** Stands in for {@link Calendar#getInstance(Locale)}. */
    public static Calendar calendar(Locale locale, String place) {
        return at(Calendar.getInstance(locale), place);
    }

    /** Stands in for {@link Calendar#getInstance(TimeZone, Locale)}. */
    public static Calendar calendar(TimeZone zone, Locale locale, String place) {
        return at(Calendar.getInstance(zone, locale), place);
    }

    /** What {@code new GregorianCalendar} gives, which was made with the machine's time. */
    public static GregorianCalendar made(GregorianCalendar calendar, String place) {
        at(calendar, place);
        return calendar;
    }

    private static Calendar at(Calendar calendar, String place) {
        calendar.setTimeInMillis(currentTimeMillis(place));
        return calendar;
    }
}
