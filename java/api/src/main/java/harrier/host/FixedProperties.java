package harrier.host;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Stands in for the properties of the system in steps, which must not change them, as all actors would see it. */
final class FixedProperties extends Properties {
    private static final long serialVersionUID = 1;

    FixedProperties(Properties all) {
        all.forEach(super::put);
    }

    private static Error refused() {
        return Hooks.control("System.getProperties").refused("changes the properties of the system",
            "all actors would see it: keep it in a field of the actor");
    }

    @Override
    public synchronized Object put(Object key, Object value) {
        throw refused();
    }

    @Override
    public synchronized void putAll(Map<?, ?> more) {
        throw refused();
    }

    @Override
    public synchronized Object putIfAbsent(Object key, Object value) {
        throw refused();
    }

    @Override
    public synchronized Object remove(Object key) {
        throw refused();
    }

    @Override
    public synchronized boolean remove(Object key, Object value) {
        throw refused();
    }

    @Override
    public synchronized Object replace(Object key, Object value) {
        throw refused();
    }

    @Override
    public synchronized boolean replace(Object key, Object before, Object value) {
        throw refused();
    }

    @Override
    public synchronized void replaceAll(BiFunction<? super Object, ? super Object, ?> function) {
        throw refused();
    }

    @Override
    public synchronized Object compute(Object key, BiFunction<? super Object, ? super Object, ?> function) {
        throw refused();
    }

    @Override
    public synchronized Object computeIfAbsent(Object key, Function<? super Object, ?> function) {
        throw refused();
    }

    @Override
    public synchronized Object computeIfPresent(Object key, BiFunction<? super Object, ? super Object, ?> function) {
        throw refused();
    }

    @Override
    public synchronized Object merge(Object key, Object value, BiFunction<? super Object, ? super Object, ?> function) {
        throw refused();
    }

    @Override
    public synchronized void clear() {
        throw refused();
    }

    @Override
    public Set<Object> keySet() {
        return Collections.unmodifiableSet(super.keySet());
    }

    @Override
    public Set<Map.Entry<Object, Object>> entrySet() {
        return Collections.unmodifiableSet(super.entrySet());
    }

    @Override
    public Collection<Object> values() {
        return Collections.unmodifiableCollection(super.values());
    }
}
