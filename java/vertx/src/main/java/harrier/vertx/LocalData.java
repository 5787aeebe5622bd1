package harrier.vertx;

import io.vertx.core.Future;
import io.vertx.core.shareddata.AsyncMap;
import io.vertx.core.shareddata.Counter;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Lock;
import io.vertx.core.shareddata.SharedData;
import io.vertx.core.shareddata.impl.SharedDataImpl;

/** What verticles may share: local maps, each of which one of them alone uses. */
final class LocalData implements SharedData {
    private final VerticleActor verticle;
    /** The library's maps; null before the first is used. */
    private SharedData maps;

    LocalData(VerticleActor verticle) {
        this.verticle = verticle;
    }

    /** The library's map; the bus refuses it if another verticle uses it, too. */
    @Override
    public <K, V> LocalMap<K, V> getLocalMap(String name) {
        verticle.sendToBus(new Mail.Uses(name));
        if (maps == null) {
            maps = new SharedDataImpl(verticle.vertx(), null);
        }
        return maps.getLocalMap(name);
    }

    private static AssertionError unsupported(String what) {
        return LocalVertx.unsupported(what, "have a verticle keep that, and ask it by the event bus");
    }

    @Override
    public <K, V> Future<AsyncMap<K, V>> getClusterWideMap(String name) {
        throw unsupported("a map that verticles share");
    }

    @Override
    public <K, V> Future<AsyncMap<K, V>> getAsyncMap(String name) {
        throw unsupported("a map that verticles share");
    }

    @Override
    public <K, V> Future<AsyncMap<K, V>> getLocalAsyncMap(String name) {
        throw unsupported("a map that verticles share");
    }

    @Override
    public Future<Lock> getLock(String name) {
        throw unsupported("a lock");
    }

    @Override
    public Future<Lock> getLockWithTimeout(String name, long timeout) {
        throw unsupported("a lock");
    }

    @Override
    public Future<Lock> getLocalLock(String name) {
        throw unsupported("a lock");
    }

    @Override
    public Future<Lock> getLocalLockWithTimeout(String name, long timeout) {
        throw unsupported("a lock");
    }

    @Override
    public Future<Counter> getCounter(String name) {
        throw unsupported("a counter");
    }

    @Override
    public Future<Counter> getLocalCounter(String name) {
        throw unsupported("a counter");
    }
}
