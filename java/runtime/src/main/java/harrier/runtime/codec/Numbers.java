package harrier.runtime.codec;

import java.util.Arrays;

/**
 * The numbered values of an encoding, by identity. Values are taken back in the opposite order in which
 * they were added, as key bytes need it.
 *
 * <p>This is no {@link java.util.IdentityHashMap} because the VM may run with identity hash codes that
 * are all the same. A plan's hash looks at some of the content instead, which does not change meanwhile.
 */
final class Numbers {
    /** Up to here a scan is faster than a table. */
    private static final int FEW = 16;

    private Object[] values = new Object[FEW];
    private Plan[] plans = new Plan[FEW];
    private int size;
    /** Open addressing: number + 1 at each occupied place; null while there are few. */
    private int[] table;

    int size() {
        return size;
    }

    /** The number of {@code value}, or -1. */
    int find(Object value, Plan plan) {
        if (table == null) {
            for (int i = size - 1; i >= 0; i--) {
                if (values[i] == value) {
                    return i;
                }
            }
            return -1;
        }
        for (int p = place(value, plan); table[p] != 0; p = p + 1 & table.length - 1) {
            if (values[table[p] - 1] == value) {
                return table[p] - 1;
            }
        }
        return -1;
    }

    void add(Object value, Plan plan) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
            plans = Arrays.copyOf(plans, size * 2);
        }
        values[size] = value;
        plans[size] = plan;
        size++;
        if (table != null && size * 2 <= table.length) {
            enter(size - 1);
        } else if (size > FEW) {
            table = new int[values.length * 4];
            // In the order of the numbers, so that the last ones can be taken back first.
            for (int i = 0; i < size; i++) {
                enter(i);
            }
        }
    }

    /** The number here of a value that has number {@code n} there, or -1. */
    int findAs(Numbers others, int n) {
        return find(others.values[n], others.plans[n]);
    }

    /** Adds a value that has number {@code n} there. */
    void addAs(Numbers others, int n) {
        add(others.values[n], others.plans[n]);
    }

    /** Whether a value has a number here and there. */
    boolean meets(Numbers others) {
        for (int i = 0; i < size; i++) {
            if (others.find(values[i], plans[i]) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** The same values, found by what they hold now. */
    Numbers again() {
        Numbers numbers = new Numbers();
        for (int i = 0; i < size; i++) {
            numbers.add(values[i], plans[i]);
        }
        return numbers;
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
                int p = place(values[size], plans[size]);
                while (table[p] != size + 1) {
                    p = p + 1 & table.length - 1;
                }
                table[p] = 0; // nothing that is still here was placed after it
            }
            values[size] = null;
        }
    }

    /** Adds all of {@code run} in its order, unless one of them has a number. Says whether it did. */
    boolean addAll(Run run) {
        for (int i = 0; i < run.values.length; i++) {
            if (find(run.values[i], run.plans[i]) >= 0) {
                return false;
            }
        }
        for (int i = 0; i < run.values.length; i++) {
            add(run.values[i], run.plans[i]);
        }
        return true;
    }

    private void enter(int number) {
        int p = place(values[number], plans[number]);
        while (table[p] != 0) {
            p = p + 1 & table.length - 1;
        }
        table[p] = number + 1;
    }

    private int place(Object value, Plan plan) {
        int h = plan.hash(value) * 0x9e3779b9;
        return (h ^ h >>> 15) & table.length - 1;
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
    }
}
