package hakkers;

import harrier.Invariant;
import harrier.Parameter;
import harrier.pekko.PekkoScenario;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;

/**
 * The dining hakkers of Pekko's samples, as its classic actors, with an FSM: org.apache.pekko:pekko-actor_2.13, unmodified.
 * {@code make libraries} fetches it; then:
 *
 * <pre>{@code
 * harrier check examples/pekko-classic-hakkers --classpath 'examples/pekko-hakkers/lib/*'
 * }</pre>
 *
 * <p>Expected: verified; violated with {@code --set givesBoth=true}, as a fork believes who puts it back.
 */
public final class Hakkers extends PekkoScenario {
    @Parameter int hakkers = 2;
    @Parameter("whether a hakker that gets one fork only gives back both")
    boolean givesBoth = false;

    private List<ActorRef> table;

    @Override protected void setUp() {
        List<ActorRef> forks = actorsOf("fork", hakkers, i -> Props.create(Fork.class));
        table = actorsOf("hakker", hakkers, i -> Props.create(Hakker.class, forks.get(i), forks.get((i + 1) % hakkers), givesBoth));
    }

    @Invariant("neighbours do not eat at the same time")
    boolean forksAreExclusive() {
        return IntStream.range(0, hakkers).noneMatch(i -> eats(table.get(i)) && eats(table.get((i + 1) % hakkers)));
    }

    private boolean eats(ActorRef hakker) {
        return state(hakker, Hakker.class).stateName() == Hakker.State.EATING;
    }
}
