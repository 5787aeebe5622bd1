package promises;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.Status;
import org.apache.pekko.pattern.Patterns;

/** How classic actors ask, and what becomes of futures. */
final class Asking {
    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofMinutes(1);

    private record Question(String text, ActorRef replyTo) {}

    static final List<Promise> PROMISES = List.of(
        Promise.of("the answer to a question completes a future, unless its time is over", (b, w) -> {
            tellResult(b, w, Patterns.ask(b.child(answering(), "other"), "hello", LONG));
            return b.nothing();
        }, "hello!", "AskTimeoutException"),
        Promise.of("a question that nobody answers times out", (b, w) -> {
            tellResult(b, w, Patterns.ask(b.child(Body.of(Body::nothing), "other"), "hello", SOON));
            return b.nothing();
        }, "AskTimeoutException"),
        Promise.of("of two answers the first counts", (b, w) -> {
            ActorRef other = b.child(Body.of(c -> c.receiveBuilder().matchAny(m -> c.tell(c.getSender(), "1", "2")).build()), "other");
            tellResult(b, w, Patterns.ask(other, "hello", LONG));
            return b.nothing();
        }, "1", "AskTimeoutException"),
        Promise.of("an answer that is a failure fails the future", (b, w) -> {
            ActorRef other = b.child(Body.of(c -> c.receiveBuilder().matchAny(m ->
                c.tell(c.getSender(), new Status.Failure(new IllegalStateException("failed")))).build()), "other");
            tellResult(b, w, Patterns.ask(other, "hello", LONG));
            return b.nothing();
        }, "IllegalStateException", "AskTimeoutException"),
        Promise.of("a question may have the reference for its answer", (b, w) -> {
            ActorRef other = b.child(Body.of(c -> c.receiveBuilder().match(Question.class, q -> c.tell(q.replyTo(), q.text() + "!")).build()), "other");
            tellResult(b, w, Patterns.askWithReplyTo(other, to -> new Question("hello", to), LONG));
            return b.nothing();
        }, "hello!", "AskTimeoutException"),
        Promise.of("an answer may be scheduled", (b, w) -> {
            ActorRef other = b.child(Body.of(c -> c.receiveBuilder().matchAny(m -> c.getContext().getSystem().scheduler().scheduleOnce(SOON,
                c.getSender(), m + "!", c.getContext().getDispatcher(), c.getSelf())).build()), "other");
            tellResult(b, w, Patterns.ask(other, "hello", LONG));
            return b.nothing();
        }, "hello!", "AskTimeoutException"),
        Promise.of("an answer comes between messages", (b, w) -> {
            ActorRef other = b.child(answering(), "other");
            tellResult(b, w, Patterns.ask(other, "hello", LONG));
            b.tell(b.getSelf(), "1");
            return b.receiveBuilder().matchAny(m -> b.tell(w, m)).build();
        }, "hello! | 1", "AskTimeoutException | 1"),
        Promise.of("a path from the root finds an actor, also by the system", (b, w) -> {
            b.child(Body.echo(w), "a");
            b.getContext().actorSelection(path(b) + "/a").tell("1", b.getSelf());
            b.getContext().getSystem().actorSelection(path(b) + "/a").tell("2", b.getSelf());
            return b.nothing();
        }, "1 | 2"),
        Promise.of("a path finds all actors of a pattern, and goes up", (b, w) -> {
            b.child(Body.echo(w), "a1");
            b.child(Body.echo(w), "a2");
            b.child(Body.echo(w), "b");
            b.getContext().actorSelection(path(b) + "/b/../a*").tell("1", b.getSelf());
            return b.nothing();
        }, "1 1"),
        Promise.of("a path that leads nowhere loses messages", (b, w) -> {
            b.child(Body.echo(w), "a");
            b.getContext().actorSelection(path(b) + "/b/../a").tell("1", b.getSelf());
            b.getContext().actorSelection("/user/nobody-of-this-name/*").tell("2", b.getSelf());
            b.getContext().actorSelection("/other/a").tell("3", b.getSelf());
            b.getContext().actorSelection(path(b) + "/a").tell("4", b.getSelf());
            return b.nothing();
        }, "4"),
        Promise.of("one actor is resolved by its path, unless the time is over", (b, w) -> {
            b.child(Body.echo(w), "a");
            b.getContext().actorSelection(path(b) + "/a").resolveOne(LONG).handle((ref, failure) ->
                failure == null ? ref.path().name() : failure.getClass().getSimpleName()).thenAccept(what -> w.tell(what, ActorRef.noSender()));
            return b.nothing();
        }, "a", "ActorNotFound"),
        Promise.of("no actor is resolved by a path that leads nowhere", (b, w) -> {
            b.getContext().actorSelection(path(b) + "/a").resolveOne(SOON).handle((ref, failure) ->
                failure == null ? ref.path().name() : failure.getClass().getSimpleName()).thenAccept(what -> w.tell(what, ActorRef.noSender()));
            return b.nothing();
        }, "ActorNotFound"),
        Promise.of("a selection is asked as an actor is", (b, w) -> {
            b.child(answering(), "a");
            tellResult(b, w, Patterns.ask(b.getContext().actorSelection(path(b) + "/a"), "hello", LONG));
            return b.nothing();
        }, "hello!", "AskTimeoutException"),
        Promise.of("a future is piped to an actor", (b, w) -> {
            Patterns.pipe(Patterns.ask(b.child(answering(), "other"), "hello", LONG), b.getContext().getDispatcher()).to(b.getSelf());
            return piped(b, w);
        }, "hello!", "AskTimeoutException"),
        Promise.of("what is piped has the sender that it is given", (b, w) -> {
            ActorRef other = b.child(Body.of(c -> c.receiveBuilder().matchAny(m -> c.tell(w, c.getSender().path().name())).build()), "other");
            Patterns.pipe(CompletableFuture.completedFuture("1"), b.getContext().getDispatcher()).to(other, b.getSelf());
            return b.nothing();
        }, "first"),
        Promise.of("a future that fails is piped as a failure", (b, w) -> {
            Patterns.pipe(CompletableFuture.failedFuture(new IllegalStateException("failed")), b.getContext().getDispatcher()).to(b.getSelf());
            return piped(b, w);
        }, "IllegalStateException"),
        Promise.of("a future may begin after some time", (b, w) -> {
            CompletionStage<String> later = Patterns.after(SOON, b.getContext().getSystem(), () -> CompletableFuture.completedFuture("later"));
            Patterns.pipe(later, b.getContext().getDispatcher()).to(b.getSelf());
            b.tell(b.getSelf(), "1");
            return piped(b, w);
        }, "later | 1"),
        Promise.of("tasks run in any order", (b, w) -> {
            for (String text : List.of("1", "2")) {
                b.getContext().getDispatcher().execute(() -> w.tell(text, ActorRef.noSender()));
            }
            return b.nothing();
        }, "1 | 2"),
        Promise.of("what depends on a future runs in any order", (b, w) -> {
            CompletionStage<Object> answer = Patterns.ask(b.child(answering(), "other"), "1", LONG);
            answer.handle((value, failure) -> {
                w.tell("a", ActorRef.noSender());
                return value;
            });
            answer.handle((value, failure) -> {
                w.tell("b", ActorRef.noSender());
                return value;
            });
            return b.nothing();
        }, "a | b"));

    private Asking() {}

    private static String path(Body b) {
        return b.getSelf().path().toStringWithoutAddress();
    }

    /** Answers each message. */
    private static Props answering() {
        return Body.of(c -> c.receiveBuilder().matchAny(m -> c.tell(c.getSender(), m + "!")).build());
    }

    /** Tells what a future is completed with. */
    private static void tellResult(Body b, ActorRef witness, CompletionStage<Object> future) {
        ActorRef self = b.getSelf();
        future.whenComplete((value, failure) -> witness.tell(failure == null ? value : failure.getClass().getSimpleName(), self));
    }

    /** Tells the messages that it gets, and what failures are of. */
    private static org.apache.pekko.actor.AbstractActor.Receive piped(Body b, ActorRef witness) {
        return b.receiveBuilder().match(Status.Failure.class, f -> b.tell(witness, f.cause().getClass().getSimpleName()))
            .matchAny(m -> b.tell(witness, m)).build();
    }
}
