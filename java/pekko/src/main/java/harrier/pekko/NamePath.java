package harrier.pekko;

import harrier.ActorName;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.RootActorPath;
import scala.collection.immutable.Iterable;

/**
 * The path of an actor: its name, which alone says which paths are equal. An actor that the scenario spawns is below {@code /user}; the
 * number behind the name of a child tells it from earlier ones of that name, and is no part of it.
 *
 * @param part what messages are for within the actor: a message adapter or a question of its own; null for the actor itself
 */
record NamePath(ActorName actor, String part) implements ActorPath {
    static final RootActorPath ROOT = new RootActorPath(Address.apply("pekko", LocalSystem.NAME), "/");

    /** The element of a path that the actors of the scenario are below. */
    static final String USER = "user";

    /** The name of the actor that stands in for the root. */
    static final String SYSTEM = "system";

    /** Before names of children that begin with neither a letter nor the {@code $} of those without a name. */
    private static final String MARK = "$$";

    /** The role of a child with a name. */
    static String role(String name) {
        return (Character.isLetter(name.charAt(0)) || name.charAt(0) == '$' ? name : MARK + name) + "#";
    }

    /** The path as the library has it, without the numbers of children. */
    ActorPath plain() {
        String name = actor.toString();
        if (name.equals(SYSTEM)) {
            return ROOT;
        }
        ActorPath path = ROOT.child(USER);
        for (String element : name.split("/")) {
            path = path.child(unmarked(element).replaceAll("#.*", ""));
        }
        return part == null ? path : path.child("$" + part);
    }

    private static String unmarked(String text) {
        return text.replace(MARK, "");
    }

    @Override
    public Address address() {
        return ROOT.address();
    }

    @Override
    public String name() {
        return plain().name();
    }

    @Override
    public ActorPath parent() {
        return plain().parent();
    }

    @Override
    public ActorPath $div(String child) {
        return plain().child(child);
    }

    @Override
    public Iterable<String> elements() {
        return plain().elements();
    }

    @Override
    public RootActorPath root() {
        return ROOT;
    }

    /** Always the same, as it is the hash code of a reference, which must not depend on the name. */
    @Override
    public int uid() {
        return 0;
    }

    /** Always the same, too: that of a reference to a classic actor. */
    @Override
    public int hashCode() {
        return 0;
    }

    @Override
    public ActorPath withUid(int uid) {
        return this;
    }

    @Override
    public int compareTo(ActorPath other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return "/user/" + unmarked(actor.toString()) + (part == null ? "" : "/$" + part);
    }

    @Override
    public String toStringWithoutAddress() {
        return plain().toStringWithoutAddress();
    }

    @Override
    public String toStringWithAddress(Address address) {
        return address + toString();
    }

    @Override
    public String toSerializationFormat() {
        return ROOT.address() + toString();
    }

    @Override
    public String toSerializationFormatWithAddress(Address address) {
        return toStringWithAddress(address);
    }
}
