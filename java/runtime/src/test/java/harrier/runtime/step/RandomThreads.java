package harrier.runtime.step;

import harrier.runtime.step.ThreadTwin.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A random program of threads, as the instructions of {@link ThreadTwin} and as Java. */
final class RandomThreads {
    private static final int DEEPEST = 2;

    final List<List<Op>> threads = new ArrayList<>();
    private final List<String> bodies = new ArrayList<>();
    private final Random random;

    RandomThreads(Random random) {
        this.random = random;
        int count = 2 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            List<Op> ops = new ArrayList<>();
            StringBuilder text = new StringBuilder();
            block(ops, text, 0, 0, 3 + random.nextInt(3));
            ops.add(new Op("log", i));
            text.append("log(").append(i).append(", acc, wide, half);\n");
            threads.add(ops);
            bodies.add(text.toString());
        }
    }

    /** Adds some statements. held has a bit for each lock that the thread has. */
    private void block(List<Op> ops, StringBuilder text, int depth, int held, int length) {
        for (int i = 0; i < length; i++) {
            int lock = random.nextInt(3);
            boolean has = (held & 1 << lock) != 0;
            switch (random.nextInt(36)) {
                case 0, 1 -> add(ops, text, "put", random.nextInt(2), "q%d.put(" + 3 + ");");
                case 2, 20 -> add(ops, text, "take", random.nextInt(2), "acc = acc * 2 + q%d.take(); half = half + 1;");
                case 3 -> add(ops, text, "release", 0, "sem.release();");
                case 4 -> add(ops, text, "acquire", 0, "acc = acc + 1; sem.acquire();");
                case 12 -> add(ops, text, "arrive", 0, "try { barrier.await(); } catch (BrokenBarrierException e) { throw new IllegalStateException(e); }");
                case 13 -> add(ops, text, "hand", 0, "hand.put(5);");
                case 14 -> add(ops, text, "grab", 0, "acc = acc * 2 + hand.take();");
                case 15, 23 -> add(ops, text, "read", 0, "acc += shared;");
                case 16, 22 -> add(ops, text, "write", 0, "shared = acc;");
                case 18 -> add(ops, text, "count up", 0, "tally = tally * 2 + acc;");
                case 19, 24, 30 -> add(ops, text, "look", 0, "mine = tally;");
                case 25, 31, 32 -> add(ops, text, "use", 0, "acc += mine;");
                case 5, 21 -> add(ops, text, "yield", 0, "Thread.yield();");
                case 6 -> {
                    if (has) {
                        add(ops, text, "wait", lock, lock == 2 ? "cond.await();" : "m%d.wait();");
                    } else {
                        add(ops, text, "count", 0, "latch.countDown();");
                    }
                }
                case 7 -> {
                    if (has) {
                        add(ops, text, "notify", lock, lock == 2 ? "cond.signal();" : "m%d.notify();");
                    } else {
                        add(ops, text, "await", 0, "latch.await(); wide += 1;");
                    }
                }
                case 8 -> {
                    if (has) {
                        add(ops, text, "notifyAll", lock, lock == 2 ? "cond.signalAll();" : "m%d.notifyAll();");
                    } else {
                        add(ops, text, "log", 7, "log(7, acc, wide, half);");
                    }
                }
                case 9, 11 -> add(ops, text, "fail", 0, "if (acc % 2 != 0) throw new IllegalStateException();");
                case 10, 17 -> {
                    if (depth == 0) {
                        locked(ops, text, lock, () -> {
                            add(ops, text, "yield", 0, "Thread.yield();");
                            int other = (lock + 1 + random.nextInt(2)) % 3;
                            locked(ops, text, other, () -> block(ops, text, DEEPEST, held | 1 << lock | 1 << other, 1));
                        });
                    }
                }
                default -> {
                    if (depth < DEEPEST) {
                        locked(ops, text, lock, () -> block(ops, text, depth + 1, held | 1 << lock, 1 + random.nextInt(3)));
                    }
                }
            }
        }
    }

    private static void locked(List<Op> ops, StringBuilder text, int lock, Runnable within) {
        ops.add(new Op("lock", lock));
        text.append(lock == 2 ? "lock.lock(); try {\n" : "synchronized (m" + lock + ") {\n");
        within.run();
        ops.add(new Op("unlock", lock));
        text.append(lock == 2 ? "} finally { lock.unlock(); }\n" : "}\n");
    }

    private static void add(List<Op> ops, StringBuilder text, String name, int argument, String java) {
        ops.add(new Op(name, argument));
        text.append(java.replace("%d", "" + argument)).append('\n');
    }

    /** A scenario with a number. */
    String source(int number) {
        StringBuilder text = new StringBuilder("class S" + number + " extends Scenario { protected void setUp() { create(\"a\", new A" + number
            + "()); }\n@Invariant boolean logs() { return actors(A" + number + ".class).allMatch(a -> a.log.length() >= 0); } }\nclass A" + number + """
             extends Actor {
                final BlockingQueue<Integer> q0 = new LinkedBlockingQueue<>(), q1 = new ArrayBlockingQueue<>(1);
                final Object m0 = new Object(), m1 = new Object();
                final ReentrantLock lock = new ReentrantLock();
                final Condition cond = lock.newCondition();
                final CyclicBarrier barrier = new CyclicBarrier(2);
                final SynchronousQueue<Integer> hand = new SynchronousQueue<>();
                volatile int shared;
                int tally;
                final Semaphore sem = new Semaphore(1);
                final CountDownLatch latch = new CountDownLatch(1);
                String log = "";
                void log(int who, int acc, long wide, double half) { log += who + ":" + acc + ":" + (wide - 4_000_000_000L) + ":" + (int) half + " "; }
                protected void start() {
            """);
        for (int i = 0; i < bodies.size(); i++) {
            text.append("new Thread(() -> { try { t").append(i).append("(); } catch (InterruptedException e) { throw new IllegalStateException(e); } }, \"t")
                .append(i).append("\").start();\n");
        }
        text.append("}\n");
        for (int i = 0; i < bodies.size(); i++) {
            text.append("void t").append(i).append("() throws InterruptedException { int acc = 0, mine = 0; long wide = 4_000_000_000L; double half = 0.5;\n")
                .append(bodies.get(i)).append("}\n");
        }
        return text.append("}\n").toString();
    }
}
