package harrier.runtime.load.rewrite;

import harrier.runtime.wire.FieldNumber;

/**
 * Which instance fields the rewritten code of a program has read. Each loader of a program defines a class of its own
 * that holds the marks, so copies of a program that run at the same time keep their reads apart.
 */
public final class FieldReads {
    /** The name of the class with the marks. */
    public static final String HOLDER = "harrier.host.FieldReads";
    /** The field with the marks: an array of bytes, not 0 at the numbers of fields that were read. */
    public static final String MARKS = "MARKS";

    private FieldReads() {}

    /**
     * The number of a field, by the class that declares it; the same whatever else is loaded. Fields that share one
     * count as read together.
     */
    public static int number(String owner, String field) {
        int hash = 31 * owner.replace('/', '.').hashCode() + field.hashCode();
        return (hash ^ hash >>> 12 ^ hash >>> 24) & FieldNumber.ANY - 1;
    }

    /** The class file of the holder. */
    public static byte[] holder() {
        return Holder.of(HOLDER, MARKS, "[B", FieldNumber.ANY + 1);
    }
}
