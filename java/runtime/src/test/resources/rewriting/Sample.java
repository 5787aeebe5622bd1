import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

/**
 * What CallRewrite and StaticsRewrite are tested on, as compilers of several versions make it:
 * javac --release N -d N Sample.java && jar cf sample-N.jar -C N .
 */
public class Sample implements Callable<String> {
    static int writes;
    static final Map<String, Integer> TABLE = new HashMap<>();

    static {
        writes = 3;
        TABLE.put("a", 1);
    }

    interface Timed {
        default long time() { LongSupplier s = System::nanoTime; return s.getAsLong(); }
        static long late(boolean b) { return b ? System.currentTimeMillis() : 7L; }
    }

    static class Own extends Random implements Timed {
        Own() { super(); }
        @Override public int nextInt(int bound) { return 0; }
        int more() { return super.nextInt(3); }
    }

    sealed interface Shape permits Circle, Square {}
    record Circle(double r) implements Shape {}
    record Square(double side) implements Shape {}
    enum Colour { RED { int n() { return 1; } }, BLUE; int n() { return 2; } }

    static class Worker extends Thread {
        Worker() { super("worker"); }
        @Override public void run() { throw new IllegalStateException(); }
    }

    static double area(Object o) {
        if (o instanceof Circle c) return c.r();
        return switch (Colour.valueOf("RED")) { case RED -> 1; case BLUE -> o instanceof Square s ? s.side() : 2; };
    }

    public String call() throws Exception {
        List<String> told = new ArrayList<>();
        long wide = System.currentTimeMillis() + (told.isEmpty() ? Timed.late(true) : 9);
        told.add("time " + wide + " " + new Own().time() + " " + new Date().getTime() + " " + java.time.LocalDate.now());
        Supplier<Date> makes = Date::new;
        told.add("made " + makes.get().getTime());
        told.add("own " + new Own().nextInt(9));
        told.add(refused(() -> new Worker().start()));
        told.add(refused(() -> new CompletableFuture<String>().get()));
        CompletableFuture<String> done = CompletableFuture.completedFuture("done");
        told.add(done.get() + done.join());
        Function<Future<String>, String> gets = f -> { try { return f.get(); } catch (Exception e) { throw new Error(e); } };
        told.add(gets.apply(done));
        ExecutorService pool = Executors.newFixedThreadPool(1);
        told.add(refused(() -> pool.submit(() -> "ran")));
        Executor here = Runnable::run;
        here.execute(() -> told.add("here"));
        told.add(refused(() -> done.thenAcceptAsync(told::add)));
        done.thenAcceptAsync(told::add, here);
        Consumer<Runnable> runs = pool::execute;
        told.add(refused(() -> runs.accept(() -> {})));
        told.add(refused(() -> new Random().nextInt(1 + told.size())));
        told.add("seeded " + new Random(4).nextInt(100));
        told.add(refused(Sample::new, Thread::sleep));
        told.add(refused(() -> List.of(1, 2).parallelStream().mapToInt(i -> i).sum()));
        ThreadLocal<Integer> kept = ThreadLocal.withInitial(() -> 5);
        kept.set(kept.get() + 1);
        told.add("kept " + kept.get() + " area " + area(new Circle(2)) + " " + TABLE);
        try {
            synchronized (told) { writes++; }
            writes += told.size() > 1000000 ? 1 : 0;
        } finally {
            told.add("end");
        }
        return String.join("\n", told);
    }

    interface Deed { void act() throws Exception; }
    interface Sleep { void sleep(long millis) throws Exception; }

    static String refused(Deed deed) {
        try { deed.act(); return "went"; } catch (Exception e) { return "failed " + e; } catch (Error e) { return e.getMessage(); }
    }

    static String refused(Supplier<Sample> makes, Sleep sleep) {
        return refused(() -> { if (makes.get() != null) sleep.sleep(2L); });
    }
}
