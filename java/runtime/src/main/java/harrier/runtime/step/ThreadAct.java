package harrier.runtime.step;

import harrier.Actor;
import harrier.Hosting;
import harrier.ProcessActor;
import harrier.host.ActorThread;
import harrier.host.Agenda;
import harrier.host.MainThread;
import harrier.host.Mailbox;
import harrier.host.Threads;
import harrier.runtime.actor.ActorClass;
import harrier.runtime.actor.ActorClass.HandlerMethod;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A thread of an actor goes on, to where it ends or waits again. */
final class ThreadAct extends Act {
    /** The number of the thread among those that were started; -1 is that of handlers. */
    private final int index;
    private final boolean isTimeOut;
    private final String thread;

    private ThreadAct(ActorThread thread, Agenda agenda, boolean isTimeOut) {
        super(label(thread) + number(thread, agenda) + (isTimeOut ? " times out" : ""), Outcome.NOTHING);
        index = agenda.threads.indexOf(thread);
        this.isTimeOut = isTimeOut;
        this.thread = index < 0 ? "" : name(thread) + number(thread, agenda);
    }

    /** A thread goes on that can. */
    static Act resumes(ActorThread thread, Agenda agenda) {
        return new ThreadAct(thread, agenda, false);
    }

    /** A thread has waited as long as it may. */
    static Act timesOut(ActorThread thread, Agenda agenda) {
        return new ThreadAct(thread, agenda, true);
    }

    /**
     * Tells threads of one name apart, or those that have none, by the order in which they were started. What a thread that
     * can go on is called so stays the same from some time on as long as it does not, which fairness rests on.
     */
    private static String number(ActorThread thread, Agenda agenda) {
        int number = 0;
        for (ActorThread t : agenda.threads) {
            number += Objects.equals(t.title(), thread.title()) ? 1 : 0;
            if (t == thread) {
                return number > 1 ? " (" + number + ")" : "";
            }
        }
        return "";
    }

    /** What people call a thread, or what waits in the middle. */
    static String label(ActorThread thread) {
        if (thread instanceof Mailbox mailbox) {
            return mailbox.begun() + " goes on";
        }
        if (thread.task() != null) {
            return "task " + InternalEvents.label(thread.task());
        }
        return "thread " + name(thread);
    }

    private static String name(ActorThread thread) {
        return thread.title() == null ? InternalEvents.label(thread.body()) : thread.title();
    }

    @Override
    String thread() {
        return thread;
    }

    @Override
    boolean isOnMailbox() {
        return false;
    }

    @Override
    List<String> senders(Given given, List<String> ofConsumed) {
        return index < 0 ? given.agenda().mailbox.senders() : List.of();
    }

    @Override
    void run(Given given) throws Throwable {
        Agenda agenda = given.agenda();
        Actor actor = given.state().actor();
        ActorThread thread = index < 0 ? agenda.mailbox : agenda.threads.get(index);
        if (isTimeOut) {
            agenda.firings++;
            Threads.timeOut(agenda, thread);
            if (!agenda.isReady(thread)) {
                return; // it needs a lock that another one has
            }
        }
        if (thread instanceof Mailbox mailbox) {
            if (!Threads.run(actor, agenda, mailbox, () -> goOn(actor, mailbox))) {
                mailbox.end();
            }
        } else {
            Threads.goOn(actor, agenda, thread);
        }
        if (actor instanceof ProcessActor) {
            MainThread.exitIfDone(actor, agenda);
        }
    }

    /** Calls once more what waits in the middle. */
    private static void goOn(Actor actor, Mailbox mailbox) throws Throwable {
        String begun = mailbox.begun();
        ActorClass type = ActorClass.of(actor.getClass());
        if (mailbox.task() != null) {
            mailbox.task().run();
        } else if (begun.equals(MailboxRun.START)) {
            Hosting.start(actor);
        } else if (begun.equals(type.restartLabel())) {
            Hosting.restart(actor);
        } else {
            HandlerMethod handler = Stream.concat(type.handlers().stream(), type.internals().stream()).filter(h -> h.label().equals(begun))
                .findFirst().orElseThrow();
            Object nothing = null;
            handler.body().invokeExact(actor, nothing, nothing);
        }
    }
}
