package harrier.runtime.codec;

import harrier.runtime.UserProgram;
import harrier.runtime.step.Envelope;
import harrier.runtime.step.Steps;
import java.util.Arrays;
import java.util.List;

/**
 * What other orders and a second copy of the program add to steps that are executed twice anyway: {@code make bench-orders}. Steps a second of
 * processor time, with and without, by turns, and the median of how they differ.
 */
public final class OrdersBench {
    private static final int TURNS = 51;

    private OrdersBench() {}

    public static void main(String[] args) {
        UserProgram program = new UserProgram(StepsBench.PROGRAM);
        Object put = ((java.util.function.Supplier<?>) program.make("Message")).get();
        Steps with = program.stepsWithTwin();
        Steps without = program.stepsTwice();
        for (String actor : List.of("Small", "Plain", "Large", "Objects")) {
            byte[] local = program.local(actor);
            Envelope message = program.message(put);
            double[] times = new double[TURNS];
            StepsBench.measure(() -> with.answer(local, message), 1_000_000_000L);
            StepsBench.measure(() -> without.answer(local, message), 1_000_000_000L);
            for (int i = 0; i < TURNS; i++) {
                double rate = StepsBench.measure(() -> with.answer(local, message), 100_000_000L);
                times[i] = StepsBench.measure(() -> without.answer(local, message), 100_000_000L) / rate;
            }
            Arrays.sort(times);
            System.out.printf("%-8s %7d bytes: %.2f times the processor time (quartiles %.2f and %.2f)%n", actor, local.length,
                times[TURNS / 2], times[TURNS / 4], times[TURNS * 3 / 4]);
        }
    }
}
