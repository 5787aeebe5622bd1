package harrier.runtime.property;

import harrier.runtime.load.rewrite.FieldReads;
import harrier.runtime.wire.FieldNumber;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The numbers of the fields that a program reads from now on, as {@link FieldReads} notes them for one copy of the
 * program.
 */
final class FieldsRead {
    private static final byte[] NONE = new byte[FieldNumber.ANY + 1];

    private final byte[] marks;
    private final Set<Integer> read = new TreeSet<>();
    private final Set<Integer> hashed = new TreeSet<>();

    FieldsRead(byte[] marks) {
        this.marks = marks;
        Arrays.fill(marks, (byte) 0);
    }

    /** What decoding gives. The fields that it reads for the order of collections count apart. */
    <T> T decoding(Supplier<T> decoding) {
        take(read);
        T decoded = decoding.get();
        take(hashed);
        return decoded;
    }

    /** Runs code such that no field counts as read by it. */
    void aside(Runnable run) {
        take(read);
        Set<Integer> before = new TreeSet<>(read);
        Set<Integer> hashedBefore = new TreeSet<>(hashed);
        run.run();
        Arrays.fill(marks, (byte) 0);
        read.retainAll(before);
        hashed.retainAll(hashedBefore);
    }

    /** The fields that were read, but for those that only decoding read; ascending. */
    List<Integer> read() {
        take(read);
        return List.copyOf(read);
    }

    /** The other fields, which decoding read; ascending. */
    List<Integer> hashed() {
        hashed.removeAll(read);
        return List.copyOf(hashed);
    }

    private void take(Set<Integer> into) {
        for (int at = next(0); at >= 0; at = next(at + 1)) {
            into.add(at);
            marks[at] = 0;
        }
    }

    /** The first mark from an index on; -1 if there is none. */
    private int next(int from) {
        int at = Arrays.mismatch(marks, from, marks.length, NONE, from, NONE.length);
        return at < 0 ? -1 : from + at;
    }
}
