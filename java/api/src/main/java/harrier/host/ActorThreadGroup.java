package harrier.host;

/** A group of threads of an actor, in place of the JDK's. It has a name, and nobody asks what else. */
public class ActorThreadGroup extends ThreadGroup implements ThreadState {
    final String title;

    public ActorThreadGroup(String name) {
        this(null, name);
    }

    @SuppressWarnings("removal")
    public ActorThreadGroup(ThreadGroup parent, String name) {
        super(name);
        title = name;
        destroy(); // the virtual machine's keeps no track of it
    }
}
