package harrier.pekko;

import harrier.ActorName;
import java.util.Collection;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.pekko.actor.ActorIdentity;
import org.apache.pekko.actor.ActorPathExtractor$;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSelection;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.Identify;
import org.apache.pekko.actor.RelativeActorPath$;
import org.apache.pekko.util.Helpers;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.Iterable;
import scala.collection.immutable.Seq;

/** Leads messages along paths: from the root to the actors of the scenario, and from an actor to its parent and children. */
final class Selections {
    private static final String UP = "..";

    private Selections() {}

    /** The selection of a path that begins at an actor, or at the root. */
    static ActorSelection of(ActorRef from, String path) {
        Option<Seq<String>> relative = RelativeActorPath$.MODULE$.unapply(path);
        if (relative.isDefined()) {
            Seq<String> elements = relative.get();
            return ActorSelection.apply(elements.isEmpty() ? ClassicSystem.ONLY.deadLetters() : elements.head().isEmpty() ? root() : from, elements);
        }
        Option<Tuple2<Address, Iterable<String>>> full = ActorPathExtractor$.MODULE$.unapply(path);
        if (full.isEmpty() || !full.get()._1().equals(NamePath.ROOT.address())) {
            throw LocalSystem.unsupported("an actor at another address, " + path + ",");
        }
        return ActorSelection.apply(root(), full.get()._2());
    }

    /** The root, for which the system stands in. */
    static ClassicRef root() {
        return new ClassicRef(LocalSystem.actor().services().system());
    }

    /**
     * Sends a message on its way that has come to an actor, to those who are one step further.
     *
     * @param parent null if the scenario created the actor
     * @param children those that are known now
     */
    static void lead(Mail.Select m, ActorName parent, Collection<ActorName> children, LibraryActor actor) {
        if (m.path().isEmpty()) {
            actor.tell(actor.self(), new Mail.Tell(m.message(), m.sender()));
            return;
        }
        ActorName system = actor.services().system();
        BiConsumer<ActorName, Object> tell = (to, mail) ->
            actor.tell(mail instanceof Mail.Select ? system : to, mail instanceof Mail.Select ? new Mail.PassOn(to, mail) : mail);
        if (!isUp(m)) {
            lead(m, matching(first(m), children), tell);
        } else if (parent != null) {
            lead(m, List.of(parent), tell);
        } else {
            actor.tell(system, new Mail.Select(rest(m), true, m.fansOut(), m.message(), m.sender()));
        }
    }

    /** Sends a message on its way that has come to the root, or to what is above the actors of the scenario. */
    static void lead(Mail.Select m, Collection<ActorName> actors, BiConsumer<ActorName, Object> tell) {
        if (m.path().isEmpty() || !m.isUser() && rest(m).isEmpty() && matches(first(m), NamePath.USER)) {
            throw LocalSystem.unsupported("the actor at the root, or /user,");
        }
        List<String> rest = rest(m);
        if (m.isUser() && !isUp(m)) {
            lead(m, matching(first(m), actors), tell);
        } else if (m.isUser()) {
            lead(new Mail.Select(rest, false, m.fansOut(), m.message(), m.sender()), actors, tell);
        } else if (matches(first(m), NamePath.USER)) {
            lead(new Mail.Select(rest, true, m.fansOut(), m.message(), m.sender()), actors, tell);
        } else {
            lead(m, List.of(), tell);
        }
    }

    /** Sends a message on to actors, or has it lost if there are none. */
    private static void lead(Mail.Select m, List<ActorName> next, BiConsumer<ActorName, Object> tell) {
        List<String> rest = rest(m);
        for (ActorName to : next) {
            tell.accept(to, rest.isEmpty() ? new Mail.Tell(m.message(), m.sender())
                : new Mail.Select(rest, false, m.fansOut() || next.size() > 1, m.message(), m.sender()));
        }
        if (next.isEmpty() && !m.fansOut() && m.message() instanceof Identify identify && m.sender() != null) {
            ActorIdentity nobody = new ActorIdentity(identify.messageId(), Option.empty());
            ClassicRef sender = ClassicRef.of(m.sender());
            tell.accept(sender.name(), sender.mail(nobody, null, null) instanceof Mail.To part ? part : new Mail.Tell(nobody, null));
        }
    }

    private static String first(Mail.Select m) {
        return m.path().get(0);
    }

    private static List<String> rest(Mail.Select m) {
        return List.copyOf(m.path().subList(1, m.path().size()));
    }

    private static boolean isUp(Mail.Select m) {
        return first(m).equals(UP);
    }

    private static List<ActorName> matching(String element, Collection<ActorName> actors) {
        return actors.stream().filter(a -> matches(element, new NamePath(a, null).name())).toList();
    }

    private static boolean matches(String element, String name) {
        return element.contains("*") || element.contains("?") ? Helpers.makePattern(element).matcher(name).matches() : element.equals(name);
    }
}
