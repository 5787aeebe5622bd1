package byzantinegenerals;

import byzantinegenerals.Messages.Begin;
import byzantinegenerals.Messages.Order;
import byzantinegenerals.Messages.Relay;
import harrier.ActorName;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The Byzantine generals with oral messages and one traitor: algorithm OM(1) of Lamport, Shostak and Pease, "The
 * Byzantine Generals Problem" (TOPLAS 1982). The commander sends an order to all lieutenants, each relays what it got to
 * the others, and all loyal ones follow the majority of what they have heard: of the order and the relays.
 *
 * <p>The traitor may be any of the generals: the commander, or the last lieutenant, as lieutenants are symmetric. It sends
 * any orders and relays, contradictory ones too, at any time, but not more than OM(1) has it send. It cannot write in
 * another one's name, and what it says in the wrong role is not listened to.
 *
 * <p>The algorithm goes by rounds, and takes a message that is missing at the end of a round for an order to retreat.
 * Here there are no rounds: a lieutenant waits until it has one message from each other general. That loses no decision.
 * What counts in OM(1) is one value from each general, and which ones a lieutenant has does not depend on when they
 * arrive. A traitor that is silent towards a lieutenant in OM(1) is one that sends it a retreat here; one that is silent
 * here leaves lieutenants undecided, and of these the properties say nothing. A second message from the traitor
 * to the same lieutenant only gives that one a choice of which to listen to, which is the traitor's choice anyway.
 *
 * <p>Expected: verified, also with {@code --set traitor=commander}; violated with {@code --set generals=3}.
 */
public final class ByzantineGenerals extends Scenario {
    @Parameter("how many generals there are, one of them a traitor")
    int generals = 4;

    @Parameter("who the traitor is: commander, lieutenant or nobody")
    String traitor = "lieutenant";

    @Override
    protected void setUp() {
        ActorName commander = create("commander", new Commander());
        List<ActorName> lieutenants = create("lieutenant", generals - 1, i -> new Lieutenant(commander, generals - 2));
        send(commander, new Begin(lieutenants));
        List<Object> lies = List.of(new Order(true, lieutenants), new Order(false, lieutenants), new Relay(true), new Relay(false));
        switch (traitor) {
            case "commander" -> faults().byzantine(generals - 1, lies, "commander");
            case "lieutenant" -> faults().byzantine(generals - 2, lies, "lieutenant" + (generals - 1));
            case "nobody" -> { }
            default -> throw new IllegalArgumentException("traitor: commander, lieutenant or nobody, not " + traitor);
        }
    }

    @Invariant("IC1: loyal lieutenants that have decided do the same")
    boolean agreement() {
        return decisions().distinct().count() <= 1;
    }

    @Invariant("IC2: a lieutenant that has decided obeys a loyal commander")
    boolean obedience() {
        return actors(Commander.class).allMatch(c -> decisions().allMatch(d -> d.equals(c.attack())));
    }

    private Stream<Boolean> decisions() {
        return actors(Lieutenant.class).map(Lieutenant::attacks).filter(Objects::nonNull);
    }
}
