package harrier.host;

import harrier.Actor;
import harrier.ActorName;
import harrier.History;
import harrier.Operation;
import harrier.Scenario;
import java.lang.invoke.MethodHandles;

/**
 * The door through which the code that runs actors reaches what is not public in {@link Actor},
 * {@link Scenario} and {@link ActorName}. Programs under check have no use for it.
 */
public final class Hosting {
    private static Access access;

    static {
        try {
            // Actor's static initializer installs the access.
            MethodHandles.lookup().ensureInitialized(Actor.class);
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private Hosting() {}

    /** What the door opens. */
    public interface Access {
        /** Lets the actor's {@code send}, {@code create} and the like reach {@code host}; null ends it. */
        void bind(Actor actor, Host host);

        /** Lets the scenario's {@code create}, {@code actors} and the like reach {@code stage}. */
        void bind(Scenario scenario, Stage stage);

        /** Calls {@code start()}. */
        void start(Actor actor);

        /** Calls {@code onRestart()}. */
        void restart(Actor actor);

        /** What the actor is to do by itself; not to be changed, as it may be nobody's. */
        Agenda agenda(Actor actor);

        /** Gives the actor an agenda. */
        void agenda(Actor actor, Agenda agenda);

        /** The actor's agenda for {@code method} to change; fails if what runs must only read. */
        Agenda changing(Actor actor, String method);

        /** Calls {@code setUp()}. */
        void setUp(Scenario scenario);

        /** Calls {@code expectFinal()}. */
        boolean expectFinal(Scenario scenario);

        /** Calls {@code keeps()}. */
        boolean keeps(Scenario scenario, Operation operation, History history);

        /** The name with this text. */
        ActorName name(String text);

        /** The text of a name, which is no look of the program at it ({@link Looks}). */
        String text(ActorName name);
    }

    /** Called once, by {@link Actor}. */
    public static void install(Access newAccess) {
        if (access != null) {
            throw new IllegalStateException("installed already");
        }
        access = newAccess;
    }

    /** The access itself. */
    public static Access access() {
        return access;
    }
}
