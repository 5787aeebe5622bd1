package harrier.pekko;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import scala.Function1;
import scala.concurrent.Future;
import scala.runtime.BoxedUnit;
import scala.util.Failure;
import scala.util.Success;
import scala.util.Try;

/**
 * A future of Scala's as one of Java's, in checks. What depends on it runs as a task of the actor that completes it; Scala's own class
 * has it run on the threads of the JDK's common pool.
 */
public class LaterStage<T> extends CompletableFuture<T> implements Function1<Try<T>, BoxedUnit> {
    private final Future<T> wrapped;

    /** For the classes that stand in for those of Scala's. */
    protected LaterStage(Future<T> wrapped) {
        this.wrapped = wrapped;
    }

    /** Scala's future. */
    public final Future<T> wrapped() {
        return wrapped;
    }

    @Override
    public final BoxedUnit apply(Try<T> result) {
        if (result instanceof Success<T> success) {
            complete(success.value());
        } else {
            completeExceptionally(((Failure<T>) result).exception());
        }
        return BoxedUnit.UNIT;
    }

    private static LocalDispatcher later() {
        return LocalDispatcher.ONLY;
    }

    @Override
    public <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> f) {
        return thenApplyAsync(f, later());
    }

    @Override
    public CompletableFuture<Void> thenAccept(Consumer<? super T> f) {
        return thenAcceptAsync(f, later());
    }

    @Override
    public CompletableFuture<Void> thenRun(Runnable f) {
        return thenRunAsync(f, later());
    }

    @Override
    public <U, V> CompletableFuture<V> thenCombine(CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> f) {
        return thenCombineAsync(other, f, later());
    }

    @Override
    public <U> CompletableFuture<Void> thenAcceptBoth(CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> f) {
        return thenAcceptBothAsync(other, f, later());
    }

    @Override
    public CompletableFuture<Void> runAfterBoth(CompletionStage<?> other, Runnable f) {
        return runAfterBothAsync(other, f, later());
    }

    @Override
    public <U> CompletableFuture<U> applyToEither(CompletionStage<? extends T> other, Function<? super T, U> f) {
        return applyToEitherAsync(other, f, later());
    }

    @Override
    public CompletableFuture<Void> acceptEither(CompletionStage<? extends T> other, Consumer<? super T> f) {
        return acceptEitherAsync(other, f, later());
    }

    @Override
    public CompletableFuture<Void> runAfterEither(CompletionStage<?> other, Runnable f) {
        return runAfterEitherAsync(other, f, later());
    }

    @Override
    public <U> CompletableFuture<U> thenCompose(Function<? super T, ? extends CompletionStage<U>> f) {
        return thenComposeAsync(f, later());
    }

    @Override
    public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> f) {
        return whenCompleteAsync(f, later());
    }

    @Override
    public <U> CompletableFuture<U> handle(BiFunction<? super T, Throwable, ? extends U> f) {
        return handleAsync(f, later());
    }

    @Override
    public CompletableFuture<T> exceptionally(Function<Throwable, ? extends T> f) {
        CompletableFuture<T> result = new CompletableFuture<>();
        whenCompleteAsync((value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else {
                recover(result, f, failure);
            }
        }, later());
        return result;
    }

    private static <T> void recover(CompletableFuture<T> result, Function<Throwable, ? extends T> f, Throwable failure) {
        try {
            result.complete(f.apply(failure));
        } catch (Throwable e) {
            result.completeExceptionally(e);
        }
    }
}
