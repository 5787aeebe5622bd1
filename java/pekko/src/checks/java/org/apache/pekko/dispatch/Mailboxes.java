package org.apache.pekko.dispatch;

/** The library's class of this name, in checks: stashes are unbounded, as they are unless a mailbox is configured. */
public final class Mailboxes {
    public int stashCapacity(String dispatcher, String mailbox) {
        return -1;
    }
}
