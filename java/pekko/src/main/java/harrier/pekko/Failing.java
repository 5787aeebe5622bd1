package harrier.pekko;

import scala.util.control.NonFatal;

/** Rethrows exceptions. */
final class Failing {
    private Failing() {}

    /** An exception, as one that need not be declared: code of the library and of programs in Scala throws any. */
    static RuntimeException unchecked(Throwable e) {
        throw Failing.<RuntimeException>as(e);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E as(Throwable e) throws E {
        throw (E) e;
    }

    /** Throws on what no supervisor handles, and what harrier refuses. */
    static void requireNonFatal(Throwable e) {
        if (!NonFatal.apply(e) || e.getClass().getName().startsWith("harrier.")) {
            throw unchecked(e);
        }
    }
}
