package harrier.runtime.codec.graph;

import java.util.Arrays;

/**
 * The numbered values of an encoding, by identity. Values are taken back in the opposite order in which
 * they were added, as key bytes need it.
 *
 * <p>This is no {@link java.util.IdentityHashMap}: an object that is asked for its identity hash code draws one, and of
 * the codes that the program's objects draw, {@code jdk.internal.util.IdentitySequence} knows the last ones of the thread
 * only. A plan's hash looks at some of the content instead, which does not change meanwhile.
 */
final class Numbers {
    /** Up to here a scan is faster than a table. */
    private static final int FEW = 16;

    private Object[] values = new Object[FEW];
    private Plan[] plans = new Plan[FEW];
    /** Of the values, once there is a table. */
    private int[] hashes;
    private int size;
    /** Open addressing: number + 1 at each occupied place; null while there are few. */
    private int[] table;

    int size() {
        return size;
    }

    /** The number of {@code value}, or -1. */
    int find(Object value, Plan plan) {
        if (table == null) {
            return scan(value);
        }
        return table[place(value, hash(value, plan))] - 1;
    }

    /** The number of {@code value}; if it had none, -1, and it has the next one from now on. */
    int findOrAdd(Object value, Plan plan) {
        if (table == null) {
            int number = scan(value);
            if (number < 0) {
                append(value, plan);
            }
            return number;
        }
        int hash = hash(value, plan);
        int p = place(value, hash);
        if (table[p] != 0) {
            return table[p] - 1;
        }
        append(value, plan);
        hashes[size - 1] = hash;
        if (size * 2 <= table.length) {
            table[p] = size;
        } else {
            tabulate(size);
        }
        return -1;
    }

    private int scan(Object value) {
        for (int i = size - 1; i >= 0; i--) {
            if (values[i] == value) {
                return i;
            }
        }
        return -1;
    }

    private void append(Object value, Plan plan) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
            plans = Arrays.copyOf(plans, size * 2);
            hashes = Arrays.copyOf(hashes == null ? new int[0] : hashes, size * 2);
        }
        values[size] = value;
        plans[size] = plan;
        size++;
        if (size > FEW && table == null) {
            tabulate(0);
        }
    }

    /** Makes a table of all values, of which some have a hash. */
    private void tabulate(int hashed) {
        for (int i = hashed; i < size; i++) {
            hashes[i] = hash(values[i], plans[i]);
        }
        table = new int[values.length * 4];
        // In the order of the numbers, so that the last ones can be taken back first.
        for (int i = 0; i < size; i++) {
            table[place(values[i], hashes[i])] = i + 1;
        }
    }

    /** The value with a number. */
    Object get(int n) {
        return values[n];
    }

    /** The values from a number on, with their plans. */
    Run from(int start) {
        return start == size
            ? Run.EMPTY
            : new Run(Arrays.copyOfRange(values, start, size), Arrays.copyOfRange(plans, start, size));
    }

    /** Takes back the values from a number on. */
    void truncate(int start) {
        while (size > start) {
            size--;
            if (table != null) {
                table[place(values[size], hashes[size])] = 0; // nothing that is still here was placed after it
            }
            values[size] = null;
        }
    }

    /** Adds all of {@code run} in its order, unless one of them has a number; reports whether it did. */
    boolean addAll(Run run) {
        for (int i = 0; i < run.values.length; i++) {
            if (find(run.values[i], run.plans[i]) >= 0) {
                return false;
            }
        }
        for (int i = 0; i < run.values.length; i++) {
            findOrAdd(run.values[i], run.plans[i]);
        }
        return true;
    }

    private static int hash(Object value, Plan plan) {
        int h = plan.hash(value) * 0x9e3779b9;
        return h ^ h >>> 15;
    }

    /** Where a value is in the table, or is to be. */
    private int place(Object value, int hash) {
        int p = hash & table.length - 1;
        while (table[p] != 0 && values[table[p] - 1] != value) {
            p = p + 1 & table.length - 1;
        }
        return p;
    }

    /** Some values that were numbered one after the other. */
    static final class Run {
        static final Run EMPTY = new Run(new Object[0], new Plan[0]);

        private final Object[] values;
        private final Plan[] plans;

        private Run(Object[] values, Plan[] plans) {
            this.values = values;
            this.plans = plans;
        }

        int size() {
            return values.length;
        }
    }
}
