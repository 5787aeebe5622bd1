package harrier.runtime.codec;

import harrier.runtime.UserProgram;
import harrier.runtime.step.Envelope;
import harrier.runtime.step.Steps;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * What other orders and a second copy of the program add to steps that are executed twice anyway: {@code make bench-orders}. Steps a second of
 * processor time, with and without, by turns, and the median of how they differ. Each has a virtual machine of its own, as checks have: in a
 * common one, what is compiled for one slows the other down. There are several pairs of machines, since none compiles as another does.
 */
public final class OrdersBench {
    private static final int PAIRS = 5;
    private static final int TURNS = 15;

    private OrdersBench() {}

    public static void main(String[] args) throws IOException {
        if (args.length > 0) {
            answer(args[0].equals("with"));
            return;
        }
        List<String> actors = List.of("Small", "Plain", "Large", "Objects");
        double[][] times = new double[actors.size()][PAIRS * TURNS];
        for (int pair = 0; pair < PAIRS; pair++) {
            try (Machine with = new Machine("with"); Machine without = new Machine("without")) {
                for (int i = 0; i < times.length; i++) {
                    with.rate(actors.get(i), 1_000_000_000L);
                    without.rate(actors.get(i), 1_000_000_000L);
                    for (int turn = 0; turn < TURNS; turn++) {
                        double rate = with.rate(actors.get(i), 100_000_000L);
                        times[i][pair * TURNS + turn] = without.rate(actors.get(i), 100_000_000L) / rate;
                    }
                }
            }
        }
        for (int i = 0; i < times.length; i++) {
            Arrays.sort(times[i]);
            int n = times[i].length;
            System.out.printf("%-8s %.2f times the processor time (quartiles %.2f and %.2f)%n", actors.get(i), times[i][n / 2],
                times[i][n / 4], times[i][n * 3 / 4]);
        }
    }

    /** Measures what each line of the input asks for: an actor, and for how many nanoseconds. */
    private static void answer(boolean with) throws IOException {
        UserProgram program = new UserProgram(StepsBench.PROGRAM);
        Envelope message = program.message(((Supplier<?>) program.make("Message")).get());
        Steps steps = with ? program.stepsWithTwin() : program.stepsTwice();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] asked = line.split(" ");
            byte[] local = program.local(asked[0]);
            System.out.println(StepsBench.measure(() -> steps.answer(local, message), Long.parseLong(asked[1])));
        }
    }

    /** A virtual machine like this one that measures. */
    private static final class Machine implements AutoCloseable {
        private final PrintStream to;
        private final BufferedReader from;

        Machine(String kind) throws IOException {
            List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), OrdersBench.class.getName(), kind));
            Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            to = new PrintStream(process.getOutputStream(), true);
            from = new BufferedReader(new InputStreamReader(process.getInputStream()));
        }

        /** Steps a second. */
        double rate(String actor, long nanos) throws IOException {
            to.println(actor + " " + nanos);
            return Double.parseDouble(from.readLine());
        }

        @Override
        public void close() {
            to.close();
        }
    }
}
