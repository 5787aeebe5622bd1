package harrier.runtime.actor;

import harrier.host.Agenda;
import harrier.host.Agenda.Delayed;
import harrier.host.TimeBounds;
import harrier.host.WrongDeclaration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How time goes on, in rounds.
 *
 * @param tick the nanoseconds of a round
 * @param drift by how many ticks a clock may be ahead of the rounds, or behind
 * @param number how many rounds there may be
 * @param delay how many of them may begin while a message is in flight; -1 for any number
 */
public record Rounds(long tick, int drift, int number, int delay) {
    /** The most ticks that a scenario may say: no check comes so far, so more are a mistake. */
    private static final int MOST = 1_000_000;

    /** What a scenario said; null if time does not go on. */
    static Rounds of(TimeBounds said) {
        if (said.tick() == null && said.drift() == null && said.horizon() == null) {
            if (said.delay() != null) {
                throw new WrongDeclaration("network().delay(" + said.delay() + "): time stands still: say how it goes on first, as in"
                    + " clocks().tick(Duration.ofMillis(100)).until(Duration.ofSeconds(1))");
            }
            return null;
        }
        if (said.tick() == null || said.horizon() == null) {
            throw new WrongDeclaration("clocks() says no " + (said.tick() == null ? "tick" : "horizon") + ": say both, as in"
                + " clocks().tick(Duration.ofMillis(100)).until(Duration.ofSeconds(1))");
        }
        if (said.tick().isNegative() || said.tick().isZero() || said.tick().compareTo(Duration.ofDays(10_000)) > 0) {
            throw new WrongDeclaration("clocks().tick(" + said.tick() + "): a tick takes some time, and at most 10,000 days");
        }
        int number = ticks("clocks().until", said.horizon(), said.tick());
        if (number == 0) {
            throw new WrongDeclaration("clocks().until(" + said.horizon() + "): time has to go on by a tick at least");
        }
        return new Rounds(said.tick().toNanos(), said.drift() == null ? 0 : ticks("clocks().within", said.drift(), said.tick()), number,
            said.delay() == null ? -1 : ticks("network().delay", said.delay(), said.tick()));
    }

    private static int ticks(String method, Duration time, Duration tick) {
        if (time.isNegative() || !time.minus(tick.multipliedBy(time.dividedBy(tick))).isZero()) {
            throw new WrongDeclaration(method + "(" + time + "): say a number of ticks, which take " + tick + " each");
        }
        if (time.dividedBy(tick) > MOST) {
            throw new WrongDeclaration(method + "(" + time + "): that are more than " + MOST + " ticks of " + tick);
        }
        return (int) time.dividedBy(tick);
    }

    /** A duration in whole ticks, rounded up. All that are longer than any clock goes on are the same. */
    private long whole(long nanos) {
        long ticks = nanos <= 0 ? 0 : (nanos - 1) / tick + 1;
        return Math.min(ticks, number + drift + 1) * tick;
    }

    /** A timer or task as it is in a local state: with the whole ticks that it has still to wait. */
    Delayed pending(Delayed d) {
        return new Delayed(d.what(), whole(d.min()), whole(d.max()), 0);
    }

    /** Has an actor's clock go on by a tick. */
    public void tick(Agenda agenda, Instant start) {
        agenda.now = (agenda.now == null ? start : agenda.now).plusNanos(tick);
        List<Delayed> before = List.copyOf(agenda.delayed);
        agenda.delayed.clear();
        for (Delayed d : before) {
            Delayed pending = pending(d);
            agenda.delayed.add(new Delayed(d.what(), Math.max(0, pending.min() - tick), Math.max(0, pending.max() - tick), 0));
        }
    }

    /** Reports whether a timer or task may run now. */
    public static boolean mayRun(Delayed d) {
        return d.min() <= 0;
    }

    /** Reports whether it has to run before time goes on. */
    public static boolean mustRun(Delayed d) {
        return d.max() <= 0;
    }
}
