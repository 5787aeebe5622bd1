package harrier.pekko;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.pekko.actor.Cancellable;

/** An actor's timers, scheduled messages, tasks, ask time-outs and receive timeout. */
final class Alarms {
    private final TypedActor<?> actor;
    /** Those that are set, by number. */
    private final Map<Integer, Alarm> set = new TreeMap<>();

    /** The receive timeout; null if none is set. */
    private ReceiveTimeout receiveTimeout;

    private record ReceiveTimeout(Duration after, Object message, Runnable action, Cancellable alarm) {}

    Alarms(TypedActor<?> actor) {
        this.actor = actor;
    }

    /** One of them. */
    private final class Alarm implements Cancellable {
        private final Mail.Alarm timer;
        private final Duration after;
        /** What the actor does then; null if it sends a message. */
        private final Runnable action;
        private final Ref<?> target;
        private final Object message;
        private final boolean isTask;
        private boolean isCancelled;

        Alarm(Duration after, Runnable action, Ref<?> target, Object message, boolean isTask) {
            int number = 1;
            while (set.containsKey(number)) {
                number++;
            }
            timer = new Mail.Alarm(label(message), number);
            this.after = after;
            this.action = action;
            this.target = target;
            this.message = message;
            this.isTask = isTask;
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

    /** What people call a timer with a message. The message itself stays in the actor: it may hold whatever the actor does. */
    private static String label(Object message) {
        return message instanceof Enum<?> constant ? constant.name() : message instanceof String text ? text
            : message.getClass().getSimpleName().replace("$", ""); // which names of Scala's objects end with
    }

    /**
     * Sets one.
     *
     * @param message what it brings about, or a text
     */
    Cancellable set(Duration after, Object message, Runnable action) {
        return set(new Alarm(after, action, null, message, false));
    }

    /** Has a message sent to an actor, even if this one has stopped by then. */
    Cancellable send(Duration after, Ref<?> target, Object message) {
        return set(new Alarm(after, null, target, message, false));
    }

    /** Has a task run, outside of a message. */
    Cancellable task(Duration after, Runnable task) {
        return set(new Alarm(after, task, null, "task", true));
    }

    /** Has a task run again and again. */
    Cancellable tasks(Duration first, Duration again, Runnable task) {
        return new Cancellable() {
            private Cancellable next = task(first, this::run);

            private void run() {
                next = task(again, this::run);
                task.run();
            }

            @Override
            public boolean cancel() {
                return next.cancel();
            }

            @Override
            public boolean isCancelled() {
                return next.isCancelled();
            }
        };
    }

    boolean isTask(int number) {
        return set.get(number).isTask;
    }

    boolean hasTasks() {
        return set.values().stream().anyMatch(a -> a.isTask);
    }

    private Alarm set(Alarm alarm) {
        set.put(alarm.timer.number(), alarm);
        actor.setAlarm(alarm.timer, alarm.after);
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
            actor.deliver(alarm.target.part(), alarm.message);
        } else {
            ((Ref<Object>) alarm.target).tell(alarm.message);
        }
    }

    /** Sets what is done when no message comes for some time. */
    void receiveTimeout(Duration after, Object message, Runnable action) {
        cancelReceiveTimeout();
        receiveTimeout = new ReceiveTimeout(after, message, action, set(after, message, action));
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
            receiveTimeout(receiveTimeout.after, receiveTimeout.message, receiveTimeout.action);
        }
    }

    /** Hands scheduled messages for other actors to the system actor. */
    void handOver() {
        for (Alarm alarm : set.values()) {
            if (alarm.target != null && !alarm.target.name().equals(actor.self())) {
                actor.tell(actor.services().system(), new Mail.Scheduled(alarm.target, alarm.message, alarm.after));
            }
        }
    }
}
