package register;

/** What a register does, as the specification of its operations. */
final class Content {
    private int value = Version.INITIAL.value();

    int apply(Read read) {
        return value;
    }

    Object apply(Write write) {
        value = write.value();
        return null;
    }
}
