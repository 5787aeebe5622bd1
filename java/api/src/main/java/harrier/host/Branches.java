package harrier.host;

/**
 * Which way a conditional jump or a switch is about to go, as a number from 0 on. Rewritten code asks where coverage is marked; each
 * method stands for the instructions that compare so.
 */
public final class Branches {
    /** How many characters stand for one key of a switch: the two halves of the key, and the number of its branch. */
    public static final int KEY = 3;

    private Branches() {}

    public static int zero(int value) {
        return value == 0 ? 1 : 0;
    }

    public static int negative(int value) {
        return value < 0 ? 1 : 0;
    }

    public static int positive(int value) {
        return value > 0 ? 1 : 0;
    }

    public static int same(int one, int other) {
        return one == other ? 1 : 0;
    }

    public static int less(int one, int other) {
        return one < other ? 1 : 0;
    }

    public static int greater(int one, int other) {
        return one > other ? 1 : 0;
    }

    public static int same(Object one, Object other) {
        return one == other ? 1 : 0;
    }

    public static int none(Object value) {
        return value == null ? 1 : 0;
    }

    /**
     * The branch of a switch.
     *
     * @param keys those that do not lead to the default, ascending, {@link #KEY} characters each; the last character is the number
     *     of the default's branch
     */
    public static int of(int value, String keys) {
        int from = 0;
        int to = keys.length() / KEY;
        while (from < to) {
            int middle = (from + to) >>> 1;
            int key = keys.charAt(middle * KEY) << 16 | keys.charAt(middle * KEY + 1);
            if (key == value) {
                return keys.charAt(middle * KEY + 2);
            } else if (key < value) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return keys.charAt(keys.length() - 1);
    }
}
