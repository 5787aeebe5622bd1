package promises;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.Done;
import org.apache.pekko.persistence.state.DurableStateStoreProvider;
import org.apache.pekko.persistence.state.javadsl.DurableStateStore;
import org.apache.pekko.persistence.state.scaladsl.DurableStateUpdateStore;
import org.apache.pekko.persistence.state.scaladsl.GetObjectResult;
import scala.Option;
import scala.concurrent.Future;

/** Durable states in memory, for {@link RealRuns}. */
public final class RealStates implements DurableStateStoreProvider, DurableStateUpdateStore<Object> {
    private final Map<String, GetObjectResult<Object>> stored = new ConcurrentHashMap<>();

    @Override
    public org.apache.pekko.persistence.state.scaladsl.DurableStateStore<Object> scaladslDurableStateStore() {
        return this;
    }

    @Override
    public DurableStateStore<Object> javadslDurableStateStore() {
        return null;
    }

    @Override
    public Future<GetObjectResult<Object>> getObject(String id) {
        return Future.successful(stored.getOrDefault(id, new GetObjectResult<>(Option.empty(), 0)));
    }

    @Override
    public Future<Done> upsertObject(String id, long revision, Object value, String tag) {
        stored.put(id, new GetObjectResult<>(Option.apply(value), revision));
        return Future.successful(Done.getInstance());
    }

    @Override
    public Future<Done> deleteObject(String id, long revision) {
        return upsertObject(id, revision, null, "");
    }

    @Override
    @Deprecated
    public Future<Done> deleteObject(String id) {
        return deleteObject(id, 0);
    }
}
