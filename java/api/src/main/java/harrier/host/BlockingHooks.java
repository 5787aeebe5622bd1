package harrier.host;

import harrier.host.Wait.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stand in for the JDK's methods that may wait. Where the thread has to, a method returns at once, and whoever called
 * it leaves; it is called once more, with arguments that mean nothing, when the thread goes on. So the arguments are
 * read before {@link Threads#pass} only, and afterwards what that gives.
 */
public final class BlockingHooks {
    private BlockingHooks() {}

    /** Waits for what an interrupt may end; null if the thread leaves. */
    static Wait interruptibly(Kind kind, Object on, Object with, long nanos, String place) throws InterruptedException {
        Wait wait = Threads.pass(kind, on, with, nanos, true, place);
        if (wait != null && wait.isInterrupted) {
            throw new InterruptedException();
        }
        return wait;
    }

    static long nanos(long time, TimeUnit unit) {
        return unit == null ? 0 : Math.min(unit.toNanos(time), Wait.FOREVER - 1);
    }

    /** The JDK's own methods decide on null as on anything else that is wrong. */
    private static boolean isWrong(Object receiver) {
        return receiver == null && !Threads.isBack();
    }

    /** Reports whether code of the program decides what a method of an object does. */
    static boolean isOwn(Object receiver, String method, Class<?>... takes) {
        ClassLoader loader = receiver == null ? null : receiver.getClass().getClassLoader();
        if (loader == null || loader == BlockingHooks.class.getClassLoader()) {
            return false;
        }
        try {
            return receiver.getClass().getMethod(method, takes).getDeclaringClass().getClassLoader() == loader;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    // Preemption.

    /** Has others run if they may, where threads are interleaved at locks. */
    public static void preempt(String place) {
        Threads.preempt(place);
    }

    /** The same, before a method of an object is called that may be made for several threads. */
    public static void preempt(Object receiver, String place) {
        boolean isShared = receiver != null && (receiver.getClass().getName().startsWith("java.util.concurrent.") || Threads.entersItself(receiver));
        if (Threads.isBack() || isShared && !Threads.isOwner(receiver)) {
            Threads.preempt(place);
        }
    }

    // Entering and leaving monitors, which stand in for the virtual machine's.

    /** Enters a monitor. */
    public static void enter(Object monitor, String place) {
        if (isWrong(monitor)) {
            throw new NullPointerException("Cannot enter synchronized block because value is null");
        }
        Wait wait = Threads.pass(Kind.MONITOR, monitor, null, Wait.FOREVER, false, place);
        if (wait != null) {
            Threads.acquire(Threads.runs(), wait.on, 1);
        }
    }

    /** Stands in for {@link Object#wait()}. */
    public static void wait(Object monitor, String place) throws InterruptedException {
        waitFor(monitor, Wait.FOREVER, place);
    }

    /** Stands in for {@link Object#wait(long)}. */
    public static void wait(Object monitor, long millis, String place) throws InterruptedException {
        if (millis < 0) {
            throw new IllegalArgumentException("timeout value is negative");
        }
        waitFor(monitor, millis == 0 ? Wait.FOREVER : nanos(millis, TimeUnit.MILLISECONDS), place);
    }

    /** Stands in for {@link Object#wait(long, int)}. */
    public static void wait(Object monitor, long millis, int nanos, String place) throws InterruptedException {
        wait(monitor, nanos > 0 && millis < Long.MAX_VALUE ? millis + 1 : millis, place);
    }

    private static void waitFor(Object monitor, long nanos, String place) throws InterruptedException {
        awaits(Kind.NOTIFY, monitor, monitor, nanos, true, place);
    }

    /** Gives a monitor or lock back, waits, and has it again; null if the thread leaves. */
    private static Wait awaits(Kind kind, Object on, Object lock, long nanos, boolean isInterruptible, String place)
            throws InterruptedException {
        if (isWrong(on)) {
            throw new NullPointerException();
        }
        ActorThread current = Threads.runs();
        boolean isBack = Threads.isBack();
        if (!isBack && current.held(lock) == null) {
            throw new IllegalMonitorStateException("current thread is not owner");
        }
        int times = isBack ? 0 : current.held(lock).count;
        Wait wait = Threads.pass(kind, on, times, nanos, isInterruptible, place);
        if (wait == null) {
            Threads.release(current, lock, false);
            Threads here = Threads.here();
            current.wait.isNotified = here != null && here.isPreemptive() && Hooks.control(place).choose(2) == 1; // woken without a cause
            if (on instanceof LockCondition condition && !current.wait.isNotified) {
                condition.waiting.add(current.wait);
            }
            return null;
        }
        if (isBack) {
            Threads.acquire(current, wait.lock(), wait.count());
            if (wait.on instanceof LockCondition condition) {
                condition.waiting.remove(wait);
            }
        }
        if (wait.isInterrupted) {
            throw new InterruptedException();
        }
        return wait;
    }

    // Threads.

    /** Stands in for {@link Thread#sleep(long)}. */
    public static void sleep(long millis, String place) throws InterruptedException {
        if (millis < 0) {
            throw new IllegalArgumentException("timeout value is negative");
        }
        sleepFor(nanos(millis, TimeUnit.MILLISECONDS), place);
    }

    /** Stands in for {@link Thread#sleep(long, int)}. */
    public static void sleep(long millis, int nanos, String place) throws InterruptedException {
        sleep(millis, place);
    }

    /** Stands in for {@code Thread.sleep(Duration)}. */
    public static void sleep(Duration duration, String place) throws InterruptedException {
        sleepFor(duration == null ? 0 : TimeUnit.NANOSECONDS.convert(duration), place);
    }

    /** Stands in for {@link TimeUnit#sleep}. */
    public static void sleep(TimeUnit unit, long time, String place) throws InterruptedException {
        sleepFor(nanos(time, unit), place);
    }

    private static void sleepFor(long nanos, String place) throws InterruptedException {
        if (!Hooks.control(place).ignoresSleep()) {
            interruptibly(Kind.SLEEP, null, null, nanos, place);
        }
    }

    /** Stands in for {@link Thread#yield}. */
    public static void yields(String place) {
        Threads.pass(Kind.YIELD, null, null, Wait.FOREVER, false, place);
    }

    /** Stands in for {@link Thread#join()}. */
    public static void join(Thread thread, String place) throws InterruptedException {
        interruptibly(Kind.END, actors(thread), null, Wait.FOREVER, place);
    }

    /** Stands in for {@link Thread#join(long)}. */
    public static void join(Thread thread, long millis, String place) throws InterruptedException {
        interruptibly(Kind.END, actors(thread), null, millis == 0 ? Wait.FOREVER : nanos(millis, TimeUnit.MILLISECONDS), place);
    }

    /** Stands in for {@link Thread#join(long, int)}. */
    public static void join(Thread thread, long millis, int nanos, String place) throws InterruptedException {
        join(thread, nanos > 0 ? millis + 1 : millis, place);
    }

    private static ActorThread actors(Thread thread) {
        if (isWrong(thread)) {
            throw new NullPointerException();
        }
        return (ActorThread) thread;
    }

    /** Stands in for {@link LockSupport#park()}. */
    public static void park(String place) {
        if (returnsWithoutCause(place)) {
            return;
        }
        parked(Threads.pass(Kind.PARK, null, null, Wait.FOREVER, true, place));
    }

    /** Stands in for {@link LockSupport#park(Object)}. */
    public static void park(Object blocker, String place) {
        park(place);
    }

    /** Stands in for {@link LockSupport#parkNanos(long)}. */
    public static void parkNanos(long nanos, String place) {
        if (returnsWithoutCause(place)) {
            return;
        }
        parked(Threads.pass(Kind.PARK, null, null, nanos, true, place));
    }

    /** Stands in for {@link LockSupport#parkUntil(long)}. */
    public static void parkUntil(long deadline, String place) {
        parkNanos(Threads.isBack() ? 0 : nanos(deadline - TimeHooks.currentTimeMillis(place), TimeUnit.MILLISECONDS), place);
    }

    /** Stands in for {@link LockSupport#parkUntil(Object, long)}. */
    public static void parkUntil(Object blocker, long deadline, String place) {
        parkUntil(deadline, place);
    }

    /** Stands in for {@link LockSupport#parkNanos(Object, long)}. */
    public static void parkNanos(Object blocker, long nanos, String place) {
        parkNanos(nanos, place);
    }

    private static boolean returnsWithoutCause(String place) {
        Threads here = Threads.here();
        return here != null && here.isPreemptive() && !Threads.isBack() && Hooks.control(place).choose(2) == 1;
    }

    /** A thread that was interrupted stays so, as the JDK has it. */
    private static void parked(Wait wait) {
        Threads here = Threads.here();
        if (wait != null && here != null) {
            here.current().mayPass = false;
            here.current().isFlagged |= wait.isInterrupted;
        }
    }

    // Queues.

    /** Stands in for {@link BlockingQueue#take}. */
    public static Object take(BlockingQueue<?> queue, String place) throws InterruptedException {
        if (isOwn(queue, "take")) {
            return queue.take();
        }
        requireOtherThanDelays(queue, place);
        return taken(interruptibly(Kind.TAKE, queue, null, Wait.FOREVER, place));
    }

    private static Object taken(Wait wait) {
        return wait == null ? null : wait.isNotified ? wait.given : ((BlockingQueue<?>) wait.on).poll();
    }

    /** Stands in for {@link BlockingQueue#poll(long, TimeUnit)}. */
    public static Object poll(BlockingQueue<?> queue, long time, TimeUnit unit, String place) throws InterruptedException {
        if (isOwn(queue, "poll", long.class, TimeUnit.class)) {
            return queue.poll(time, unit);
        }
        requireOtherThanDelays(queue, place);
        return taken(interruptibly(Kind.TAKE, queue, null, nanos(time, unit), place));
    }

    /** What such a queue has to give depends on the time that has passed. */
    private static void requireOtherThanDelays(BlockingQueue<?> queue, String place) {
        if (queue instanceof DelayQueue) {
            throw Hooks.control(place).refused("waits for an element of a DelayQueue", "which elements are due is no part of a state: set"
                + " timers, or schedule tasks");
        }
    }

    /** Stands in for {@link BlockingDeque#takeFirst}. */
    public static Object takeFirst(BlockingDeque<?> queue, String place) throws InterruptedException {
        return take(queue, place);
    }

    /** Stands in for {@link BlockingDeque#pollFirst(long, TimeUnit)}. */
    public static Object pollFirst(BlockingDeque<?> queue, long time, TimeUnit unit, String place) throws InterruptedException {
        return poll(queue, time, unit, place);
    }

    /** Stands in for {@link BlockingDeque#takeLast}. */
    public static Object takeLast(BlockingDeque<?> queue, String place) throws InterruptedException {
        Wait wait = interruptibly(Kind.TAKE, queue, null, Wait.FOREVER, place);
        return wait == null ? null : ((BlockingDeque<?>) wait.on).pollLast();
    }

    /** Stands in for {@link BlockingDeque#pollLast(long, TimeUnit)}. */
    public static Object pollLast(BlockingDeque<?> queue, long time, TimeUnit unit, String place) throws InterruptedException {
        Wait wait = interruptibly(Kind.TAKE, queue, null, nanos(time, unit), place);
        return wait == null ? null : ((BlockingDeque<?>) wait.on).pollLast();
    }

    /** Stands in for {@link BlockingQueue#put}. */
    @SuppressWarnings("unchecked")
    public static void put(BlockingQueue<?> queue, Object element, String place) throws InterruptedException {
        if (isOwn(queue, "put", Object.class)) {
            ((BlockingQueue<Object>) queue).put(element);
            return;
        }
        put(queue, element, Wait.FOREVER, place);
    }

    /** Puts an element into a queue, if that comes to pass. */
    @SuppressWarnings("unchecked")
    private static boolean put(BlockingQueue<?> queue, Object element, long nanos, String place) throws InterruptedException {
        Object on = queue;
        if (present(element) != null && queue instanceof Handoff<?> handoff) {
            if (handoff.give(element)) {
                return true;
            }
            on = handoff.wait(element);
        }
        Wait wait = Threads.pass(Kind.PUT, on, element, nanos, true, place);
        if (wait == null) {
            return false;
        }
        if (wait.on instanceof Handoff.Offer offer) {
            offer.end();
            if (offer.isTaken) {
                keepInterrupt(wait);
                return true;
            }
        }
        if (wait.isInterrupted) {
            throw new InterruptedException();
        }
        return !(wait.on instanceof Handoff.Offer) && ((BlockingQueue<Object>) wait.on).offer(wait.with);
    }

    /** Has the thread stay interrupted where an interrupt came too late to end its wait: another thread met it before it went on. */
    static void keepInterrupt(Wait wait) {
        if (wait.isInterrupted) {
            Threads.runs().isFlagged = true;
        }
    }

    /** Stands in for {@link BlockingQueue#offer(Object, long, TimeUnit)}. */
    @SuppressWarnings("unchecked")
    public static boolean offer(BlockingQueue<?> queue, Object element, long time, TimeUnit unit, String place) throws InterruptedException {
        if (isOwn(queue, "offer", Object.class, long.class, TimeUnit.class)) {
            return ((BlockingQueue<Object>) queue).offer(element, time, unit);
        }
        return put(queue, element, nanos(time, unit), place);
    }

    /** Stands in for {@link BlockingDeque#putLast}. */
    public static void putLast(BlockingDeque<?> queue, Object element, String place) throws InterruptedException {
        put(queue, element, place);
    }

    /** Stands in for {@link BlockingDeque#offerLast(Object, long, TimeUnit)}. */
    public static boolean offerLast(BlockingDeque<?> queue, Object element, long time, TimeUnit unit, String place)
            throws InterruptedException {
        return offer(queue, element, time, unit, place);
    }

    /** Stands in for {@link BlockingDeque#putFirst}. */
    public static void putFirst(BlockingDeque<?> queue, Object element, String place) throws InterruptedException {
        offerFirst(queue, element, Wait.FOREVER, TimeUnit.NANOSECONDS, place);
    }

    /** Stands in for {@link BlockingDeque#offerFirst(Object, long, TimeUnit)}. */
    @SuppressWarnings("unchecked")
    public static boolean offerFirst(BlockingDeque<?> queue, Object element, long time, TimeUnit unit, String place)
            throws InterruptedException {
        Wait wait = interruptibly(Kind.PUT, queue, present(element), unit == null ? 0 : unit.toNanos(time), place);
        return wait != null && ((BlockingDeque<Object>) wait.on).offerFirst(wait.with);
    }

    private static Object present(Object element) {
        if (isWrong(element)) {
            throw new NullPointerException();
        }
        return element;
    }

    // Locks and conditions.

    /** Stands in for {@link Lock#lock}. */
    public static void lock(Lock lock, String place) {
        if (isOwn(lock, "lock")) {
            lock.lock();
            return;
        }
        if (isOther(lock, place)) {
            lock.lock();
            return;
        }
        locked(Threads.pass(Kind.LOCK, lock, ActorReadWriteLock.ahead(lock, place), Wait.FOREVER, false, place));
    }

    /** Stands in for {@link Lock#lockInterruptibly}. */
    public static void lockInterruptibly(Lock lock, String place) throws InterruptedException {
        if (isOwn(lock, "lockInterruptibly")) {
            lock.lockInterruptibly();
            return;
        }
        if (isOther(lock, place)) {
            lock.lock();
            return;
        }
        locked(interruptibly(Kind.LOCK, lock, ActorReadWriteLock.ahead(lock, place), Wait.FOREVER, place));
    }

    /** Stands in for {@link Lock#tryLock(long, TimeUnit)}. */
    public static boolean tryLock(Lock lock, long time, TimeUnit unit, String place) throws InterruptedException {
        if (isOwn(lock, "tryLock", long.class, TimeUnit.class)) {
            return lock.tryLock(time, unit);
        }
        if (isOther(lock, place)) {
            return lock.tryLock();
        }
        return locked(interruptibly(Kind.LOCK, lock, ActorReadWriteLock.ahead(lock, place), nanos(time, unit), place));
    }

    private static boolean locked(Wait wait) {
        Threads here = Threads.here();
        if (wait == null || here != null && !wait.isFree(here.current(), here.agenda())) {
            return false;
        }
        Threads.acquire(Threads.runs(), wait.on, 1);
        return true;
    }

    /** Reports whether a lock is not one for which threads wait here; fails if it is not free. */
    private static boolean isOther(Lock lock, String place) {
        if (lock == null && Threads.isBack() || ThreadStandIns.isKept(lock)) {
            return false;
        }
        if (lock != null && lock.getClass().getClassLoader() == null) {
            if (!lock.tryLock()) {
                throw Hooks.control(place).refused("waits for a " + lock.getClass().getSimpleName(), "monitors, ReentrantLocks,"
                    + " ReentrantReadWriteLocks and StampedLocks can be waited for");
            }
            lock.unlock();
        }
        return true;
    }

    /** Stands in for {@link Condition#await()}. */
    public static void await(Condition condition, String place) throws InterruptedException {
        if (isOwn(condition, "await")) {
            condition.await();
            return;
        }
        awaits(Kind.CONDITION, condition, lockOf(condition), Wait.FOREVER, true, place);
    }

    /** Stands in for {@link Condition#awaitUninterruptibly}. */
    public static void awaitUninterruptibly(Condition condition, String place) {
        try {
            awaits(Kind.CONDITION, condition, lockOf(condition), Wait.FOREVER, false, place);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stands in for {@link Condition#await(long, TimeUnit)}. */
    public static boolean await(Condition condition, long time, TimeUnit unit, String place) throws InterruptedException {
        if (isOwn(condition, "await", long.class, TimeUnit.class)) {
            return condition.await(time, unit);
        }
        Wait wait = awaits(Kind.CONDITION, condition, lockOf(condition), nanos(time, unit), true, place);
        return wait != null && !wait.isTimedOut;
    }

    /** Stands in for {@link Condition#awaitNanos}: as long as the thread may wait, no time passes. */
    public static long awaitNanos(Condition condition, long nanos, String place) throws InterruptedException {
        if (isOwn(condition, "awaitNanos", long.class)) {
            return condition.awaitNanos(nanos);
        }
        Wait wait = awaits(Kind.CONDITION, condition, lockOf(condition), Math.min(nanos, Wait.FOREVER - 1), true, place);
        if (wait == null && Threads.here() != null) {
            Threads.here().current().wait.given = nanos;
        }
        return wait == null || wait.isTimedOut ? 0 : (Long) wait.given;
    }

    /** Stands in for {@link Condition#awaitUntil}. */
    public static boolean awaitUntil(Condition condition, Date deadline, String place) throws InterruptedException {
        if (isOwn(condition, "awaitUntil", Date.class)) {
            return condition.awaitUntil(deadline);
        }
        long millis = Threads.isBack() ? 0 : deadline.getTime() - TimeHooks.currentTimeMillis(place);
        Wait wait = awaits(Kind.CONDITION, condition, lockOf(condition), nanos(millis, TimeUnit.MILLISECONDS), true, place);
        return wait != null && !wait.isTimedOut;
    }

    private static Object lockOf(Condition condition) {
        return condition == null ? null : ((LockCondition) condition).lock;
    }

    // Others that one waits for.

    /** Stands in for {@link CountDownLatch#await()}. */
    public static void await(CountDownLatch latch, String place) throws InterruptedException {
        interruptibly(Kind.LATCH, latch, null, Wait.FOREVER, place);
    }

    /** Stands in for {@link CountDownLatch#await(long, TimeUnit)}. */
    public static boolean await(CountDownLatch latch, long time, TimeUnit unit, String place) throws InterruptedException {
        Wait wait = interruptibly(Kind.LATCH, latch, null, nanos(time, unit), place);
        return wait != null && ((CountDownLatch) wait.on).getCount() == 0;
    }

    /** Stands in for {@link Semaphore#acquire()}. */
    public static void acquire(Semaphore semaphore, String place) throws InterruptedException {
        acquire(semaphore, 1, place);
    }

    /** Stands in for {@link Semaphore#acquire(int)}. */
    public static void acquire(Semaphore semaphore, int permits, String place) throws InterruptedException {
        acquired(interruptibly(Kind.PERMITS, semaphore, permits, Wait.FOREVER, place));
    }

    /** Stands in for {@link Semaphore#acquireUninterruptibly()}. */
    public static void acquireUninterruptibly(Semaphore semaphore, String place) {
        acquireUninterruptibly(semaphore, 1, place);
    }

    /** Stands in for {@link Semaphore#acquireUninterruptibly(int)}. */
    public static void acquireUninterruptibly(Semaphore semaphore, int permits, String place) {
        acquired(Threads.pass(Kind.PERMITS, semaphore, permits, Wait.FOREVER, false, place));
    }

    /** Stands in for {@link Semaphore#tryAcquire(long, TimeUnit)}. */
    public static boolean tryAcquire(Semaphore semaphore, long time, TimeUnit unit, String place) throws InterruptedException {
        return tryAcquire(semaphore, 1, time, unit, place);
    }

    /** Stands in for {@link Semaphore#tryAcquire(int, long, TimeUnit)}. */
    public static boolean tryAcquire(Semaphore semaphore, int permits, long time, TimeUnit unit, String place)
            throws InterruptedException {
        return acquired(interruptibly(Kind.PERMITS, semaphore, permits, nanos(time, unit), place));
    }

    private static boolean acquired(Wait wait) {
        return wait != null && ((Semaphore) wait.on).tryAcquire(wait.count());
    }

    /** Stands in for {@link Future#get()}. */
    public static Object get(Future<?> future, String place) throws InterruptedException, ExecutionException {
        if (isOwn(future, "get")) {
            return future.get();
        }
        return result(interruptibly(Kind.RESULT, future, null, Wait.FOREVER, place));
    }

    /** Stands in for {@link Future#get(long, TimeUnit)}. */
    public static Object get(Future<?> future, long time, TimeUnit unit, String place)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (isOwn(future, "get", long.class, TimeUnit.class)) {
            return future.get(time, unit);
        }
        Wait wait = interruptibly(Kind.RESULT, future, null, nanos(time, unit), place);
        if (wait != null && !Wait.isDone(wait.on)) {
            throw new TimeoutException();
        }
        return result(wait);
    }

    private static Object result(Wait wait) throws InterruptedException, ExecutionException {
        if (wait == null) {
            return null;
        }
        if (!(wait.on instanceof Forked forked)) {
            return ((Future<?>) wait.on).get();
        }
        Forked.Result result = forked.result();
        if (result.thrown == null || result.isCancelled()) {
            return result.join();
        }
        throw new ExecutionException(result.thrown);
    }

    /** Stands in for {@link ExecutorService#awaitTermination}. */
    public static boolean awaitTermination(ExecutorService executor, long time, TimeUnit unit, String place) throws InterruptedException {
        if (isOwn(executor, "awaitTermination", long.class, TimeUnit.class)) {
            return executor.awaitTermination(time, unit);
        }
        Wait wait = interruptibly(Kind.TERMINATION, executor, null, nanos(time, unit), place);
        return wait != null && ((ExecutorService) wait.on).isTerminated();
    }

    /** Stands in for {@link ExecutorService#invokeAll(Collection)}. */
    public static List<?> invokeAll(ExecutorService executor, Collection<?> tasks, String place) throws InterruptedException {
        if (isOwn(executor, "invokeAll", Collection.class)) {
            return executor.invokeAll(tasks.stream().map(t -> (Callable<?>) t).toList());
        }
        List<Future<?>> futures = new ArrayList<>();
        if (!Threads.isBack()) {
            for (Object task : tasks) {
                futures.add(executor.submit((Callable<?>) task));
            }
        }
        Wait wait = Threads.pass(Kind.RESULTS, futures, null, Wait.FOREVER, true, place);
        if (wait != null && wait.isInterrupted) {
            ((List<?>) wait.on).forEach(f -> ((Future<?>) f).cancel(true));
            throw new InterruptedException();
        }
        return wait == null ? null : (List<?>) wait.on;
    }

    /** Stands in for {@link ExecutorService#invokeAny(Collection)}. */
    public static Object invokeAny(ExecutorService executor, Collection<?> tasks, String place) throws InterruptedException, ExecutionException {
        List<Future<?>> futures = new ArrayList<>();
        if (!Threads.isBack()) {
            if (tasks.isEmpty()) {
                throw new IllegalArgumentException();
            }
            for (Object task : tasks) {
                futures.add(executor.submit((Callable<?>) task));
            }
        }
        Wait wait = Threads.pass(Kind.ANY, futures, null, Wait.FOREVER, true, place);
        if (wait == null) {
            return null;
        }
        List<Object> all = new ArrayList<>((List<?>) wait.on);
        Object one = all.stream().filter(Wait::isDoneWell).findFirst().orElse(all.get(all.size() - 1));
        all.stream().filter(f -> !Wait.isDone(f)).forEach(f -> ((Future<?>) f).cancel(true));
        if (wait.isInterrupted) {
            throw new InterruptedException();
        }
        return one instanceof Forked forked ? forked.result().join() : ((Future<?>) one).get();
    }

    /** Stands in for {@code ExecutorService.close}. */
    public static void close(ExecutorService executor, String place) throws Exception {
        if (executor != null && isOwn(executor, "close")) {
            ((AutoCloseable) executor).close();
            return;
        }
        if (!Threads.isBack()) {
            executor.shutdown();
        }
        Wait wait = Threads.pass(Kind.TERMINATION, executor, null, Wait.FOREVER, false, place);
        assert wait == null || ((ExecutorService) wait.on).isTerminated();
    }

    /** Stands in for {@link CompletableFuture#join}. */
    public static Object join(CompletableFuture<?> future, String place) {
        Wait wait = Threads.pass(Kind.RESULT, future, null, Wait.FOREVER, false, place);
        return wait == null ? null : ((CompletableFuture<?>) wait.on).join();
    }
}
