package org.apache.pekko.actor.dungeon;

import org.apache.pekko.dispatch.Mailbox;

/** The library's class of this name, in checks: an actor has a mailbox. */
public interface Dispatch {
    Mailbox mailbox();

    static Mailbox mailbox$(Dispatch of) {
        return of.mailbox();
    }
}
