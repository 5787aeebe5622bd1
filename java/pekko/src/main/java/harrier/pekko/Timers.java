package harrier.pekko;

import java.util.HashMap;
import java.util.Map;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.internal.TimerSchedulerCrossDslSupport;
import scala.concurrent.duration.FiniteDuration;

/** The timers of an actor, by their keys. */
final class Timers<T> implements TimerSchedulerCrossDslSupport<T> {
    private final TypedActor<T> actor;
    private final Map<Object, Cancellable> set = new HashMap<>();

    Timers(TypedActor<T> actor) {
        this.actor = actor;
    }

    /**
     * Starts one.
     *
     * @param again after which time it fires again; null if it fires once
     */
    private void start(Object key, T message, FiniteDuration after, FiniteDuration again) {
        cancel(key);
        set.put(key, actor.alarms().set(Context.java(after), message, () -> {
            set.remove(key);
            if (again != null) {
                start(key, message, again, again);
            }
            actor.receiveNow(message);
        }));
    }

    @Override
    public void startTimerWithFixedDelay(Object key, T message, FiniteDuration delay) {
        start(key, message, delay, delay);
    }

    @Override
    public void startTimerWithFixedDelay(Object key, T message, FiniteDuration first, FiniteDuration delay) {
        start(key, message, first, delay);
    }

    @Override
    public void startTimerAtFixedRate(Object key, T message, FiniteDuration interval) {
        start(key, message, interval, interval);
    }

    @Override
    public void startTimerAtFixedRate(Object key, T message, FiniteDuration first, FiniteDuration interval) {
        start(key, message, first, interval);
    }

    @Override
    @Deprecated
    public void startPeriodicTimer(Object key, T message, FiniteDuration interval) {
        start(key, message, interval, interval);
    }

    @Override
    public void startSingleTimer(Object key, T message, FiniteDuration delay) {
        start(key, message, delay, null);
    }

    @Override
    public boolean isTimerActive(Object key) {
        return set.containsKey(key);
    }

    @Override
    public void cancel(Object key) {
        Cancellable timer = set.remove(key);
        if (timer != null) {
            timer.cancel();
        }
    }

    @Override
    public void cancelAll() {
        set.values().forEach(Cancellable::cancel);
        set.clear();
    }
}
