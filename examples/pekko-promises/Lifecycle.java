package promises;

import java.util.List;
import java.util.function.BiFunction;
import org.apache.pekko.actor.InvalidActorNameException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** How actors start, stop and are watched. */
final class Lifecycle {
    static final List<Promise> PROMISES = List.of(
        Promise.of("setup runs once, before the first message", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> child = c.spawn(Behaviors.<String>setup(d -> {
                w.tell("setup");
                return echo(w);
            }), "child");
            child.tell("1");
            child.tell("2");
            return Behaviors.empty();
        }), "setup 1 2"),
        Promise.of("messages of one actor arrive in their order", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> child = c.spawn(echo(w), "child");
            List.of("1", "2", "3", "4").forEach(child::tell);
            return Behaviors.empty();
        }), "1 2 3 4"),
        Promise.of("messages of two actors arrive in any order", w -> Behaviors.<String>setup(c -> {
            c.spawn(teller(w, "a"), "a");
            c.spawn(teller(w, "b"), "b");
            return Behaviors.empty();
        }), "a | b"),
        Promise.of("who stops gets PostStop, and no more messages", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> child = c.spawn(stopping(w), "child");
            child.tell("stop");
            child.tell("late");
            return Behaviors.empty();
        }), "stop PostStop"),
        Promise.of("the callback of stopped comes after PostStop", w -> Behaviors.<String>setup(c -> {
            c.spawn(Behaviors.receive(String.class).onMessageEquals("stop", () -> Behaviors.stopped(() -> w.tell("callback")))
                .onSignal(PostStop.class, s -> told(w, "PostStop")).build(), "child").tell("stop");
            return Behaviors.empty();
        }), "PostStop callback"),
        Promise.of("children stop before their parent", w -> Behaviors.<String>setup(c -> {
            c.spawn(Behaviors.<String>setup(d -> {
                d.spawn(stopping(w, "child"), "child");
                return Behaviors.receive(String.class).onMessageEquals("stop", Behaviors::stopped)
                    .onSignal(PostStop.class, s -> told(w, "parent," + d.getChildren().size())).build();
            }), "parent").tell("stop");
            return Behaviors.empty();
        }), "parent,0 | child"),
        Promise.of("who is stopped by its parent ends the message at hand, and takes none that comes later", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> child = c.spawn(stopping(w), "child");
            child.tell("1");
            c.stop(child);
            child.tell("2");
            return Behaviors.empty();
        }), "1 PostStop", "PostStop"),
        Promise.of("only children can be stopped", w -> Behaviors.<String>setup(c -> {
            try {
                c.stop(c.getSelf());
            } catch (IllegalArgumentException e) {
                w.tell("refused");
            }
            return Behaviors.empty();
        }), "refused"),
        Promise.of("names of children are unique", w -> Behaviors.<String>setup(c -> {
            c.spawn(echo(w), "child");
            try {
                c.spawn(echo(w), "child");
            } catch (InvalidActorNameException e) {
                w.tell(e.getMessage());
            }
            return Behaviors.empty();
        }), "actor name [child] is not unique!"),
        Promise.of("names may begin with digits and other signs", w -> Behaviors.<String>setup(c -> {
            List.of("42", "-a", "_a", ".a").forEach(name -> w.tell(c.spawn(echo(w), name).path().name()));
            return Behaviors.empty();
        }), "42 -a _a .a"),
        Promise.of("who has stopped creates no children", w -> watching(w, Behaviors.<String>setup(c -> Behaviors.receive(String.class)
            .onMessageEquals("stop", Behaviors::stopped).onSignal(PostStop.class, s -> {
                try {
                    c.spawn(echo(w), "child");
                } catch (IllegalStateException e) {
                    w.tell("refused");
                }
                return Behaviors.same();
            }).build()), (c, t) -> Behaviors.same()), "refused"),
        Promise.of("a name is free again when its actor has terminated", w -> watching(w, stopping(w), (c, t) -> {
            c.spawn(echo(w), "child").tell("again");
            return Behaviors.same();
        }), "stop PostStop | again"),
        Promise.of("children are found by name until they have stopped", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> child = c.spawn(stopping(w), "child");
            w.tell(c.getChild("child").isPresent() + "," + c.getChild("other").isPresent() + "," + c.getChildren().size());
            c.watch(child);
            child.tell("stop");
            return Behaviors.receive(String.class).onSignal(Terminated.class, t -> told(w, "" + c.getChildren().size())).build();
        }), "true,false,1 0 | stop PostStop"),
        Promise.of("Terminated comes after the last message", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> self = c.getSelf();
            c.watch(c.spawn(Behaviors.<String>setup(d -> {
                self.tell("1");
                self.tell("2");
                return Behaviors.stopped();
            }), "child"));
            return Behaviors.receive(String.class).onAnyMessage(m -> told(w, m)).onSignal(Terminated.class, t -> told(w, "Terminated")).build();
        }), "1 2 Terminated"),
        Promise.of("a child may be gone before its last message is taken", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> self = c.getSelf();
            c.spawn(Behaviors.<String>setup(d -> {
                self.tell("last");
                return Behaviors.stopped();
            }), "child");
            return Behaviors.receiveMessage(m -> told(w, m + "," + c.getChildren().size()));
        }), "last,0", "last,1"),
        Promise.of("who fails as it starts has its parent told why", w -> Behaviors.<String>setup(c -> {
            c.watch(c.spawn(Behaviors.<String>setup(d -> {
                throw new IllegalStateException("failed");
            }), "child"));
            return Behaviors.receive(String.class).onSignal(ChildFailed.class, f -> told(w, f.getCause().getClass().getSimpleName() + ","
                + f.getCause().getCause().getMessage())).build();
        }), "ActorInitializationException,failed"),
        Promise.of("watchWith has a message come in place of the signal", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> child = c.spawn(stopping(w), "child");
            c.watchWith(child, "gone");
            child.tell("stop");
            return echo(w);
        }), "stop PostStop | gone"),
        Promise.of("watchWith of another message is refused", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> child = c.spawn(stopping(w), "child");
            c.watchWith(child, "1");
            c.watchWith(child, "1");
            try {
                c.watchWith(child, "2");
            } catch (IllegalStateException e) {
                w.tell("refused");
            }
            return echo(w);
        }), "refused"),
        Promise.of("after unwatch no Terminated comes", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> child = c.spawn(stopping(w), "child");
            c.watch(child);
            child.tell("stop");
            c.unwatch(child);
            return Behaviors.receive(String.class).onSignal(Terminated.class, t -> told(w, "Terminated")).build();
        }), "stop PostStop"),
        Promise.of("who watches an actor that has terminated is told at once", w -> watching(w, stopping(w), (c, t) -> {
            c.watch(t.getRef());
            return Behaviors.receive(String.class).onSignal(Terminated.class, again -> told(w, "again")).build();
        }), "stop PostStop | again"),
        Promise.of("ChildFailed has the cause", w -> watching(w, failing(w), (c, t) ->
            told(w, t instanceof ChildFailed f ? "ChildFailed," + f.getCause().getMessage() : "Terminated")), "stop PostStop | ChildFailed,failed"),
        Promise.of("who is no parent gets Terminated of an actor that fails", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> child = c.spawn(failing(w), "child");
            c.spawn(Behaviors.<String>setup(d -> {
                d.watch(child);
                return Behaviors.receive(String.class)
                    .onSignal(Terminated.class, t -> told(w, t instanceof ChildFailed ? "ChildFailed" : "Terminated")).build();
            }), "watcher");
            child.tell("stop");
            return Behaviors.empty();
        }), "stop PostStop | Terminated"),
        Promise.of("who does not handle Terminated fails", w -> watching(w, Behaviors.<String>setup(c -> {
            c.watch(c.spawn(Behaviors.<String>stopped(), "child"));
            return Behaviors.receive(String.class).onSignal(PostStop.class, s -> told(w, "PostStop")).build();
        }), (c, t) -> told(w, t instanceof ChildFailed f ? f.getCause().getClass().getSimpleName() : "Terminated")), "PostStop | DeathPactException"));

    private Lifecycle() {}

    static <T> Behavior<T> told(ActorRef<String> witness, String what) {
        witness.tell(what);
        return Behaviors.same();
    }

    /** Tells each message. */
    static Behavior<String> echo(ActorRef<String> witness) {
        return Behaviors.receiveMessage(m -> told(witness, m));
    }

    private static Behavior<String> teller(ActorRef<String> witness, String what) {
        return Behaviors.setup(c -> {
            witness.tell(what);
            return Behaviors.empty();
        });
    }

    /** Tells each message, and that it stops; {@code stop} stops it. */
    static Behavior<String> stopping(ActorRef<String> witness) {
        return stopping(witness, "PostStop");
    }

    private static Behavior<String> stopping(ActorRef<String> witness, String end) {
        return Behaviors.receive(String.class).onAnyMessage(m -> {
            witness.tell(m);
            return m.equals("stop") ? Behaviors.stopped() : Behaviors.same();
        }).onSignal(PostStop.class, s -> told(witness, end)).build();
    }

    /** Tells each message, and that it stops; {@code stop} has it fail. */
    static Behavior<String> failing(ActorRef<String> witness) {
        return Behaviors.receive(String.class).onAnyMessage(m -> {
            witness.tell(m);
            if (m.equals("stop")) {
                throw new IllegalStateException("failed");
            }
            return Behaviors.same();
        }).onSignal(PostStop.class, s -> told(witness, "PostStop")).build();
    }

    /** An actor that watches a child, tells it to stop, and does something when that has terminated. */
    static Behavior<String> watching(ActorRef<String> witness, Behavior<String> child,
            BiFunction<ActorContext<String>, Terminated, Behavior<String>> then) {
        return Behaviors.setup(c -> {
            ActorRef<String> ref = c.spawn(child, "child");
            c.watch(ref);
            ref.tell("stop");
            return Behaviors.receive(String.class).onSignal(Terminated.class, t -> then.apply(c, t)).build();
        });
    }
}
