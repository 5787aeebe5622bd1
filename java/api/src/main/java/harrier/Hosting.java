package harrier;

import harrier.host.Agenda;
import harrier.host.Host;
import harrier.host.Stage;

/**
 * What the code that runs actors reaches of {@link Actor}, {@link Scenario} and {@link ActorName} beside their public methods. Programs
 * under check that refer to it are refused.
 */
public final class Hosting {
    private Hosting() {}

    /** Lets the actor's {@code send}, {@code create} and the like reach {@code host}; null ends it. */
    public static void bind(Actor actor, Host<ActorName, Actor> host) {
        actor.bind(host);
    }

    /** Lets the scenario's {@code create}, {@code actors} and the like reach {@code stage}. */
    public static void bind(Scenario scenario, Stage<ActorName, Actor, InFlight, History> stage) {
        scenario.bind(stage);
    }

    /** Calls {@code start()}. */
    public static void start(Actor actor) {
        actor.start();
    }

    /** Calls {@code onRestart()}. */
    public static void restart(Actor actor) {
        actor.onRestart();
    }

    /** What the actor is to do by itself; not to be changed, as it may be nobody's. */
    public static Agenda agenda(Actor actor) {
        return actor.agenda();
    }

    /** Gives the actor an agenda. */
    public static void agenda(Actor actor, Agenda agenda) {
        actor.agenda(agenda);
    }

    /** The actor's agenda for {@code method} to change; fails if what runs must only read. */
    public static Agenda changing(Actor actor, String method) {
        return actor.changing(method);
    }

    /** Calls {@code setUp()} and {@code endSetUp()}. */
    public static void setUp(Scenario scenario) {
        scenario.setUp();
        scenario.endSetUp();
    }

    /** Calls {@code expectFinal()}. */
    public static boolean expectFinal(Scenario scenario) {
        return scenario.expectFinal();
    }

    /** Calls {@code keeps()}. */
    public static boolean keeps(Scenario scenario, Operation operation, History history) {
        return scenario.keeps(operation, history);
    }

    /** The name with this text. */
    public static ActorName name(String text) {
        return ActorName.of(text);
    }

    /** The text of a name, which is no look of the program at it ({@link harrier.host.Looks}). */
    public static String text(ActorName name) {
        return name.text();
    }
}
