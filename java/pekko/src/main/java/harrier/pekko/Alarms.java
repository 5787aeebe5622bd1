package harrier.pekko;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.pekko.actor.Cancellable;

/** What an actor does after some time: its timers, what it schedules, and how long it waits for answers and for messages. */
final class Alarms {
    private final TypedActor<?> actor;
    /** Those that are set, by number. */
    private final Map<Integer, Alarm> set = new TreeMap<>();

    /** What says that no message came for some time; null if nothing does. */
    private ReceiveTimeout receiveTimeout;

    private record ReceiveTimeout(Duration after, Object shown, Runnable action, Cancellable alarm) {}

    Alarms(TypedActor<?> actor) {
        this.actor = actor;
    }

    /** One of them. */
    private final class Alarm implements Cancellable {
        private final Mail.Alarm timer;
        private final Runnable action;
        /** To whom a message is sent; null if it does something else. */
        private final Ref<?> target;
        private boolean isCancelled;

        Alarm(Object shown, Runnable action, Ref<?> target) {
            int number = 1;
            while (set.containsKey(number)) {
                number++;
            }
            timer = new Mail.Alarm(shown, number);
            this.action = action;
            this.target = target;
        }

        @Override
        public boolean cancel() {
            if (set.get(timer.number()) != this) {
                return false;
            }
            set.remove(timer.number());
            actor.cancelAlarm(timer);
            isCancelled = true;
            return true;
        }

        @Override
        public boolean isCancelled() {
            return isCancelled;
        }
    }

    /**
     * Sets one.
     *
     * @param shown what people see of it, such as a message
     */
    Cancellable set(Duration after, Object shown, Runnable action) {
        return set(after, new Alarm(shown, action, null));
    }

    /** Has a message sent to an actor, even if this one has stopped by then. */
    Cancellable send(Duration after, Ref<?> target, Object message) {
        return set(after, new Alarm(message, null, target));
    }

    private Alarm set(Duration after, Alarm alarm) {
        set.put(alarm.timer.number(), alarm);
        actor.setAlarm(alarm.timer, after);
        return alarm;
    }

    /** The time of one has come. */
    void ring(int number) {
        Alarm alarm = set.remove(number);
        if (alarm.target == null) {
            alarm.action.run();
        } else {
            deliver(alarm);
        }
    }

    @SuppressWarnings("unchecked")
    private void deliver(Alarm alarm) {
        if (alarm.target.name().equals(actor.self())) {
            actor.deliver(alarm.target.part(), alarm.timer.shown());
        } else {
            ((Ref<Object>) alarm.target).tell(alarm.timer.shown());
        }
    }

    /** Sets what is done when no message comes for some time. */
    void receiveTimeout(Duration after, Runnable action, Object shown) {
        cancelReceiveTimeout();
        receiveTimeout = new ReceiveTimeout(after, shown, action, set(after, shown, action));
    }

    void cancelReceiveTimeout() {
        if (receiveTimeout != null) {
            receiveTimeout.alarm.cancel();
            receiveTimeout = null;
        }
    }

    /** A message has come. */
    void restartReceiveTimeout() {
        if (receiveTimeout != null) {
            receiveTimeout(receiveTimeout.after, receiveTimeout.action, receiveTimeout.shown);
        }
    }

    /** The actor stops: the system has what it scheduled for others. */
    void handOver() {
        for (Alarm alarm : set.values()) {
            if (alarm.target != null && !alarm.target.name().equals(actor.self())) {
                actor.tell(actor.system(), new Mail.Scheduled(alarm.target, alarm.timer.shown()));
            }
        }
    }
}
