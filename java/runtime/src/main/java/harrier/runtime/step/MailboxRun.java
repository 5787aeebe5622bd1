package harrier.runtime.step;

import harrier.Actor;
import harrier.Hosting;
import harrier.host.Agenda;
import harrier.host.Mailbox;
import harrier.host.Threads;
import harrier.host.Thrown;
import java.util.List;

/** Runs what the thread of an actor's handlers does, until it is through or waits. */
final class MailboxRun {
    /** The label of what an actor does when it starts. */
    static final String START = "start()";

    private MailboxRun() {}

    /**
     * Runs something from its beginning.
     *
     * @param label what the thread will be in the middle of if it waits
     * @param senders who sent the messages that it handles
     */
    static void of(Actor actor, String label, List<String> senders, Threads.Body body) {
        Agenda agenda = Hosting.changing(actor, "start");
        Mailbox mailbox = agenda.mailbox();
        try {
            if (Threads.run(actor, agenda, mailbox, body)) {
                mailbox.begin(label, List.copyOf(senders));
            }
        } catch (Throwable e) {
            throw Thrown.asItIs(e);
        }
    }
}
