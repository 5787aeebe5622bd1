package harrier.pekko;

import harrier.ActorName;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.apache.pekko.actor.Cancellable;

/** An actor's timers, scheduled messages, tasks, ask time-outs and receive timeout. */
final class Alarms {
    private final LibraryActor actor;
    /** Those that are set, by number. */
    private final Map<Integer, Alarm> set = new TreeMap<>();

    /** The receive timeout; null if none is set. */
    private ReceiveTimeout receiveTimeout;

    private record ReceiveTimeout(Duration after, Object message, Runnable action, Cancellable alarm) {}

    Alarms(LibraryActor actor) {
        this.actor = actor;
    }

    /** One of them. */
    private final class Alarm implements Cancellable {
        private final Mail.Alarm timer;
        private final Duration after;
        /** What the actor does then; null if it sends a message. */
        private final Runnable action;
        private final ActorName target;
        private final Object mail;
        private final boolean isTask;
        private boolean isCancelled;

        Alarm(Duration after, Object message, Runnable action, ActorName target, Object mail, boolean isTask) {
            int number = 1;
            while (set.containsKey(number)) {
                number++;
            }
            timer = new Mail.Alarm(label(message), number);
            this.after = after;
            this.action = action;
            this.target = target;
            this.mail = mail;
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
        return set(new Alarm(after, message, action, null, null, false));
    }

    /** Has a message sent to an actor, even if this one has stopped by then. */
    Cancellable send(Duration after, ActorName target, Object mail, Object message) {
        return set(new Alarm(after, message, null, target, mail, false));
    }

    /** Has a message sent to an actor again and again; to this one, as long as it has not stopped. */
    Cancellable sendAgain(Duration first, Duration again, ActorName target, Object mail, Object message) {
        boolean isItself = target.equals(actor.self());
        return new Repeated(first, again, (after, action) -> set(new Alarm(after, message, action, null, null, !isItself)), () -> {
            if (isItself) {
                actor.deliverToSelf(mail);
            } else {
                actor.tell(target, mail);
            }
        });
    }

    /** Has a task run, outside of a message. */
    Cancellable task(Duration after, Runnable task) {
        return task(after, "task", task);
    }

    /** Has a task run of which people see a text. */
    Cancellable task(Duration after, String shown, Runnable task) {
        return set(new Alarm(after, shown, task, null, null, true));
    }

    /** Has a task run again and again. */
    Cancellable tasks(Duration first, Duration again, Runnable task) {
        return new Repeated(first, again, this::task, task);
    }

    /** One that is set again each time that it rings. */
    private static final class Repeated implements Cancellable {
        private final Duration again;
        private final BiFunction<Duration, Runnable, Cancellable> set;
        private final Runnable action;
        private Cancellable next;

        Repeated(Duration first, Duration again, BiFunction<Duration, Runnable, Cancellable> set, Runnable action) {
            this.again = again;
            this.set = set;
            this.action = action;
            next = set.apply(first, this::run);
        }

        private void run() {
            next = set.apply(again, this::run);
            action.run();
        }

        @Override
        public boolean cancel() {
            return next.cancel();
        }

        @Override
        public boolean isCancelled() {
            return next.isCancelled();
        }
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
        } else if (alarm.target.equals(actor.self())) {
            actor.deliverToSelf(alarm.mail);
        } else {
            actor.tell(alarm.target, alarm.mail);
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
            if (alarm.target != null && !alarm.target.equals(actor.self())) {
                actor.tell(actor.services().system(), new Mail.Scheduled(alarm.target, alarm.mail, alarm.after));
            }
        }
    }
}
