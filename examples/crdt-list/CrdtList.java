package crdtlist;

import harrier.ActorName;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import harrier.Show;
import java.util.List;

/**
 * The replicated list of com.netopyr.wurmloch:wurmloch-crdt, unmodified: replicas that saw the same commands have the same list.
 * {@code make libraries} fetches it; then:
 *
 * <pre>{@code
 * harrier check examples/crdt-list --classpath 'examples/crdt-list/lib/*'
 * }</pre>
 *
 * <p>Expected: violated. Elements that were inserted at one place are ordered by their vector clocks, and
 * {@code StrictVectorClock.compareTo} orders two clocks by causality if it can and else by the names of their replicas. That is
 * not transitive: what replica3 inserts comes before what replica1 inserts after it, which comes before what replica2 inserts
 * at the same time, which comes before what replica3 inserted. So the list depends on the order in which commands arrive.
 */
@Show("com.netopyr.wurmloch.crdt.RGA=toString")
public final class CrdtList extends Scenario {
    @Parameter int replicas = 3;

    @Override protected void setUp() {
        List<ActorName> all = names("replica", replicas);
        create("replica", replicas, i -> new Replica("node" + i, all));
    }

    @Invariant("replicas that saw the same commands have the same list")
    boolean converges() {
        List<Replica> all = actors(Replica.class).toList();
        return all.stream().allMatch(a -> all.stream().allMatch(b -> !a.seen().equals(b.seen()) || a.elements().equals(b.elements())));
    }
}
