package promises;

import static promises.Lifecycle.echo;
import static promises.Lifecycle.told;
import static promises.Lifecycle.watching;

import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.PreRestart;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.StashOverflowException;

/** What happens to actors that fail, and to what they had: timers and stashed messages. */
final class Supervision {
    static final List<Promise> PROMISES = List.of(
        Promise.of("without a supervisor who fails stops", w -> telling(Lifecycle.failing(w), "1", "stop", "2"), "1 stop PostStop"),
        Promise.of("resume keeps the state, and goes on with the next message", w -> telling(
            Behaviors.supervise(counter(w)).onFailure(SupervisorStrategy.resume()), "1", "fail", "2"), "1:1 2:2"),
        Promise.of("restart begins anew, with PreRestart and without PostStop", w -> telling(
            Behaviors.supervise(counter(w)).onFailure(SupervisorStrategy.restart()), "1", "fail", "2"), "1:1 PreRestart 2:1"),
        Promise.of("a supervisor takes the exceptions of its class", w -> telling(Behaviors.supervise(Behaviors.supervise(counter(w))
            .onFailure(IllegalArgumentException.class, SupervisorStrategy.resume())).onFailure(SupervisorStrategy.restart()),
            "1", "fail", "2"), "1:1 PreRestart 2:1"),
        Promise.of("the inner supervisor goes first", w -> telling(Behaviors.supervise(Behaviors.supervise(counter(w))
            .onFailure(IllegalStateException.class, SupervisorStrategy.resume())).onFailure(SupervisorStrategy.restart()),
            "1", "fail", "2"), "1:1 2:2"),
        Promise.of("stop has the parent see ChildFailed", w -> watching(w,
            Behaviors.supervise(Lifecycle.failing(w)).onFailure(SupervisorStrategy.stop()), (c, t) ->
                told(w, t instanceof ChildFailed f ? f.getCause().getMessage() : "Terminated")), "stop PostStop | failed"),
        Promise.of("after so many restarts who fails again stops", w -> telling(Behaviors.supervise(counter(w))
            .onFailure(SupervisorStrategy.restart().withLimit(1, Duration.ofHours(1))), "fail", "1", "fail", "2"), "PreRestart 1:1 PostStop"),
        Promise.of("children are stopped before a restart", w -> telling(Behaviors.supervise(parent(w))
            .onFailure(SupervisorStrategy.restart()), "fail", "1"), "setup,0 PreRestart setup,0 1 | child"),
        Promise.of("children stay if they are to", w -> telling(Behaviors.supervise(parent(w))
            .onFailure(SupervisorStrategy.restart().withStopChildren(false)), "fail", "1"), "setup,0 PreRestart setup,1 1"),
        Promise.of("who restarts with backoff takes messages after that", w -> telling(Behaviors.supervise(counter(w))
            .onFailure(SupervisorStrategy.restartWithBackoff(Duration.ofMillis(1), Duration.ofMillis(1), 0)), "1", "fail", "2"),
            "1:1 PreRestart 2:1"),
        Promise.of("who restarts with backoff keeps as many messages as it is told", w -> telling(Behaviors.supervise(counter(w))
            .onFailure(SupervisorStrategy.restartWithBackoff(Duration.ofMillis(1), Duration.ofMillis(1), 0).withStashCapacity(1)),
            "fail", "1", "2"), "PreRestart 1:1", "PreRestart 1:1 2:2"),
        Promise.of("supervision stays as behaviors change", w -> telling(Behaviors.supervise(changing(w, "a"))
            .onFailure(SupervisorStrategy.restart()), "b", "fail", "c"), "a:b PreRestart a:c"),
        Promise.of("stashed messages keep their order, before later ones", w -> telling(Behaviors.withStash(10, stash ->
            Behaviors.receiveMessage(m -> {
                if (m.equals("go")) {
                    return stash.unstashAll(echo(w));
                }
                stash.stash(m);
                return Behaviors.same();
            })), "1", "2", "go", "3"), "1 2 3"),
        Promise.of("unstash takes as many as it is told", w -> telling(Behaviors.withStash(10, stash -> Behaviors.receiveMessage(m -> {
            if (m.equals("go")) {
                return stash.unstash(Behaviors.receiveMessage(n -> told(w, n + "," + stash.size())), 2, n -> n + "!");
            }
            stash.stash(m);
            return Behaviors.same();
        })), "1", "2", "3", "go", "4"), "1!,2 2!,1 4,1"),
        Promise.of("a full stash takes no more", w -> telling(Behaviors.withStash(1, stash -> Behaviors.receiveMessage(m -> {
            try {
                stash.stash(m);
            } catch (StashOverflowException e) {
                w.tell("full," + stash.isFull());
            }
            return Behaviors.same();
        })), "1", "2"), "full,true"),
        Promise.of("who stops while it unstashes drops the rest", w -> telling(Behaviors.withStash(10, stash -> Behaviors.receiveMessage(m -> {
            if (m.equals("go")) {
                return stash.unstashAll(Lifecycle.stopping(w));
            }
            stash.stash(m);
            return Behaviors.same();
        })), "1", "stop", "2", "go", "3"), "1 stop"), // PostStop is of the behavior that unstashed
        Promise.of("who fails while it unstashes has its parent told why", w -> watching(w, Behaviors.supervise(Behaviors.<String>withStash(10,
            stash -> Behaviors.receiveMessage(m -> {
                stash.stash(m);
                return stash.unstashAll(Lifecycle.failing(w));
            }))).onFailure(SupervisorStrategy.stop()), (c, t) ->
                told(w, t instanceof ChildFailed f ? f.getCause().getMessage() : "Terminated")), "stop PostStop | failed"),
        Promise.of("a timer fires once", w -> Behaviors.<String>withTimers(t -> {
            t.startSingleTimer("key", "tick", Duration.ofMillis(1));
            return Behaviors.receiveMessage(m -> told(w, m + "," + t.isTimerActive("key")));
        }), "tick,false"),
        Promise.of("a timer replaces the one with its key", w -> Behaviors.<String>withTimers(t -> {
            t.startSingleTimer("key", "1", Duration.ofMillis(1));
            t.startSingleTimer("key", "2", Duration.ofMillis(1));
            return echo(w);
        }), "2"),
        Promise.of("timers with different keys are different", w -> Behaviors.<String>withTimers(t -> {
            t.startSingleTimer("a", "1", Duration.ofMillis(1));
            t.startSingleTimer("b", "2", Duration.ofMillis(1));
            return echo(w);
        }), "1 2", "2 1"),
        Promise.of("a cancelled timer does not fire", w -> Behaviors.<String>setup(c -> Behaviors.withTimers(t -> {
            t.startSingleTimer("key", "tick", Duration.ofMillis(1));
            c.getSelf().tell("cancel");
            return Behaviors.receiveMessage(m -> {
                t.cancel("key");
                return told(w, m);
            });
        })), "cancel", "tick cancel"),
        Promise.of("a periodic timer fires until it is cancelled", w -> Behaviors.<String>withTimers(t -> {
            t.startTimerWithFixedDelay("key", "tick", Duration.ofMillis(1));
            return ticking(w, () -> t.cancel("key"), 1);
        }), "tick1 tick2"),
        Promise.of("a restart cancels timers", w -> telling(Behaviors.supervise(Behaviors.<String>withTimers(t ->
            Behaviors.receive(String.class).onMessageEquals("fail", () -> {
                t.startSingleTimer("key", "tick", Duration.ofMillis(1));
                throw new IllegalStateException("failed");
            }).onAnyMessage(m -> told(w, m)).build())).onFailure(SupervisorStrategy.restart()), "fail", "1"), "1"));

