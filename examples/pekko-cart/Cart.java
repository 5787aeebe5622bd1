package cart;

import java.util.Set;
import java.util.TreeSet;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.Effect;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;

/** A shopping cart, whose state is what its events have made of it. Once it is checked out, nothing is added. */
final class Cart extends EventSourcedBehavior<Cart.Command, Cart.Event, Cart.State> {
    sealed interface Command {}

    record Add(String item, ActorRef<Answer> replyTo) implements Command {}

    record CheckOut(ActorRef<Answer> replyTo) implements Command {}

    sealed interface Answer {}

    record Accepted(Summary cart) implements Answer {}

    record Rejected(String why) implements Answer {}

    record Summary(Set<String> items, boolean isCheckedOut) {}

    sealed interface Event {}

    record Added(String item) implements Event {}

    record CheckedOut() implements Event {}

    record State(Set<String> items, boolean isCheckedOut) {
        Summary summary() {
            return new Summary(items, isCheckedOut);
        }

        State with(String item) {
            Set<String> all = new TreeSet<>(items);
            all.add(item);
            return new State(all, isCheckedOut);
        }
    }

    /** Whether it answers before the event is stored: a mistake. */
    private final boolean answersEarly;

    private Cart(String id, boolean answersEarly) {
        super(PersistenceId.ofUniqueId(id));
        this.answersEarly = answersEarly;
    }

    static Behavior<Command> create(String id, boolean answersEarly) {
        return new Cart(id, answersEarly);
    }

    @Override
    public State emptyState() {
        return new State(new TreeSet<>(), false);
    }

    @Override
    public CommandHandler<Command, Event, State> commandHandler() {
        var builder = newCommandHandlerBuilder();
        builder.forState(State::isCheckedOut).onCommand(Command.class, (state, command) -> {
            replyTo(command).tell(new Rejected("it is checked out"));
            return Effect().none();
        });
        builder.forState(state -> !state.isCheckedOut())
            .onCommand(Add.class, (state, add) -> persist(state, new Added(add.item()), add.replyTo()))
            .onCommand(CheckOut.class, (state, out) -> persist(state, new CheckedOut(), out.replyTo()));
        return builder.build();
    }

    private Effect<Event, State> persist(State state, Event event, ActorRef<Answer> replyTo) {
        if (answersEarly) {
            replyTo.tell(new Accepted(eventHandler().apply(state, event).summary()));
            return Effect().persist(event);
        }
        return Effect().persist(event).thenRun(stored -> replyTo.tell(new Accepted(stored.summary())));
    }

    private static ActorRef<Answer> replyTo(Command command) {
        return command instanceof Add add ? add.replyTo() : ((CheckOut) command).replyTo();
    }

    @Override
    public EventHandler<State, Event> eventHandler() {
        return newEventHandlerBuilder().forAnyState()
            .onEvent(Added.class, (state, added) -> state.with(added.item()))
            .onEvent(CheckedOut.class, (state, out) -> new State(state.items(), true))
            .build();
    }
}
