package promises;

import static promises.Lifecycle.echo;
import static promises.Lifecycle.told;
import static promises.Lifecycle.watching;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Routers;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;
import org.apache.pekko.pattern.StatusReply;

/** How actors talk to each other: questions, adapters, futures, and what stands between a message and a behavior. */
final class Interaction {
    private record Question(String text, ActorRef<String> replyTo) {}

    private record Task(String text, ActorRef<StatusReply<String>> replyTo) {}

    private static final Duration LONG = Duration.ofSeconds(3);

    static final List<Promise> PROMISES = List.of(
        Promise.of("the answer to a question, or its time-out, becomes a message", w -> Behaviors.<String>setup(c -> {
            ActorRef<Question> other = c.spawn(Behaviors.receiveMessage(q -> told(q.replyTo(), q.text() + "!")), "other");
            c.ask(String.class, other, LONG, ref -> new Question("hello", ref), (answer, failure) -> failure == null ? answer : "late");
            return echo(w);
        }), "hello!", "late"),
        Promise.of("a question that nobody answers times out", w -> Behaviors.<String>setup(c -> {
            ActorRef<Question> other = c.spawn(Behaviors.ignore(), "other");
            c.ask(String.class, other, Duration.ofMillis(1), ref -> new Question("hello", ref),
                (answer, failure) -> failure.getClass().getSimpleName());
            return echo(w);
        }), "TimeoutException"),
        Promise.of("only the first answer counts", w -> Behaviors.<String>setup(c -> {
            ActorRef<Question> other = c.spawn(Behaviors.receiveMessage(q -> {
                q.replyTo().tell("1");
                return told(q.replyTo(), "2");
            }), "other");
            c.ask(String.class, other, LONG, ref -> new Question("hello", ref), (answer, failure) -> failure == null ? answer : "late");
            return echo(w);
        }), "1", "late"),
        Promise.of("a question by AskPattern completes a future", w -> Behaviors.<String>setup(c -> {
            ActorRef<Question> other = c.spawn(Behaviors.receiveMessage(q -> told(q.replyTo(), q.text() + "!")), "other");
            c.pipeToSelf(AskPattern.<Question, String>ask(other, ref -> new Question("hello", ref), LONG, c.getSystem().scheduler()),
                (answer, failure) -> failure == null ? answer : failure.getClass().getSimpleName());
            return echo(w);
        }), "hello!", "TimeoutException"),
        Promise.of("a question by AskPattern that nobody answers times out", w -> Behaviors.<String>setup(c -> {
            ActorRef<Question> other = c.spawn(Behaviors.ignore(), "other");
            c.pipeToSelf(AskPattern.<Question, String>ask(other, ref -> new Question("hello", ref), Duration.ofMillis(1), c.getSystem().scheduler()),
                (answer, failure) -> failure == null ? answer : failure.getClass().getSimpleName());
            return echo(w);
        }), "TimeoutException"),
        Promise.of("a path finds an actor", w -> Behaviors.<String>setup(c -> {
            c.spawn(echo(w), "child");
            c.getSystem().classicSystem().actorSelection(c.getSelf().path().toStringWithoutAddress() + "/*").tell("1", null);
            return Behaviors.empty();
        }), "1"),
        Promise.of("one actor is resolved by its path, unless the time is over", w -> Behaviors.<String>setup(c -> {
            c.spawn(echo(w), "child");
            c.pipeToSelf(c.getSystem().classicSystem().actorSelection(c.getSelf().path().toStringWithoutAddress() + "/child").resolveOne(LONG),
                (ref, failure) -> failure == null ? ref.path().name() : failure.getClass().getSimpleName());
            return echo(w);
        }), "child", "ActorNotFound"),
        Promise.of("a status is the answer, or why there is none", w -> Behaviors.<String>setup(c -> {
            ActorRef<Task> other = c.spawn(Behaviors.receiveMessage(t -> {
                t.replyTo().tell(t.text().isEmpty() ? StatusReply.error("empty") : StatusReply.success(t.text() + "!"));
                return Behaviors.same();
            }), "other");
            c.askWithStatus(String.class, other, LONG, ref -> new Task("", ref), (answer, failure) ->
                failure instanceof StatusReply.ErrorMessage e ? e.getMessage() : "late");
            return echo(w);
        }), "empty", "late"),
        Promise.of("an adapter makes messages of those of others", w -> Behaviors.<String>setup(c -> {
            ActorRef<Integer> adapter = c.messageAdapter(Integer.class, n -> "number" + n);
            adapter.tell(1);
            adapter.tell(2);
            return echo(w);
        }), "number1 number2"),
        Promise.of("the last adapter for a class counts", w -> Behaviors.<String>setup(c -> {
            c.messageAdapter(Number.class, n -> "number");
            ActorRef<Integer> first = c.messageAdapter(Integer.class, n -> "old");
            ActorRef<Integer> second = c.messageAdapter(Integer.class, n -> "new");
            first.tell(1);
            second.tell(2);
            return echo(w);
        }), "new new"),
        Promise.of("who has an adapter that fails stops", w -> watching(w, Behaviors.<String>setup(c -> {
            c.<Integer>messageAdapter(Integer.class, n -> {
                throw new IllegalStateException("failed");
            }).tell(1);
            return echo(w);
        }), (c, t) -> told(w, "gone")), "gone", "stop | gone"),
        Promise.of("the result of a future becomes a message", w -> Behaviors.<String>setup(c -> {
            c.pipeToSelf(CompletableFuture.completedFuture("1"), (value, failure) -> value);
            c.pipeToSelf(CompletableFuture.<String>failedFuture(new IllegalStateException("failed")), (value, failure) -> failure.getMessage());
            return echo(w);
        }), "1 failed"),
        Promise.of("a future may be completed later", w -> Behaviors.<String>setup(c -> {
            CompletableFuture<String> future = new CompletableFuture<>();
            c.pipeToSelf(future, (value, failure) -> value);
            c.getSelf().tell("go");
            return Behaviors.receive(String.class).onMessageEquals("go", () -> {
                future.complete("1");
                return told(w, "going");
            }).onAnyMessage(m -> told(w, m)).build();
        }), "going 1"),
        Promise.of("tasks do not use the context", w -> Behaviors.<String>setup(c -> {
            c.getExecutionContext().execute(() -> {
                try {
                    c.getChildren();
                } catch (UnsupportedOperationException e) {
                    w.tell("refused");
                }
            });
            return Behaviors.empty();
        }), "refused"),
        Promise.of("a task that fails does not have its actor fail", w -> Behaviors.<String>setup(c -> {
            c.getSystem().scheduler().scheduleOnce(Duration.ofMillis(1), () -> {
                w.tell("task");
                throw new IllegalStateException("failed");
            }, c.getExecutionContext());
            c.getSelf().tell("1");
            return Behaviors.receive(String.class).onAnyMessage(m -> told(w, m)).onSignal(PostStop.class, s -> told(w, "PostStop")).build();
        }), "task | 1"),
        Promise.of("what is scheduled is sent, even if who did it has stopped", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> other = c.spawn(echo(w), "other");
            c.spawn(Behaviors.<String>setup(d -> {
                d.scheduleOnce(Duration.ofMillis(1), other, "1");
                return Behaviors.stopped();
            }), "child");
            return Behaviors.empty();
        }), "1"),
        Promise.of("what is scheduled can be cancelled", w -> Behaviors.<String>setup(c -> {
            Cancellable scheduled = c.scheduleOnce(Duration.ofSeconds(30), c.getSelf(), "1");
            w.tell("" + scheduled.cancel() + scheduled.isCancelled() + scheduled.cancel());
            return echo(w);
        }), "truetruefalse"),
        Promise.of("a receive timeout comes when no message does", w -> Behaviors.<String>setup(c -> {
            c.setReceiveTimeout(Duration.ofMillis(1), "timeout");
            return Behaviors.receiveMessage(m -> {
                c.cancelReceiveTimeout();
                return told(w, m);
            });
        }), "timeout"),
        Promise.of("who is monitored takes its messages, as the monitor does", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> monitor = c.spawn(Behaviors.receiveMessage(m -> told(w, "monitor:" + m)), "monitor");
            c.spawn(Behaviors.monitor(String.class, monitor, echo(w)), "child").tell("1");
            return Behaviors.empty();
        }), "1 | monitor:1"),
        Promise.of("an interceptor stands before the behavior, and before those that follow", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> child = c.spawn(Behaviors.intercept(() -> new Marking(), changing(w, "a")), "child");
            child.tell("1");
            child.tell("2");
            return Behaviors.empty();
        }), "a:1* b:2*"),
        Promise.of("messages are logged, and change nothing", w -> Behaviors.<String>setup(c -> {
            c.spawn(Behaviors.logMessages(echo(w)), "child").tell("1");
            return Behaviors.empty();
        }), "1"),
        Promise.of("what is not handled is dropped", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> child = c.spawn(Behaviors.receive(String.class).onMessageEquals("1", () -> told(w, "1")).build(), "child");
            child.tell("2");
            child.tell("1");
            return Behaviors.empty();
        }), "1"),
        Promise.of("what is sent to an actor that has stopped is dropped", w -> watching(w, Lifecycle.stopping(w), (c, t) -> {
            t.getRef().unsafeUpcast().tell("late");
            return told(w, "gone");
        }), "stop PostStop | gone"),
        Promise.of("a pool hands on messages by turns", w -> Behaviors.<String>setup(c -> {
            ActorRef<String> pool = c.spawn(Routers.pool(2, numbered(w)), "pool");
            pool.tell("a");
            pool.tell("b");
            pool.tell("c");
            return Behaviors.empty();
        }), "a1 c2 | b1"),
        Promise.of("a pool stops when its last child has", w -> watching(w,
            Routers.pool(1, Behaviors.<String>receiveMessage(m -> Behaviors.stopped())), (c, t) -> told(w, "gone")), "gone"),
        Promise.of("who subscribes is told who is registered, and who no longer is", w -> Behaviors.<String>setup(c -> {
            ServiceKey<String> key = ServiceKey.create(String.class, w.path().name());
            ActorRef<Receptionist.Command> receptionist = c.getSystem().receptionist();
            ActorRef<Receptionist.Listing> listings = c.messageAdapter(Receptionist.Listing.class,
                l -> l.getServiceInstances(key).isEmpty() ? "none" : "one");
            ActorRef<String> child = c.spawn(Behaviors.<String>receiveMessage(m -> Behaviors.stopped()), "child");
            receptionist.tell(Receptionist.subscribe(key, listings));
            receptionist.tell(Receptionist.register(key, child));
            return Behaviors.receiveMessage(m -> {
                if (m.equals("one")) {
                    child.tell("stop");
                }
                return told(w, m);
            });
        }), "none one none"),
        Promise.of("who asks is told who is registered", w -> Behaviors.<String>setup(c -> {
            ServiceKey<String> key = ServiceKey.create(String.class, w.path().name());
            ActorRef<Receptionist.Command> receptionist = c.getSystem().receptionist();
            receptionist.tell(Receptionist.register(key, c.getSelf(), c.messageAdapter(Receptionist.Registered.class, r -> "registered")));
            receptionist.tell(Receptionist.find(key, c.messageAdapter(Receptionist.Listing.class,
                l -> l.getServiceInstances(key).contains(c.getSelf()) ? "found" : "none")));
            return echo(w);
        }), "registered found"));

    private Interaction() {}

    private static final class Marking extends BehaviorInterceptor<String, String> {
        Marking() {
            super(String.class);
        }

        @Override
        public Behavior<String> aroundReceive(TypedActorContext<String> context, String message, ReceiveTarget<String> target) {
            return target.apply(context, message + "*");
        }
    }

    private static Behavior<String> changing(ActorRef<String> witness, String state) {
        return Behaviors.receiveMessage(m -> {
            witness.tell(state + ":" + m);
            return changing(witness, "b");
        });
    }

    /** Tells each message with the number of it. */
    private static Behavior<String> numbered(ActorRef<String> witness) {
        return Behaviors.setup(c -> {
            int[] count = {0};
            return Behaviors.receiveMessage(m -> told(witness, m + ++count[0]));
        });
    }
}
