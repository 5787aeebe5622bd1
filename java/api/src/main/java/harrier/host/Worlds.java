package harrier.host;

/** Which world each thread is in. */
final class Worlds {
    static final ThreadLocal<World> CURRENT = new ThreadLocal<>();

    private Worlds() {}
}
