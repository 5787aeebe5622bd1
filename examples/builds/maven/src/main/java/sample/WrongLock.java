package sample;

import harrier.ActorName;

/** A server that forgets who has the lock when a second client asks. Expected: violated. */
public final class WrongLock extends Lock {
    static final class WrongServer extends Server {
        @Override boolean mayGrant(ActorName client) {
            return !client.equals(holder);
        }
    }

    @Override Server server() {
        return new WrongServer();
    }
}
