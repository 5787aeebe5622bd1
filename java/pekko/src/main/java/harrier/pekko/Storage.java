package harrier.pekko;

import harrier.ActorName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.pekko.persistence.typed.internal.JournalFailureException;
import org.apache.pekko.persistence.typed.state.internal.DurableStateStoreException;

/** What an actor has stored, which survives its crashes, and what it is about to store. */
class Storage {
    /** By persistence id: those of the actor, and those of its children that have stopped. */
    private final Map<String, Journal> journals = new TreeMap<>();
    /** What the actor has asked for and does not know to be done. In a crash each may be done or not. */
    private final List<Request> pending = new ArrayList<>();
    /** How many requests there were. A notice that comes late, after a crash or a restart, is of none that is pending. */
    private int made;
    /** How often the actor had started when it recovered last. */
    private int start;

    /**
     * Makes a change, and gives the behavior the answers.
     *
     * @param change null if it is about nothing that is stored
     */
    private record Request(int number, String id, UnaryOperator<Journal> change, List<Object> answers) {}

    private Storage(Map<String, Journal> inherited) {
        journals.putAll(inherited);
    }

    /** Of a program with persistence; counterexamples do not show that of others. */
    private static final class Shown extends Storage {
        Shown(Map<String, Journal> inherited) {
            super(inherited);
        }

        /** What counterexamples show. */
        public Object shown() {
            return journals();
        }
    }

    /** With what is stored of earlier children. */
    static Storage of(Map<String, Journal> inherited) {
        return LocalSystem.Configuration.HAS_PERSISTENCE ? new Shown(inherited) : new Storage(inherited);
    }

    Journal journal(String id) {
        return journals.getOrDefault(id, Journal.EMPTY);
    }

    Map<String, Journal> journals() {
        return new TreeMap<>(journals);
    }

    /** Reports whether something is the failure of a recovery, or of a write. */
    static boolean isFailure(Throwable cause) {
        return LocalSystem.Configuration.HAS_PERSISTENCE && (cause instanceof JournalFailureException || cause instanceof DurableStateStoreException);
    }

    /** Takes over what another actor stored that has stopped. */
    void inherit(Map<String, Journal> others) {
        others.forEach((id, journal) -> journals.merge(id, journal, (a, b) -> a.highest() >= b.highest() ? a : b));
    }

    /** Asks for a change. The actor gets a notice when it is done. */
    void ask(TypedActor<?> actor, Object shown, String id, UnaryOperator<Journal> change, List<Object> answers) {
        actor.tell(actor.self(), request(shown, id, change, answers));
    }

    /** Asks for a change during which the behavior goes on: what the actor tells itself afterwards may come before the notice. */
    void askAside(TypedActor<?> actor, Object shown, String id, UnaryOperator<Journal> change, Object answer) {
        actor.tell(actor.services().system(), new Mail.PassOn(actor.self(), request(shown, id, change, List.of(answer))));
    }

    private Mail.Stored request(Object shown, String id, UnaryOperator<Journal> change, List<Object> answers) {
        pending.add(new Request(++made, id, change, answers));
        return new Mail.Stored(made, shown);
    }

    /** The actor recovers: after a crash what was pending may have been done or not, and otherwise all is done before. */
    void recover(TypedActor<?> actor, Object answer) {
        boolean isAfterCrash = start > 0 && start != actor.starts();
        start = actor.starts();
        pending.removeIf(r -> r.change() == null || isAfterCrash && actor.chooseOf(2) == 0);
        settle();
        actor.parts().forgetChanges();
        ask(actor, "recovery", "", null, List.of(answer));
    }

    /** A notice has come: what it is about is done. Returns what the behavior is to be answered. */
    List<Object> done(int number) {
        List<Request> due = pending.stream().filter(r -> r.number() == number).toList();
        pending.removeAll(due);
        due.forEach(this::make);
        return due.stream().flatMap(r -> r.answers().stream()).toList();
    }

    private void make(Request request) {
        if (request.change() != null) {
            journals.put(request.id(), request.change().apply(journal(request.id())));
        }
    }

    /** Does all that is pending: the actor stops, and takes no more notices. */
    void settle() {
        pending.forEach(this::make);
        pending.clear();
    }
}
