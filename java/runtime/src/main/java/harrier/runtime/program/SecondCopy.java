package harrier.runtime.program;

import harrier.runtime.jdk.Order;
import harrier.runtime.recheck.Repeater;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A second copy of a program, which repeats what the first one does. Its enum constants, static fields and lambdas are other
 * objects, with other identity hash codes, and its classes were initialized and its scenario set up while hash collections
 * iterated in another order.
 *
 * <p>Where harrier leaves a processor idle, it is made on another thread, and repeats each batch of questions there while the first
 * one answers it. A batch that the other thread has not begun by the end is repeated on the first one's: on a machine with other
 * work nothing waits for a thread to wake up.
 */
final class SecondCopy {
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
    /** How long a thread may take to wake up, in nanoseconds: shorter work is not handed over. */
    private static final long HAND_OVER = 100_000;

    /** How many threads run programs. */
    private static final AtomicInteger RUNNING = new AtomicInteger();
    /** Their stacks have the size of all threads'. */
    private static final ExecutorService THREADS = Executors.newFixedThreadPool(Math.max(PROCESSORS - 1, 1), task -> {
        Thread thread = new Thread(null, task, "second copies", 0, false);
        thread.setDaemon(true);
        return thread;
    });

    private final Runnable enterFirst;
    private final boolean isOrderPlain;
    private FutureTask<LoadedProgram> made;
    /** How long a question took, on average of the last ones, in nanoseconds. */
    private long average = HAND_OVER;

    /**
     * The copy of a program.
     *
     * @param enterFirst has the thread run the first one
     * @param isOrderPlain whether hash collections iterate as in the first one
     */
    SecondCopy(Runnable enterFirst, boolean isOrderPlain) {
        this.enterFirst = enterFirst;
        this.isOrderPlain = isOrderPlain;
    }

    /**
     * Says how to make the copy. Where its set-up iterates over hash collections, it is made in all of their other orders, as no set-up may
     * depend on them.
     *
     * @param isTried whether a copy of the same program was made in all orders: one is enough then
     */
    void by(Supplier<LoadedProgram> make, boolean isTried) {
        made = new FutureTask<>(() -> isOrderPlain ? make.get() : isTried ? Order.inFirst(make) : Order.ofSetUp(make).get(0));
    }

    /** Makes the copy on another thread, if there are several processors. Otherwise it is made when it is first needed. */
    void prepare() {
        if (PROCESSORS > 1) {
            THREADS.execute(made);
        }
    }

    /** Has this thread run the copy. */
    private LoadedProgram enter() {
        made.run(); // unless somebody did
        LoadedProgram program = result(made);
        program.loader().enter();
        return program;
    }

    private void both(int questions, Runnable first, Runnable others) {
        FutureTask<Void> repeats = new FutureTask<>(others, null);
        boolean isBeside = RUNNING.incrementAndGet() < PROCESSORS && (questions - 1) * average >= HAND_OVER;
        if (isBeside) {
            RUNNING.incrementAndGet();
            THREADS.execute(repeats);
        }
        try {
            long begin = System.nanoTime();
            first.run();
            average += ((System.nanoTime() - begin) / questions - average) / 8;
            repeats.run(); // unless the other thread began
            result(repeats);
        } finally {
            RUNNING.addAndGet(isBeside ? -2 : -1);
            enterFirst.run();
        }
    }

    /** What a task gave, or fails as it did. */
    private static <R> R result(FutureTask<R> task) {
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause(); // a task throws no other
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // nobody interrupts this thread, and a program does not leave it interrupted
        }
    }

    /** What has a part of the copy do again what that part of the program did. */
    <T> Repeater<T> of(Function<LoadedProgram, T> part) {
        return new Repeater<>() {
            @Override
            protected boolean isOrderPlain() {
                return isOrderPlain;
            }

            @Override
            public void prepare() {
                SecondCopy.this.prepare();
            }

            @Override
            protected void both(T self, int questions, Runnable first, Consumer<Supplier<T>> others) {
                SecondCopy.this.both(questions, first, () -> others.accept(() -> part.apply(enter())));
            }
        };
    }
}
