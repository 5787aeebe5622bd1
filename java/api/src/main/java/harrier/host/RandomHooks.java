package harrier.host;

import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Stands in for methods that draw random numbers without a seed that the program gives. */
public final class RandomHooks {
    private RandomHooks() {}

    /** The seed for {@code new Random()}. */
    public static long seedOfRandom(String place) {
        return Hooks.control(place).seed("new Random", place);
    }

    /** What {@code new Random()} gives, which was made with that seed. */
    public static Random made(Random random, String place) {
        long unseeded = Hooks.control(place).unseeded(random);
        return unseeded == 0 ? random : new UnseededRandom(unseeded);
    }

    /** The stand-in for a new {@code SecureRandom}. */
    public static SecureRandom made(SecureRandom random, String place) {
        return secure(place);
    }

    /** Stands in for {@link SecureRandom#getInstance(String)}. */
    public static SecureRandom secure(String algorithm, String place) {
        return secure(place);
    }

    /** Stands in for {@link SecureRandom#getInstanceStrong}. */
    public static SecureRandom secure(String place) {
        return new StandInSecureRandom(made(new Random(Hooks.control(place).seed("new Random", place)), place));
    }

    /** Called before a generator of the program's draws as one of the JDK's does. */
    public static void next(Random random) {
        Control control = Hooks.control("a java.util.Random");
        if (control.unseeded(random) != 0) {
            control.drawUnseeded();
        }
    }

    /** The seed for {@code new SplittableRandom()}. */
    public static long seedOfSplittableRandom(String place) {
        return Hooks.control(place).seed("new SplittableRandom", place);
    }

    /** Stands in for {@link Math#random}. */
    public static double number(String place) {
        return Hooks.control(place).number("Math.random", place);
    }

    /** Stands in for {@link UUID#randomUUID}. */
    public static UUID uuid(String place) {
        return Hooks.control(place).uuid(place);
    }

    /** Stands in for {@link Collections#shuffle(List)}. */
    public static void shuffle(List<?> list, String place) {
        if (list.size() > 1) {
            Collections.shuffle(list, new Random(Hooks.control(place).seed("Collections.shuffle", place)));
        }
    }

    /** Stands in for {@link ThreadLocalRandom#current}. */
    public static ThreadLocalRandom current(String place) {
        return Hooks.control(place).threadLocalRandom(place);
    }
}
