package harrier.pekko;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.Status;
import scala.concurrent.Promise;
import scala.concurrent.Promise$;
import scala.util.Failure;
import scala.util.Success;
import scala.util.Try;

/** An actor's questions by the library's ask pattern, whose answers complete futures. */
final class Questions {
    /** What the names of the parts begin with that get the answers. */
    private static final String PART = "question";

    private final LibraryActor actor;
    /** Those without an answer, by part. */
    private final Map<String, Question> open = new TreeMap<>();
    /** How many there were: no part is used twice, as there may be late answers. */
    private int asked;

    private record Question(Promise<Object> answer, Cancellable timeout) {}

    Questions(LibraryActor actor) {
        this.actor = actor;
    }

    /**
     * Waits for an answer, and returns which part of the actor gets it.
     *
     * @param late why there is none, when the time is over
     */
    String ask(Duration timeout, Supplier<Throwable> late) {
        String part = PART + ++asked + (actor.starts() > 1 ? "." + actor.starts() : "");
        Promise<Object> answer = Promise$.MODULE$.apply();
        open.put(part, new Question(answer, actor.alarms().task(timeout, "time-out of " + part, () -> {
            open.remove(part);
            answer.tryComplete(new Failure<>(late.get()));
        })));
        return part;
    }

    /** What the answer for a part completes. */
    Promise<Object> answer(String part) {
        return open.get(part).answer;
    }

    /** Takes a message for a part, outside of the actor's own messages, and reports whether it is for one of these. */
    boolean receive(Mail.To m) {
        Question question = open.remove(m.part());
        if (question != null) {
            question.timeout.cancel();
            actor.runTask(() -> question.answer.tryComplete(result(m.message())));
        }
        return m.part().startsWith(PART);
    }

    private static Try<Object> result(Object message) {
        return message instanceof Status.Failure f ? new Failure<>(f.cause())
            : new Success<>(message instanceof Status.Success s ? s.status() : message);
    }
}
