package register;

/** What clients and base objects tell each other. */
final class Messages {
    private Messages() {}

    /** Asks a base object to store a version. */
    record Store(Version version) {}

    /** Tells the writer that a version arrived, and how many versions the base object retains. */
    record Stored(int timestamp, int retained) {}

    /** Asks a base object for its newest version. */
    record Fetch(int request) {}

    /** Answers a reader's request. */
    record Fetched(int request, Version version) {}

    /** Tells a client to begin its next operation. */
    record Begin() {}
}
