package harrier.runtime.codec.graph;

import harrier.runtime.origin.AddedNames;

/** How the values of one class are written and read. Made once for each class. */
public abstract class Plan {
    public final Class<?> type;
    final boolean isArray;
    private final int seed;

    public Plan(Class<?> type) {
        this.type = type;
        isArray = type.isArray();
        seed = type.getName().hashCode();
    }

    /** Writes a value of the class, tag included. */
    public abstract void write(Encoder e, Object value);

    /** Reads the bytes after the tag and the name of the class. */
    public abstract Object read(Decoder d, int tag);

    /** Reports whether a value comes back as one object wherever it was one. Others are compared by content alone. */
    protected boolean keepsIdentity() {
        return true;
    }

    /** Reports whether code that has a value can change it, other than the objects that it refers to. */
    protected boolean canChange() {
        return true;
    }

    /** Reports whether a value can change in content that is not written. */
    protected boolean omits() {
        return false;
    }

    /** A hash that tells values apart where that is cheap, and that ignores identity. */
    protected int hash(Object value) {
        return seed;
    }

    /** Fails unless {@code tag} is the one that this plan writes. */
    protected final void expect(Decoder d, int tag, int expected) {
        if (tag != expected) {
            throw d.in.bad("tag " + Integer.toHexString(tag) + " for " + type.getName());
        }
    }

    /** A class whose values cannot be captured. */
    public static class Refused extends Plan {
        private final String mend;

        public Refused(Class<?> type, String mend) {
            super(type);
            this.mend = mend;
        }

        @Override
        public void write(Encoder e, Object value) {
            throw e.refuse(type, mend);
        }

        @Override
        public Object read(Decoder d, int tag) {
            throw d.in.bad("a " + type.getName() + " cannot be captured");
        }
    }

    /** A scenario, which inner classes and lambdas refer to when they use what it has. */
    public static final class RefusedScenario extends Refused {
        public RefusedScenario(Class<?> type) {
            super(type, "make the class that refers to the scenario static, and hand it what it needs");
        }

        @Override
        public void write(Encoder e, Object value) {
            if (e.path().text().matches("(.*\\.)?" + AddedNames.CAPTURED + "\\d+")) {
                throw e.refuse(type, "the lambda uses a field or a method of the scenario: have it use a local variable that holds"
                    + " what it needs");
            }
            super.write(e, value);
        }
    }
}
