package harrier.runtime.actor;

import harrier.host.Declaration;
import harrier.runtime.failure.UsageException;
import harrier.runtime.wire.EventKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** The Byzantine actors of a scenario, and the messages that they may send. */
final class Adversaries {
    private final String where;
    private final Map<String, ActorClass> initial;
    private final SortedSet<String> names = new TreeSet<>();

    /**
     * Nobody yet.
     *
     * @param initial the classes of the actors that the scenario creates
     */
    Adversaries(String where, Map<String, ActorClass> initial) {
        this.where = where;
        this.initial = initial;
    }

    /** Takes in more. */
    void add(SortedSet<String> more) {
        names.addAll(more);
        if (initial.keySet().stream().allMatch(this::has)) {
            throw new UsageException(where + ": byzantine(" + String.join(", ", names)
                + ") leaves no other actor: name those only that are adversaries");
        }
    }

    /** Reports whether an actor is one, or was created by one. */
    boolean has(String name) {
        return names.contains(name) || name.contains("/") && names.contains(name.substring(0, name.indexOf('/')));
    }

    /** What some of them may do, after all were added. */
    Fault fault(Declaration d, List<Content> messages, SortedSet<String> some) {
        return new Fault(EventKind.BYZANTINE, new Scope(false, List.copyOf(some)), Scope.ALL, true, false, false, d.budget(),
            "Byzantine sends of " + String.join(", ", d.whom()), messages == null ? null : domain(messages, some));
    }

    /** Each message from each of them to each actor that handles its type. */
    private List<Envelope> domain(List<Content> messages, SortedSet<String> senders) {
        List<Envelope> domain = new ArrayList<>();
        for (String sender : senders) {
            for (Content message : messages) {
                for (String receiver : receivers(message)) {
                    domain.add(new Envelope(sender, receiver, message.payload()));
                }
            }
        }
        return domain.stream().distinct().toList();
    }

    private List<String> receivers(Content message) {
        List<String> found = initial.keySet().stream()
            .filter(name -> !has(name) && !initial.get(name).handlersFor(message.type()).isEmpty()).toList();
        if (found.isEmpty()) {
            String type = message.type().getSimpleName();
            throw new UsageException(where + ": byzantine(..) declares a message " + type
                + ", but no other actor has a handler"
                + " for it: add \"@Handler void on(" + type + " m)\" to the class of one, or leave the message out");
        }
        return found;
    }

    /**
     * A message that is declared as one that they may send.
     *
     * @param payload its content, encoded when it was declared
     */
    record Content(Class<?> type, byte[] payload) {}
}
