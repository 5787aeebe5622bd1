package harrier.runtime.codec;

import harrier.runtime.UserProgram;
import harrier.runtime.actor.Envelope;
import harrier.runtime.step.Steps;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * How many local steps Java takes in a second of processor time, by the size of the actor: {@code make bench-codec}. A step decodes actor
 * and message, runs the handler, and encodes the actor; with rechecking all of it happens twice. The entries of Objects are four objects each: a
 * node of the map, two strings and an Entry.
 */
public final class StepsBench {
    static final String PROGRAM = """
        record Put(int key, String value) {}
        class Small extends Actor {
            int ballot; String value = "none"; List<Integer> log = new ArrayList<>(List.of(1, 2, 3)); Object last;
            @Handler void on(Put m) { ballot++; value = m.value(); log.add(m.key()); last = m; }
        }
        class Plain extends Actor {
            int ballot; String value = "none"; Put last;
            @Handler void on(Put m) { ballot++; value = m.value(); last = m; send(self(), m); }
        }
        class Large extends Actor {
            Map<Integer, String> table = new HashMap<>();
            Large() { for (int i = 0; i < 1000; i++) { table.put(i * 7919, "value " + i); } }
            @Handler void on(Put m) { table.put(m.key(), m.value()); }
        }
        class Objects extends Actor {
            static class Entry { int term; String text; Entry(int t, String s) { term = t; text = s; } }
            Map<String, Entry> table = new HashMap<>();
            Objects() { this(1000); }
            Objects(int entries) { for (int i = 0; i < entries; i++) { table.put("key " + i, new Entry(i, "value " + i)); } }
            @Handler void on(Put m) { table.put("key " + m.key(), new Entry(m.key(), m.value())); }
        }
        class Objects100 extends Objects { Objects100() { super(25); } }
        class Objects1000 extends Objects { Objects1000() { super(250); } }
        class Message implements java.util.function.Supplier<Object> { public Object get() { return new Put(3, "x"); } }
        """;

    /** Time that this thread really had: the machine may have other things to do. */
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private StepsBench() {}

    public static void main(String[] args) {
        UserProgram program = new UserProgram(PROGRAM);
        Object put = ((java.util.function.Supplier<?>) program.make("Message")).get();
        for (String actor : args.length > 0 ? args : new String[] {"Small", "Large", "Objects100", "Objects1000", "Objects"}) {
            for (boolean recheck : new boolean[] {false, true}) {
                byte[] local = program.local(actor);
                Envelope message = program.message(put);
                Steps steps = program.steps(recheck);
                measure(() -> UserProgram.answer(steps, local, message), 500_000_000L);
                double rate = measure(() -> UserProgram.answer(steps, local, message), 1_500_000_000L);
                System.out.printf("%-11s %7d bytes, recheck %-5s %,12.0f steps a second%n", actor, local.length, recheck, rate);
            }
        }
    }

    static double measure(Runnable step, long nanos) {
        long begin = CPU.getCurrentThreadCpuTime();
        long n = 0;
        while (CPU.getCurrentThreadCpuTime() - begin < nanos) {
            for (int i = 0; i < 10; i++) {
                step.run();
            }
            n += 10;
        }
        return n * 1e9 / (CPU.getCurrentThreadCpuTime() - begin);
    }
}
