package harrier.host;

import harrier.host.Wait.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.StampedLock;

/** Stand in for methods of barriers, phasers, exchangers, stamped locks and forked tasks that may wait, as {@link BlockingHooks} do for others. */
public final class SynchronizerHooks {
    private SynchronizerHooks() {}

    // Barriers.

    /** Stands in for {@link CyclicBarrier#await()}. */
    public static int await(CyclicBarrier barrier, String place) throws InterruptedException, BrokenBarrierException {
        try {
            return await(barrier, Wait.FOREVER, place);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stands in for {@link CyclicBarrier#await(long, TimeUnit)}. */
    public static int await(CyclicBarrier barrier, long time, TimeUnit unit, String place)
            throws InterruptedException, BrokenBarrierException, TimeoutException {
        return await(barrier, BlockingHooks.nanos(time, unit), place);
    }

    private static int await(CyclicBarrier barrier, long nanos, String place) throws InterruptedException, BrokenBarrierException, TimeoutException {
        ActorBarrier.Round round = null;
        int index = 0;
        if (!Threads.isBack()) {
            round = ((ActorBarrier) barrier).round();
            if (round.isBroken) {
                throw new BrokenBarrierException();
            }
            if (ThreadStandIns.interrupted(place)) { // even the last thread to arrive breaks the barrier then
                round.isBroken = true;
                throw new InterruptedException();
            }
            index = --round.missing;
            if (index == 0) {
                ((ActorBarrier) barrier).trip();
                return 0;
            }
        }
        Wait wait = Threads.pass(Kind.BARRIER, round, index, nanos, true, place);
        if (wait == null) {
            return 0;
        }
        round = (ActorBarrier.Round) wait.on;
        if (wait.isInterrupted && !round.isOver && !round.isBroken) {
            round.isBroken = true;
            throw new InterruptedException();
        }
        BlockingHooks.keepInterrupt(wait);
        if (round.isBroken) {
            throw new BrokenBarrierException();
        }
        if (!round.isOver) {
            round.isBroken = true;
            throw new TimeoutException();
        }
        return wait.count();
    }

    // Phasers.

    /** Stands in for {@link Phaser#arriveAndAwaitAdvance}. */
    public static int arriveAndAwaitAdvance(Phaser phaser, String place) {
        return awaitAdvance(phaser, Threads.isBack() ? 0 : phaser.arrive(), place);
    }

    /** Stands in for {@link Phaser#awaitAdvance}. */
    public static int awaitAdvance(Phaser phaser, int phase, String place) {
        if (!Threads.isBack() && phase < 0) {
            return phase;
        }
        return phase(Threads.pass(Kind.PHASE, phaser, phase, Wait.FOREVER, false, place));
    }

    /** Stands in for {@link Phaser#awaitAdvanceInterruptibly(int)}. */
    public static int awaitAdvanceInterruptibly(Phaser phaser, int phase, String place) throws InterruptedException {
        if (!Threads.isBack() && phase < 0) {
            return phase;
        }
        return phase(BlockingHooks.interruptibly(Kind.PHASE, phaser, phase, Wait.FOREVER, place));
    }

    /** Stands in for {@link Phaser#awaitAdvanceInterruptibly(int, long, TimeUnit)}. */
    public static int awaitAdvanceInterruptibly(Phaser phaser, int phase, long time, TimeUnit unit, String place)
            throws InterruptedException, TimeoutException {
        if (!Threads.isBack() && phase < 0) {
            return phase;
        }
        Wait wait = BlockingHooks.interruptibly(Kind.PHASE, phaser, phase, BlockingHooks.nanos(time, unit), place);
        if (wait != null && ((Phaser) wait.on).getPhase() == wait.count()) {
            throw new TimeoutException();
        }
        return phase(wait);
    }

    private static int phase(Wait wait) {
        return wait == null ? 0 : ((Phaser) wait.on).getPhase();
    }

    // Exchangers.

    /** Stands in for {@link Exchanger#exchange(Object)}. */
    public static Object exchange(Exchanger<?> exchanger, Object given, String place) throws InterruptedException {
        try {
            return exchange(exchanger, given, Wait.FOREVER, place);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stands in for {@link Exchanger#exchange(Object, long, TimeUnit)}. */
    public static Object exchange(Exchanger<?> exchanger, Object given, long time, TimeUnit unit, String place)
            throws InterruptedException, TimeoutException {
        return exchange(exchanger, given, BlockingHooks.nanos(time, unit), place);
    }

    private static Object exchange(Exchanger<?> exchanger, Object given, long nanos, String place) throws InterruptedException, TimeoutException {
        ActorExchanger.Offer offer = null;
        if (!Threads.isBack()) {
            ActorExchanger<?> own = (ActorExchanger<?>) exchanger;
            if (ThreadStandIns.interrupted(place)) { // even if another thread waits to exchange
                throw new InterruptedException();
            }
            if (own.isOffered()) {
                return own.take(given);
            }
            offer = own.offer(given);
        }
        Wait wait = Threads.pass(Kind.EXCHANGE, offer, null, nanos, true, place);
        if (wait == null) {
            return null;
        }
        offer = (ActorExchanger.Offer) wait.on;
        if (offer.isTaken) {
            BlockingHooks.keepInterrupt(wait);
            return offer.gets();
        }
        offer.withdraw();
        if (wait.isInterrupted) {
            throw new InterruptedException();
        }
        throw new TimeoutException();
    }

    // Stamped locks.

    /** Stands in for {@link StampedLock#writeLock}. */
    public static long writeLock(StampedLock lock, String place) {
        return stamp(Threads.pass(Kind.STAMP, lock, 1, Wait.FOREVER, false, place));
    }

    /** Stands in for {@link StampedLock#readLock}. */
    public static long readLock(StampedLock lock, String place) {
        return stamp(Threads.pass(Kind.STAMP, lock, 0, Wait.FOREVER, false, place));
    }

    /** Stands in for {@link StampedLock#writeLockInterruptibly}. */
    public static long writeLockInterruptibly(StampedLock lock, String place) throws InterruptedException {
        return tryWriteLock(lock, Wait.FOREVER, TimeUnit.NANOSECONDS, place);
    }

    /** Stands in for {@link StampedLock#readLockInterruptibly}. */
    public static long readLockInterruptibly(StampedLock lock, String place) throws InterruptedException {
        return tryReadLock(lock, Wait.FOREVER, TimeUnit.NANOSECONDS, place);
    }

    /** Stands in for {@link StampedLock#tryWriteLock(long, TimeUnit)}. */
    public static long tryWriteLock(StampedLock lock, long time, TimeUnit unit, String place) throws InterruptedException {
        return stamp(BlockingHooks.interruptibly(Kind.STAMP, lock, 1, unit == null ? 0 : unit.toNanos(time), place));
    }

    /** Stands in for {@link StampedLock#tryReadLock(long, TimeUnit)}. */
    public static long tryReadLock(StampedLock lock, long time, TimeUnit unit, String place) throws InterruptedException {
        return stamp(BlockingHooks.interruptibly(Kind.STAMP, lock, 0, unit == null ? 0 : unit.toNanos(time), place));
    }

    private static long stamp(Wait wait) {
        if (wait == null) {
            return 0;
        }
        StampedLock lock = (StampedLock) wait.on;
        return wait.count() > 0 ? lock.tryWriteLock() : lock.tryReadLock();
    }

    // Forked tasks.

    /** Stands in for {@link ForkJoinTask#join}. */
    public static Object join(ForkJoinTask<?> task, String place) {
        Wait wait = done(task, place);
        return wait == null ? null : ((Forked) wait.on).result().join();
    }

    /** Stands in for {@link ForkJoinTask#quietlyJoin()}. */
    public static void quietlyJoin(ForkJoinTask<?> task, String place) {
        done(task, place);
    }

    private static Wait done(ForkJoinTask<?> task, String place) {
        return Threads.pass(Kind.RESULT, Threads.isBack() ? null : ForkHooks.forked(task, place), null, Wait.FOREVER, false, place);
    }

    /** Stands in for {@link ForkJoinTask#invoke}. */
    public static Object invoke(ForkJoinTask<?> task, String place) {
        Forked forked = ForkHooks.forked(task, place);
        forked.runHere();
        return Frames.isLeft() ? null : forked.result().join();
    }

    /** Stands in for {@link ForkJoinTask#quietlyInvoke}. */
    public static void quietlyInvoke(ForkJoinTask<?> task, String place) {
        ForkHooks.forked(task, place).runHere();
    }

    /** Stands in for {@link ForkJoinPool#invoke}. */
    public static Object invoke(ForkJoinPool pool, ForkJoinTask<?> task, String place) {
        if (!Threads.isBack()) {
            pool.execute(task);
        }
        return join(task, place);
    }

    /** Stands in for {@link ForkJoinTask#invokeAll(ForkJoinTask, ForkJoinTask)}. */
    public static void invokeAll(ForkJoinTask<?> first, ForkJoinTask<?> second, String place) {
        invokeAll(new ForkJoinTask<?>[] {first, second}, place);
    }

    /** Stands in for {@link ForkJoinTask#invokeAll(Collection)}. */
    public static Collection<?> invokeAll(Collection<?> tasks, String place) {
        Wait wait = all(Threads.isBack() ? null : tasks.toArray(ForkJoinTask<?>[]::new), place);
        return wait == null ? null : (List<?>) wait.on; // the argument means nothing once the thread comes back
    }

    /** Stands in for {@link ForkJoinTask#invokeAll(ForkJoinTask[])}: all are forked. */
    public static void invokeAll(ForkJoinTask<?>[] tasks, String place) {
        all(tasks, place);
    }

    private static Wait all(ForkJoinTask<?>[] tasks, String place) {
        List<Forked> all = new ArrayList<>();
        if (!Threads.isBack()) {
            for (ForkJoinTask<?> task : tasks) {
                ForkHooks.fork(task, place);
                all.add((Forked) task);
            }
        }
        Wait wait = Threads.pass(Kind.RESULTS, all, null, Wait.FOREVER, false, place);
        if (wait != null) {
            ((List<?>) wait.on).stream().filter(f -> ((Forked) f).result().thrown != null).findFirst()
                .ifPresent(f -> ((Forked) f).result().join());
        }
        return wait;
    }

    /** Stands in for {@link Future#isDone}: that of a class of the program may wait. */
    public static boolean isDone(Future<?> future, String place) {
        return future instanceof ForkJoinTask<?> task ? ForkHooks.forked(task, place).result().isDone : future.isDone();
    }

    /** Stands in for {@link Future#isCancelled}, as well. */
    public static boolean isCancelled(Future<?> future, String place) {
        return future instanceof ForkJoinTask<?> task ? ForkHooks.forked(task, place).result().isCancelled() : future.isCancelled();
    }
}
