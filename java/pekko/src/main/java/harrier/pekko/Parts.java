package harrier.pekko;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.Done;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorRef;
import scala.Function1;
import scala.concurrent.Future;
import scala.concurrent.Promise;
import scala.concurrent.Promise$;
import scala.util.Failure;
import scala.util.Success;
import scala.util.Try;

/** An actor's message adapters, pending asks and piped futures. */
final class Parts<T> {
    private final TypedActor<T> actor;
    /** Message adapters, by name. */
    private final Map<String, Function1<Object, ?>> adapters = new HashMap<>();
    /** Pending asks, by name. */
    private final Map<String, Question> questions = new HashMap<>();
    /** What is made of the results of futures, by number. */
    private final Map<Integer, Function1<Try<Object>, ?>> results = new HashMap<>();
    /** What the behavior is to take next, within a step. */
    private final Deque<Object> next = new ArrayDeque<>();
    /** Changes of a durable state that are not done. */
    private final Deque<Promise<Done>> changes = new ArrayDeque<>();
    /** How many adapters and questions there were: no name is used twice, as there may be late messages for it. */
    private int made;

    private record Question(Function1<Try<Object>, ?> response, Cancellable timeout) {}

    Parts(TypedActor<T> actor) {
        this.actor = actor;
    }

    /** Has the behavior take something next, within the step. */
    void answer(Object message) {
        next.add(message);
    }

    /** A change of a durable state is begun. */
    Future<Done> changing() {
        Promise<Done> done = Promise$.MODULE$.apply();
        changes.add(done);
        return done.future();
    }

    /** The behavior begins anew, and waits for no change. */
    void forgetChanges() {
        changes.clear();
    }

    /** Stores have done something, and the behavior takes what it is answered. */
    void stored(List<Object> answers) {
        next.addAll(answers);
        while (!next.isEmpty() && !actor.isStopping()) {
            Object answer = next.poll();
            if (answer instanceof DurableStates.Changed) {
                changes.poll().success(Done.getInstance());
            } else {
                actor.deliver(null, answer);
            }
        }
        next.clear();
    }

    /** A reference for messages of which a function makes messages of the actor. */
    @SuppressWarnings("unchecked")
    <U> ActorRef<U> adapter(Function1<U, T> function, String name) {
        String part = name.isEmpty() ? unused("adapter") : name.equals("adapter") ? name : unused(name + "-");
        adapters.put(part, (Function1<Object, ?>) function);
        return new Ref<>(actor.self(), part);
    }

    /** Takes no more messages for an adapter. */
    void remove(String part) {
        adapters.remove(part);
    }

    /** A reference for the answer to a question. */
    <R> Ref<R> answer() {
        return new Ref<>(actor.self(), unused("ask"));
    }

    /** A name that no part had, nor one of the actor before it crashed. */
    private String unused(String kind) {
        return kind + ++made + (actor.starts() > 1 ? "." + actor.starts() : "");
    }

    /** Waits for an answer. */
    @SuppressWarnings("unchecked")
    <R> void ask(Ref<R> answerTo, Function1<Try<R>, T> response, Duration timeout) {
        String part = answerTo.part();
        Function1<Try<Object>, ?> function = (Function1<Try<Object>, ?>) (Object) response;
        questions.put(part, new Question(function, actor.alarms().set(timeout, "time-out of " + part, () -> {
            questions.remove(part);
            actor.adapt(() -> function.apply(new Failure<>(new TimeoutException("Ask timed out after [" + timeout.toMillis() + " ms]"))));
        })));
    }

    /** Takes a message for a part. */
    void receive(String part, Object message) {
        Question question = questions.remove(part);
        if (question != null) {
            question.timeout.cancel();
            actor.adapt(() -> question.response.apply(new Success<>(message)));
        } else if (adapters.containsKey(part)) {
            actor.adapt(() -> adapters.get(part).apply(message));
        }
    }

    /** Notes what is to be made of the result of a future, and returns a number for it. */
    @SuppressWarnings("unchecked")
    <V> int result(Function1<Try<V>, T> function) {
        int number = 1;
        while (results.containsKey(number)) {
            number++;
        }
        results.put(number, (Function1<Try<Object>, ?>) (Object) function);
        return number;
    }

    /**
     * A future has its result.
     *
     * @param start how often the actor had started when it began to wait for it
     */
    void completes(int start, int number, Try<?> result) {
        actor.tell(actor.self(), result.isSuccess() ? new Mail.Result(start, number, result.get(), null)
            : new Mail.Result(start, number, null, ((Failure<?>) result).exception()));
    }

    /** Takes the result of a future. */
    void receive(Mail.Result m) {
        if (m.start() != actor.starts()) {
            return; // the actor crashed since
        }
        Function1<Try<Object>, ?> function = results.remove(m.number());
        actor.adapt(() -> function.apply(m.failure() == null ? new Success<>(m.value()) : new Failure<>(m.failure())));
    }
}
