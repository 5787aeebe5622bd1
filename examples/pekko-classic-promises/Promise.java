package promises;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.pekko.actor.AbstractActor.Receive;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;

/**
 * What the reference documentation of Pekko's classic actors promises of a few actors, in terms of what a witness is told of them.
 *
 * @param actors the first of the actors, which creates the others
 * @param outcomes what the witness may have been told when nothing happens any more, with blanks between the texts
 */
record Promise(String name, Function<ActorRef, Props> actors, Set<String> outcomes) {
    /** What the first actor does when it starts, and with messages. */
    interface First {
        Receive start(Body actor, ActorRef witness);
    }

    /** One of which the texts of each outcome are in any order, but for those of one actor, which are between bars. */
    static Promise of(String name, First first, String... outcomes) {
        Set<String> all = new TreeSet<>();
        for (String outcome : outcomes) {
            interleave(Stream.of(outcome.split(" \\| ")).map(part -> List.of(part.split(" "))).toList(), "", all);
        }
        return new Promise(name, w -> Body.of(b -> first.start(b, w)), all);
    }

    /** One that Akka, of which this example is made as well, does not keep. */
    static Promise ofPekko(String name, First first, String... outcomes) {
        Promise promise = of(name, first, outcomes);
        boolean isKept = ActorRef.class.getName().startsWith("org.");
        return isKept ? promise : of(name, (b, w) -> b.nothing(), "");
    }

    private static void interleave(List<List<String>> parts, String before, Set<String> all) {
        if (parts.stream().allMatch(List::isEmpty)) {
            all.add(before.trim());
        }
        for (int i = 0; i < parts.size(); i++) {
            List<String> part = parts.get(i);
            if (!part.isEmpty()) {
                List<List<String>> rest = new ArrayList<>(parts);
                rest.set(i, part.subList(1, part.size()));
                interleave(rest, before + " " + part.get(0), all);
            }
        }
    }

    /** All of them. */
    static List<Promise> all() {
        return Stream.of(Lifecycle.PROMISES, Supervision.PROMISES, Interaction.PROMISES, Asking.PROMISES).flatMap(List::stream).toList();
    }
}
