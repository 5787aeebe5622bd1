package harrier.host;

import java.time.Instant;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What stands behind a {@link harrier.Scenario}: while it is set up, the actors and messages it makes;
 * while a property is evaluated, the states it reads. A method that does not fit the moment fails with
 * {@link IllegalStateException}.
 *
 * @param <N> names of actors
 * @param <A> actors
 * @param <M> messages in flight
 * @param <H> histories
 */
public interface Stage<N, A, M, H> {
    /** Adds an actor under a name and starts it. */
    default N create(String role, String name, A actor) {
        throw refusal("create", "create actors");
    }

    /** Adds a first message. */
    default void send(N to, Object message) {
        throw refusal("send", "send messages");
    }

    /** A number below {@code n}, each of which makes another first state. */
    default int choose(int n) {
        throw refusal("choose", "choose first states");
    }

    /** Adds what the scenario says about the network and about crashes. */
    default void declare(Declaration declaration) {
        throw new IllegalStateException("network(), faults(), components() and names() work in setUp() only");
    }

    /** Has the durations of timers count. */
    default void timersInOrder() {
        throw new IllegalStateException("timers() works in setUp() only");
    }

    /** Bounds how often timers of an actor fire. */
    default void timersAtMost(int most) {
        throw new IllegalStateException("timers() works in setUp() only");
    }

    /** Sets the time that clocks show first. */
    default void clocksStartAt(Instant instant) {
        throw new IllegalStateException("clock() works in setUp() only");
    }

    /** Has time go on. */
    default void time(TimeBounds bounds) {
        throw new IllegalStateException("clocks() and network() work in setUp() only");
    }

    /** Sets the specification with respect to which operations are linearizable. */
    default void linearizable(Class<?> specification) {
        throw new IllegalStateException("linearizable() works in setUp() only");
    }

    /** Sets the specification with respect to which operations are regular, and which of them read. */
    default void regular(Class<?> specification, Class<?> read) {
        throw new IllegalStateException("regular() works in setUp() only");
    }

    /** The states of the actors of a class, ordered by name, each read when the stream reaches it. */
    default <T extends A> Stream<T> actors(Class<T> type) {
        throw refusal("actors", "read actors");
    }

    /** The state of one actor. */
    default <T extends A> T actor(N name, Class<T> type) {
        throw refusal("actor", "read actors");
    }

    /** What code gives that reads the static fields of a process. */
    default <T> T in(N process, Supplier<T> read) {
        throw refusal("in", "read a process");
    }

    /** The messages that are not consumed. */
    default Stream<M> inFlight() {
        throw refusal("inFlight", "call inFlight()");
    }

    /** Reports whether an actor is down after a crash. */
    default boolean isDown(N actor) {
        throw refusal("isDown", "call isDown()");
    }

    /** The last states of the actors of a class that have stopped, ordered by name. */
    default <T extends A> Stream<T> stopped(Class<T> type) {
        throw refusal("stopped", "call stopped()");
    }

    /** The history of the actors' operations. */
    default H history() {
        throw refusal("history", "call history()");
    }

    /**
     * The error of a method that does not fit the moment.
     *
     * @param does what it is for
     */
    default IllegalStateException refusal(String method, String does) {
        return new IllegalStateException(method + " does not work here");
    }
}
