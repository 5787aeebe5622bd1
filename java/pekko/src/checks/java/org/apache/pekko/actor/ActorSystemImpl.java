package org.apache.pekko.actor;

/** The library's class of this name, in checks: what the library's code for actors calls of a system. */
public abstract class ActorSystemImpl extends ExtendedActorSystem {
    public boolean aborting() {
        return false;
    }
}
