package harrier.vertx;

import io.vertx.core.Closeable;
import io.vertx.core.Completable;
import io.vertx.core.Handler;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** A verticle's timers, by their ids, which are never used again: a program may keep them. */
final class Alarms {
    private final VerticleActor verticle;
    private final Map<Long, Alarm> set = new TreeMap<>();
    private long next;

    Alarms(VerticleActor verticle) {
        this.verticle = verticle;
    }

    /** One of them; it is cancelled when the verticle is undeployed, unless a question times out then. */
    private final class Alarm implements Closeable {
        final long id;
        /** After which time it fires again; 0 if it fires once. */
        final long period;
        final Handler<Long> handler;
        final Object timer;

        Alarm(long period, Handler<Long> handler, boolean isQuestions) {
            id = next++;
            this.period = period;
            this.handler = handler;
            timer = isQuestions ? new Mail.TimeOut(id) : new Mail.Alarm(id);
            set.put(id, this);
        }

        void fireAfter(long delay) {
            verticle.setAlarm(timer, Duration.ofMillis(delay));
        }

        @Override
        public void close(Completable<Void> completion) {
            cancel(id);
            completion.succeed();
        }
    }

    /**
     * Sets one that the verticle takes along when it is undeployed.
     *
     * @param period after which time it fires again; 0 if it fires once
     */
    long set(long delay, long period, Handler<Long> handler) {
        if (period == 0 && delay < 1) {
            throw new IllegalArgumentException("Cannot schedule a timer with delay < 1 ms");
        }
        if (delay < 0) {
            throw new IllegalArgumentException("Cannot schedule a timer with initialDelay < 0");
        }
        Alarm alarm = new Alarm(period, handler, false);
        verticle.context().addCloseHook(alarm);
        alarm.fireAfter(delay);
        return alarm.id;
    }

    /** Sets the time-out of a question. */
    long timeOut(long delay, Handler<Long> handler) {
        Alarm alarm = new Alarm(0, handler, true);
        alarm.fireAfter(delay);
        return alarm.id;
    }

    /** Cancels one, and reports whether it was set. */
    boolean cancel(long id) {
        if (id >= next) {
            throw LocalVertx.unsupported("timer " + id, "a verticle cancels what its own setTimer() returned");
        }
        Alarm alarm = set.remove(id);
        if (alarm == null) {
            return false;
        }
        verticle.cancelAlarm(alarm.timer);
        verticle.context().removeCloseHook(alarm);
        return true;
    }

    /** The time of one has come. */
    void ring(long id) {
        Alarm alarm = set.get(id);
        if (alarm.period > 0) {
            alarm.fireAfter(alarm.period);
        } else {
            set.remove(id);
            verticle.context().removeCloseHook(alarm);
        }
        verticle.context().dispatch(id, alarm.handler);
    }
}
