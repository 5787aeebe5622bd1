package everything;

import harrier.Actor;
import harrier.ActorName;
import harrier.DurableStore;
import harrier.Handler;
import harrier.Invariant;
import harrier.Scenario;

/** An office that crashes between what it sends and what it writes. Expected: violated. */
public final class Halfway extends Scenario {
    record Ask() {}

    record Ticket(int number) {}

    static final class Office extends Actor {
        private final DurableStore<Integer> last = new DurableStore<>(0);

        @Handler void on(Ask ask) {
            int number = last.read() + 1;
            create("clerk", new Clerk(self()));
            reply(new Ticket(number));
            last.write(number);
        }

        @Handler void on(Ticket ticket) {}
    }

    static final class Clerk extends Actor {
        private final ActorName office;

        Clerk(ActorName office) {
            this.office = office;
        }

        @Override protected void start() {
            send(office, new Ticket(0));
        }
    }

    static final class Guest extends Actor {
        private final ActorName office;
        private int number;

        Guest(ActorName office) {
            this.office = office;
        }

        @Override protected void start() {
            send(office, new Ask());
        }

        @Handler void on(Ticket ticket) {
            number = ticket.number();
        }
    }

    @Override protected void setUp() {
        var office = create("office", new Office());
        create("guest", 2, i -> new Guest(office));
        faults().crashes(1, "office").withinHandlers();
    }

    @Invariant("no two guests have one number")
    boolean isFair() {
        return actors(Guest.class).filter(g -> g.number > 0).map(g -> g.number).distinct().count()
            == actors(Guest.class).filter(g -> g.number > 0).count();
    }
}
