package harrier.vertx;

import harrier.ActorName;
import java.util.List;

/** The messages and timers of verticles and of the event bus. */
final class Mail {
    private Mail() {}

    /**
     * A message of the event bus.
     *
     * @param headers names and values in turn; null if there are none
     * @param isSend whether one handler gets it, rather than all
     * @param answer where an answer goes; null if none is expected
     */
    record Parcel(String address, Object body, List<String> headers, boolean isSend, Asker answer) {
        /** What counterexamples show of it. */
        public Object shown() {
            return headers == null ? new BusMessage(address, body) : new BusMessageWithHeaders(address, headers, body);
        }
    }

    /** What people see of a message. */
    record BusMessage(String address, Object body) {}

    /** The same, with headers. */
    record BusMessageWithHeaders(String address, List<String> headers, Object body) {}

    /** Who waits for an answer, at an address that is its own. */
    record Asker(ActorName actor, String address) {}

    /** A message of the event bus for one consumer of a verticle; number 0 stands for who waits for an answer. */
    record Delivery(int consumer, Parcel parcel) {
        /** What counterexamples show of it. */
        public Object shown() {
            return parcel.shown();
        }
    }

    /** Tells the bus of a consumer that a verticle has from now on. */
    record Registered(String address, int consumer) {}

    /** Tells the bus of a consumer that a verticle has no more. */
    record Unregistered(String address, int consumer) {}

    /** Has the bus send something, behind what was sent to the bus before. */
    record PassOn(ActorName to, Object mail) {
        /** What counterexamples show of it. */
        public Object shown() {
            return mail instanceof Delivery delivery ? delivery.shown() : mail;
        }
    }

    /** Tells the bus who uses a local map. */
    record Uses(String map) {}

    /** Starts a verticle, after everything that the deploying verticle did before it deployed this one. */
    record Start() {}

    /** Tells a verticle that one that it deployed has started, or why it has not. */
    record Started(ActorName child, Throwable failure) {}

    /** Undeploys a verticle. */
    record Undeploy() {}

    /** Tells a verticle that one that it deployed is gone, and what went wrong meanwhile. */
    record Undeployed(ActorName child, Throwable failure) {}

    /** Tells a verticle that one that it deployed stays deployed, as a child of that failed to stop. */
    record Stays(ActorName child, Throwable failure) {}

    /** A timer, by its id. */
    record Alarm(long id) {}

    /** The time-out of a question, by the number of the timer. */
    record TimeOut(long id) {}

    /** Code that was given to executeBlocking runs. */
    record Blocking(int number) {}
}
