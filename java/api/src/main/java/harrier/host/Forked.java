package harrier.host;

import java.util.concurrent.CancellationException;
import java.util.concurrent.RecursiveTask;

/** A task of a {@link ForkPool}: classes of programs that extend {@link RecursiveTask} or RecursiveAction extend {@link Task} or {@link Action}. */
public interface Forked extends ThreadState {
    /** The result of the task, as far as it has one. */
    Result result();

    /** Runs the task, or goes on with it, on the current thread. */
    void runHere();

    /** The value of a task or the exception that it threw, once it is done. */
    final class Result implements ThreadState {
        Object value;
        Throwable thrown;
        boolean isDone;

        void complete(Object newValue) {
            if (!isDone) {
                value = newValue;
                isDone = true;
            }
        }

        void fail(Throwable newThrown) {
            if (!isDone) {
                thrown = newThrown;
                isDone = true;
            }
        }

        boolean cancel() {
            fail(new CancellationException());
            return isCancelled();
        }

        boolean isCancelled() {
            return thrown instanceof CancellationException;
        }

        /** What the task gave; throws what it threw. */
        Object join() {
            if (thrown != null) {
                throw Thrown.asItIs(thrown);
            }
            return value;
        }
    }

    /** The code of a task. */
    interface Body {
        Object compute() throws Exception;
    }

    /** Runs a task, or goes on with it where the thread comes back to its frames. */
    static void run(Forked task, Body body) {
        if (Frames.place() == 0 && task.result().isDone) {
            return;
        }
        Object value;
        try {
            value = body.compute();
        } catch (StepStopped e) {
            throw e;
        } catch (Throwable e) {
            task.result().fail(e);
            return;
        }
        if (Frames.isLeft()) {
            Frames.saved(task, "java.util.concurrent.ForkJoinTask.doExec()I", 0, 1);
        } else {
            task.result().complete(value);
        }
    }

    /**
     * A task with a value.
     *
     * @param <V> the value
     */
    @SuppressWarnings("serial") // nobody does
    abstract class Task<V> extends RecursiveTask<V> implements Forked {
        private Result result = new Result();

        protected Task() {}

        @Override
        public Result result() {
            return result;
        }

        @Override
        public void runHere() {
            Forked.run(this, this::compute);
        }

        @Override
        public void complete(V value) {
            result.complete(value);
        }

        @Override
        public void completeExceptionally(Throwable thrown) {
            result.fail(thrown);
        }

        @Override
        public boolean cancel(boolean interrupts) {
            return result.cancel();
        }

        @Override
        public void reinitialize() {
            result = new Result();
        }
    }

    /** A task without a value. */
    @SuppressWarnings("serial") // nobody does
    abstract class Action extends java.util.concurrent.RecursiveAction implements Forked {
        private Result result = new Result();

        protected Action() {}

        @Override
        public Result result() {
            return result;
        }

        @Override
        public void runHere() {
            Forked.run(this, () -> {
                compute();
                return null;
            });
        }

        @Override
        public void complete(Void value) {
            result.complete(null);
        }

        @Override
        public void completeExceptionally(Throwable thrown) {
            result.fail(thrown);
        }

        @Override
        public boolean cancel(boolean interrupts) {
            return result.cancel();
        }

        @Override
        public void reinitialize() {
            result = new Result();
        }
    }
}
