package hakkers;

import harrier.Invariant;
import harrier.Parameter;
import harrier.pekko.PekkoScenario;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorRef;
import scala.collection.immutable.Map;

/**
 * The dining hakkers of Pekko's samples in Scala (Hakker.scala), with its collections, case classes, partial functions and the Scala API.
 * {@code gradle scalaExample} compiles them; then:
 *
 * <pre>{@code
 * harrier check examples/pekko-scala --classpath 'examples/pekko-scala/lib/*'
 * }</pre>
 *
 * <p>Expected: verified; violated with {@code --set trusting=true}, as a hakker eats with a fork that is busy.
 */
public final class ScalaHakkers extends PekkoScenario {
    @Parameter int hakkers = 2;
    @Parameter("whether a hakker takes a fork that is busy for one that it has")
    boolean trusting = false;

    private List<ActorRef<Hakker.Command>> table;

    @Override protected void setUp() {
        List<ActorRef<Fork.Command>> forks = spawn("fork", hakkers, i -> Fork.apply());
        table = spawn("hakker", hakkers, i -> Hakker.apply(
            new Hakker.Place(new Map.Map2<>("left", forks.get(i), "right", forks.get((i + 1) % hakkers)), trusting)));
    }

    @Invariant("neighbours do not eat at the same time")
    boolean forksAreExclusive() {
        return IntStream.range(0, hakkers).noneMatch(i -> isIn(table.get(i), "eating") && isIn(table.get((i + 1) % hakkers), "eating"));
    }
}
