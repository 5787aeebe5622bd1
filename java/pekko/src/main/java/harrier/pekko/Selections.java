package harrier.pekko;

import harrier.ActorName;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.pekko.actor.ActorIdentity;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSelection;
import org.apache.pekko.actor.Identify;
import org.apache.pekko.util.Helpers;
import scala.Option;

/** Leads messages along paths, from an actor to its parent and children. */
final class Selections {
    private Selections() {}

    /** The selection of a path that begins at an actor. */
    static ActorSelection of(ActorRef from, String path) {
        if (path.startsWith("/") || path.contains("://")) {
            throw throughTop(path);
        }
        return ActorSelection.apply(from, path);
    }

    private static AssertionError throughTop(String path) {
        return LocalSystem.unsupported("a path through /user, such as " + path + ": hand actors references to those that the scenario creates; what it needs");
    }

    /**
     * Sends a message on its way, to those who are one step further.
     *
     * @param parent null if the scenario created the actor
     * @param children those that are known now
     */
    static void lead(Mail.Select m, ActorName parent, Collection<ActorName> children, BiConsumer<ActorName, Object> tell) {
        String first = m.path().get(0);
        if (parent == null && first.equals("..")) {
            throw throughTop("..");
        }
        boolean isPattern = first.contains("*") || first.contains("?");
        List<ActorName> next = first.equals("..") ? List.of(parent) : children.stream().filter(c -> {
            String name = new NamePath(c, null).name();
            return isPattern ? Helpers.makePattern(first).matcher(name).matches() : first.equals(name);
        }).toList();
        List<String> rest = m.path().subList(1, m.path().size());
        for (ActorName to : next) {
            tell.accept(to, rest.isEmpty() ? new Mail.Tell(m.message(), m.sender())
                : new Mail.Select(List.copyOf(rest), m.fansOut() || next.size() > 1, m.message(), m.sender()));
        }
        if (next.isEmpty() && !m.fansOut() && m.message() instanceof Identify identify && m.sender() != null) {
            ActorIdentity nobody = new ActorIdentity(identify.messageId(), Option.empty());
            ClassicRef sender = ClassicRef.of(m.sender());
            tell.accept(sender.name(), sender.mail(nobody, null, null) instanceof Mail.To part ? part : new Mail.Tell(nobody, null));
        }
    }
}