    private Supervision() {}

    /** An actor that creates another one and tells it something. */
    private static Behavior<String> telling(Behavior<String> child, String... messages) {
        return Behaviors.setup(c -> {
            ActorRef<String> ref = c.spawn(child, "child");
            for (String message : messages) {
                ref.tell(message);
            }
            return Behaviors.empty();
        });
    }

    /** Tells each message with the number of it; {@code fail} has it fail. */
    private static Behavior<String> counter(ActorRef<String> witness) {
        return Behaviors.setup(c -> {
            int[] count = {0};
            return Behaviors.receive(String.class).onMessageEquals("fail", () -> {
                throw new IllegalStateException("failed");
            }).onAnyMessage(m -> told(witness, m + ":" + ++count[0])).onSignal(PreRestart.class, s -> told(witness, "PreRestart"))
                .onSignal(PostStop.class, s -> told(witness, "PostStop")).build();
        });
    }

    private static Behavior<String> parent(ActorRef<String> witness) {
        return Behaviors.setup(c -> {
            witness.tell("setup," + c.getChildren().size());
            c.spawnAnonymous(Behaviors.receive(String.class).onSignal(PostStop.class, s -> told(witness, "child")).build());
            return Behaviors.receive(String.class).onMessageEquals("fail", () -> {
                throw new IllegalStateException("failed");
            }).onAnyMessage(m -> told(witness, m)).onSignal(PreRestart.class, s -> told(witness, "PreRestart")).build();
        });
    }

    private static Behavior<String> changing(ActorRef<String> witness, String state) {
        return Behaviors.receive(String.class).onMessageEquals("fail", () -> {
            throw new IllegalStateException("failed");
        }).onAnyMessage(m -> {
            witness.tell(state + ":" + m);
            return changing(witness, m);
        }).onSignal(PreRestart.class, s -> told(witness, "PreRestart")).build();
    }

    private static Behavior<String> ticking(ActorRef<String> witness, Runnable cancel, int count) {
        return Behaviors.receiveMessage(m -> {
            witness.tell(m + count);
            if (count == 2) {
                cancel.run();
            }
            return ticking(witness, cancel, count + 1);
        });
    }
}
