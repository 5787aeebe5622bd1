package harrier.pekko;

import harrier.ActorName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.ActorRef;

/** The messages and timers that the host adds to those of programs. */
final class Mail {
    private Mail() {}

    /** A message for a part of an actor: a message adapter, or the answer to a question. */
    record To(String part, Object message) {}

    /**
     * The result of a future, for the function that {@code pipeToSelf} was given with it.
     *
     * @param start how often the actor had started then
     */
    record Result(int start, int number, Object value, Throwable failure) {}

    /** A message for a classic actor, from another one than that which sends it; the sender is null if it has none. */
    record Tell(Object message, ActorRef sender) {}

    /** What the parent of a classic actor has it do when it, or another child, fails, or when it is to stop. */
    enum Command { SUSPEND, RESUME, RESTART, STOP }

    /**
     * Has a classic child do something. It is sent twice: once behind what the parent told before, and once past that; the first counts.
     *
     * @param cause the failure of the child itself that is dealt with; null if there is none
     */
    record Control(Command command, Throwable cause, boolean isPast) {}

    /**
     * A message for those that a path leads to from where this is sent.
     *
     * @param isUser whether the path begins above the actors of the scenario, at {@code /user}, if it is sent to the system
     * @param fansOut whether the path so far led to any number of actors
     */
    record Select(List<String> path, boolean isUser, boolean fansOut, Object message, ActorRef sender) {}

    /** Tells the parent of a classic actor why this fails. */
    record ChildFailed(ActorName child, Throwable cause) {}

    /** A timer, of whose message people see a text. */
    record Alarm(String shown, int number) {}

    /** Notice that something is stored, of which people see what. */
    record Stored(int number, Object what) {}

    /** What a child stored that stops. */
    record Inherited(Map<String, Journal> journals) {}

    /** Stops an actor, as its parent wants. */
    record Stop() {}

    /** Tells a parent why its child fails. */
    record Failed(Throwable cause) {}

    /** Tells a parent that its child has stopped, and what it stored. */
    record Gone(ActorName child, Map<String, Journal> journals) {}

    /** Has the system send something, which need not wait for what its sender sent there before. */
    record PassOn(ActorName to, Object mail) {}

    /** What an actor that stopped had scheduled for another one, to be sent after some time at the latest. */
    record Scheduled(ActorName target, Object mail, Duration within) {}

    /** The time has come for what was scheduled. */
    record Due(Scheduled what, int number) {}
}
