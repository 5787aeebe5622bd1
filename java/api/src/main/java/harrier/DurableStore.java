package harrier;

import harrier.host.World;

/**
 * Holds one value as a disk does: a value is copied when it is written and when it is read. So
 * later changes in memory are not on disk until they are written. A field of an {@link Actor} that is declared
 * with this type survives crashes, as {@link Durable} fields do.
 *
 * <p>The store works wherever the actor's code runs, in constructors too. Guards and properties must only
 * read.
 *
 * @param <T> what it holds: values such as messages may have, without actors
 * @see <a href="{@docRoot}/guide.html#crashes">Guide: crashes</a>
 */
public final class DurableStore<T> {
    private T value;

    /** A store that holds nothing: {@link #read} gives null. */
    public DurableStore() {}

    /** A store that holds a copy of a value. */
    public DurableStore(T initial) {
        value = World.current().copy(initial);
    }

    /** A copy of the value written last. */
    public T read() {
        return World.current().copy(value);
    }

    /** Replaces what the store holds by a copy of a value, which may be null. */
    public void write(T newValue) {
        World world = World.current();
        world.writing(this);
        value = world.copy(newValue);
        world.written();
    }
}
