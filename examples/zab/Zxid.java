package zab;

/**
 * The identifier of a transaction: the epoch of the leader that broadcast it, and its number within
 * that epoch, from 1. Zxids are ordered by epoch first.
 */
public record Zxid(int epoch, int counter) implements Comparable<Zxid> {
    /** Before the first transaction. */
    static final Zxid NONE = new Zxid(0, 0);

    /** The identifier that follows this one when the epoch is {@code current}. */
    Zxid next(int current) {
        return new Zxid(current, epoch == current ? counter + 1 : 1);
    }

    @Override
    public int compareTo(Zxid o) {
        return epoch != o.epoch ? Integer.compare(epoch, o.epoch) : Integer.compare(counter, o.counter);
    }

    @Override
    public String toString() {
        return epoch + "." + counter;
    }
}
