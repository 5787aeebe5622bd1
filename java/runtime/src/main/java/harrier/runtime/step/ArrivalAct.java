package harrier.runtime.step;

import harrier.host.Arrival;

/** An actor takes what a socket of another one has sent, whatever its threads do. */
final class ArrivalAct extends Act {
    ArrivalAct() {
        super("socket", Outcome.NOTHING);
    }

    private static Arrival arrival(Given given) {
        return (Arrival) given.consumed().message();
    }

    @Override
    boolean isOnMailbox() {
        return false;
    }

    @Override
    boolean isGuarded() {
        return true;
    }

    @Override
    boolean accepts(Given given) {
        return arrival(given).isTaken(given.agenda());
    }

    @Override
    void run(Given given) {
        arrival(given).arrive(given.state().actor(), given.agenda());
    }
}
