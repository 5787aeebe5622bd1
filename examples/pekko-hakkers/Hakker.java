package hakkers;

import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** A hakker thinks, and eats with two forks. It asks for both forks at a time, and gives back the fork that it got if it does not get both. */
final class Hakker {
    sealed interface Command {}

    enum Tick implements Command { HUNGRY, FULL }

    private record Answered(Fork.Answer answer) implements Command {}

    private final TimerScheduler<Command> timers;
    private final ActorRef<Fork.Answer> self;
    private final ActorRef<Fork.Command> left;
    private final ActorRef<Fork.Command> right;
    /** Whether it gives back what it does not have: a mistake. */
    private final boolean givesBoth;

    private Hakker(ActorContext<Command> context, TimerScheduler<Command> timers, ActorRef<Fork.Command> left,
            ActorRef<Fork.Command> right, boolean givesBoth) {
        this.timers = timers;
        self = context.messageAdapter(Fork.Answer.class, Answered::new);
        this.left = left;
        this.right = right;
        this.givesBoth = givesBoth;
    }

    static Behavior<Command> create(ActorRef<Fork.Command> left, ActorRef<Fork.Command> right, boolean givesBoth) {
        return Behaviors.setup(context ->
            Behaviors.withTimers(timers -> new Hakker(context, timers, left, right, givesBoth).thinking()));
    }

    private Behavior<Command> thinking() {
        timers.startSingleTimer(Tick.HUNGRY, Duration.ofSeconds(3));
        return Behaviors.receive(Command.class).onMessageEquals(Tick.HUNGRY, () -> {
            left.tell(new Fork.Take(self));
            right.tell(new Fork.Take(self));
            return hungry();
        }).build();
    }

    private Behavior<Command> hungry() {
        return Behaviors.receive(Command.class)
            .onMessage(Answered.class, a -> a.answer instanceof Fork.Taken t ? waitingWith(t.fork()) : denied())
            .build();
    }

    private Behavior<Command> waitingWith(ActorRef<Fork.Command> fork) {
        return Behaviors.receive(Command.class).onMessage(Answered.class, a -> {
            if (a.answer instanceof Fork.Taken) {
                return eating();
            }
            fork.tell(new Fork.Put(self));
            if (givesBoth) {
                a.answer.fork().tell(new Fork.Put(self));
            }
            return thinking();
        }).build();
    }

    private Behavior<Command> denied() {
        return Behaviors.receive(Command.class).onMessage(Answered.class, a -> {
            if (a.answer instanceof Fork.Taken t) {
                t.fork().tell(new Fork.Put(self));
            }
            return thinking();
        }).build();
    }

    private Behavior<Command> eating() {
        timers.startSingleTimer(Tick.FULL, Duration.ofSeconds(3));
        return Behaviors.receive(Command.class).onMessageEquals(Tick.FULL, () -> {
            left.tell(new Fork.Put(self));
            right.tell(new Fork.Put(self));
            return thinking();
        }).build();
    }
}
