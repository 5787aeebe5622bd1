package promises;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;

/**
 * What the reference documentation of Pekko's typed actors promises of a few actors, in terms of what a witness is told of them.
 *
 * @param name what the check and the page call it
 * @param actors the first of the actors, which creates the others
 * @param outcomes what the witness may have been told when nothing happens any more, with blanks between the texts
 */
record Promise(String name, Function<ActorRef<String>, Behavior<?>> actors, Set<String> outcomes) {
    /** One of which the texts of each outcome are in any order, but for those of one actor, which are between bars. */
    static Promise of(String name, Function<ActorRef<String>, Behavior<?>> actors, String... outcomes) {
        Set<String> all = new TreeSet<>();
        for (String outcome : outcomes) {
            List<List<String>> parts = Stream.of(outcome.split(" \\| ")).map(part -> List.of(part.split(" "))).toList();
            interleave(parts, "", all);
        }
        return new Promise(name, actors, all);
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
        return Stream.of(Lifecycle.PROMISES, Supervision.PROMISES, Interaction.PROMISES, Persistence.PROMISES).flatMap(List::stream).toList();
    }
}
