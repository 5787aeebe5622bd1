package harrier.vertx;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;

/**
 * What a verticle has given to executeBlocking. Each piece of code runs at once, as a thread may have it end before the verticle goes on,
 * or in a later step, and its future has the result in another one.
 */
final class Blocking {
    private final VerticleActor verticle;
    /** What may run, by number. */
    private final Map<Integer, Code<?>> ready = new TreeMap<>();
    /** What waits for ordered code before it. */
    private final Deque<Code<?>> waiting = new ArrayDeque<>();
    private boolean isOrderedReady;

    private record Code<T>(Callable<T> code, boolean isOrdered, Promise<T> result) {}

    Blocking(VerticleActor verticle) {
        this.verticle = verticle;
    }

    <T> Future<T> add(Callable<T> code, boolean isOrdered) {
        Code<T> added = new Code<>(code, isOrdered, verticle.context().promise());
        if (isOrdered && isOrderedReady) {
            waiting.add(added);
        } else if (verticle.chooseOf(2) == 1) {
            run(added, Runnable::run);
        } else {
            start(added);
        }
        return added.result.future();
    }

    private void start(Code<?> code) {
        isOrderedReady |= code.isOrdered;
        int number = 1;
        while (ready.containsKey(number)) {
            number++;
        }
        ready.put(number, code);
        verticle.setAnyTime(new Mail.Blocking(number));
    }

    void run(int number) {
        Code<?> code = ready.remove(number);
        run(code, verticle::later);
        if (code.isOrdered) {
            isOrderedReady = false;
            if (!waiting.isEmpty()) {
                start(waiting.remove());
            }
        }
    }

    private <T> void run(Code<T> code, Executor completing) {
        T value;
        try {
            value = code.code.call();
        } catch (Throwable e) {
            LocalContext.requireOrdinary(e);
            completing.execute(() -> code.result.fail(e));
            return;
        }
        completing.execute(() -> code.result.complete(value));
    }
}
