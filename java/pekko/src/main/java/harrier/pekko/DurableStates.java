package harrier.pekko;

import java.util.List;
import org.apache.pekko.Done;
import org.apache.pekko.persistence.state.DurableStateStoreProvider;
import org.apache.pekko.persistence.state.javadsl.DurableStateStore;
import org.apache.pekko.persistence.state.scaladsl.DurableStateUpdateStore;
import org.apache.pekko.persistence.state.scaladsl.GetObjectResult;
import scala.Option;
import scala.concurrent.Future;

/** The library's store of durable states, which the library makes by this name: what the actor that runs has stored. */
public final class DurableStates implements DurableStateStoreProvider, DurableStateUpdateStore<Object> {
    /** For the library. */
    public DurableStates() {}

    @Override
    public org.apache.pekko.persistence.state.scaladsl.DurableStateStore<Object> scaladslDurableStateStore() {
        return this;
    }

    @Override
    public DurableStateStore<Object> javadslDurableStateStore() {
        return null; // the library asks for both as it makes the store; behaviors use Scala's
    }

    @Override
    public Future<GetObjectResult<Object>> getObject(String id) {
        Journal journal = LocalSystem.typedActor().storage().journal(id);
        Object state = journal.snapshots().isEmpty() ? null : journal.snapshots().get(0).read();
        return Future.successful(new GetObjectResult<>(Option.apply(state), journal.highest()));
    }

    @Override
    public Future<Done> upsertObject(String id, long revision, Object value, String tag) {
        return change(value, id, revision, List.of(Journal.Snapshot.of(revision, value)));
    }

    @Override
    public Future<Done> deleteObject(String id, long revision) {
        return change("deletion", id, revision, List.of());
    }

    @Override
    @Deprecated
    public Future<Done> deleteObject(String id) {
        return deleteObject(id, 0);
    }

    private static Future<Done> change(Object shown, String id, long revision, List<Journal.Snapshot> states) {
        TypedActor<?> actor = LocalSystem.typedActor();
        actor.storage().ask(actor, shown, id, journal -> journal.changed(revision, states), List.of(new Changed()));
        return actor.parts().changing();
    }

    /** Stands for the notice that a change is done. */
    record Changed() {}
}
