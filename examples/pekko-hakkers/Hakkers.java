package hakkers;

import harrier.Invariant;
import harrier.Parameter;
import harrier.pekko.PekkoScenario;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The dining hakkers of Pekko's samples, as its typed actors: org.apache.pekko:pekko-actor-typed_2.13, unmodified.
 * {@code make libraries} fetches it; then:
 *
 * <pre>{@code
 * harrier check examples/pekko-hakkers --classpath 'examples/pekko-hakkers/lib/*'
 * }</pre>
 *
 * <p>Expected: verified; violated with {@code --set givesBoth=true}, as a fork believes who puts it back.
 */
public final class Hakkers extends PekkoScenario {
    @Parameter int hakkers = 2;
    @Parameter("whether a hakker that gets one fork only gives back both")
    boolean givesBoth = false;

    private List<ActorRef<Hakker.Command>> table;

    @Override protected void setUp() {
        List<ActorRef<Fork.Command>> forks = spawn("fork", hakkers, i -> Fork.create());
        table = spawn("hakker", hakkers, i -> Hakker.create(forks.get(i), forks.get((i + 1) % hakkers), givesBoth));
    }

    @Invariant("neighbours do not eat at the same time")
    boolean forksAreExclusive() {
        return IntStream.range(0, hakkers).noneMatch(i -> isIn(table.get(i), "eating") && isIn(table.get((i + 1) % hakkers), "eating"));
    }
}
