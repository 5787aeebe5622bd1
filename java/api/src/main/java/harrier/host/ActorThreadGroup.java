package harrier.host;

/** A group of threads of an actor, in place of the JDK's. Only its name counts: methods that ask for its threads are refused. */
public class ActorThreadGroup extends ThreadGroup implements ThreadState {
    final String title;

    public ActorThreadGroup(String name) {
        this(null, name);
    }

    @SuppressWarnings("removal")
    public ActorThreadGroup(ThreadGroup parent, String name) {
        super(name);
        title = name;
        destroy(); // so that the virtual machine's parent group does not keep it
    }
}
