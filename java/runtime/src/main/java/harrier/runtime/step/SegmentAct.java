package harrier.runtime.step;

import harrier.host.Segment;
import harrier.host.Sockets;

/** An actor takes what another one has sent on a connection, whatever its threads do. */
final class SegmentAct extends Act {
    SegmentAct() {
        super("socket", Outcome.NOTHING);
    }

    private static Segment segment(Given given) {
        return (Segment) given.consumed().message();
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
        return Sockets.accepts(given.agenda(), segment(given));
    }

    @Override
    void run(Given given) {
        Sockets.receive(given.state().actor(), given.agenda(), segment(given));
    }
}
