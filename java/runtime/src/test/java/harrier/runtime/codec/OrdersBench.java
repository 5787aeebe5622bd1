package harrier.runtime.codec;

import harrier.runtime.UserProgram;
import harrier.runtime.actor.Envelope;
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
 * What other orders of hash collections, and then a second copy of the program, add to steps that are executed twice anyway:
 * {@code make bench-orders}. Steps a second of processor time, by turns, and the median of how they differ. Each kind has a virtual machine
 * of its own, as checks have: in a common one, the code compiled for one slows the others down. There are several machines of
 * each kind, since none compiles as another does.
 */
public final class OrdersBench {
    private static final int MACHINES = 5;
    private static final int TURNS = 15;

    /** How steps are executed for the second time. */
    private enum Kind {
        PLAIN, ORDERS, COPY;

        Steps steps(UserProgram program) {
            return switch (this) {
                case PLAIN -> program.stepsTwice();
                case ORDERS -> program.steps(true);
                case COPY -> program.stepsOnSecondCopy();
            };
        }
    }

    private OrdersBench() {}

    public static void main(String[] args) throws IOException {
        if (args.length > 0) {
            answer(Kind.valueOf(args[0]));
            return;
        }
        List<String> actors = List.of("Small", "Plain", "Large", "Objects");
        double[][] orders = new double[actors.size()][MACHINES * TURNS];
        double[][] copies = new double[actors.size()][MACHINES * TURNS];
        for (int n = 0; n < MACHINES * TURNS; n += TURNS) {
            try (Machine plain = new Machine(Kind.PLAIN); Machine order = new Machine(Kind.ORDERS); Machine copy = new Machine(Kind.COPY)) {
                for (int i = 0; i < actors.size(); i++) {
                    for (Machine machine : List.of(plain, order, copy)) {
                        machine.rate(actors.get(i), 1_000_000_000L);
                    }
                    for (int turn = n; turn < n + TURNS; turn++) {
                        double rate = plain.rate(actors.get(i), 100_000_000L);
                        orders[i][turn] = rate / order.rate(actors.get(i), 100_000_000L);
                        copies[i][turn] = rate / copy.rate(actors.get(i), 100_000_000L);
                    }
                }
            }
        }
        for (int i = 0; i < actors.size(); i++) {
            System.out.printf("%-8s other orders %s, on a second copy %s%n", actors.get(i), times(orders[i]), times(copies[i]));
        }
    }

    private static String times(double[] ratios) {
        Arrays.sort(ratios);
        int n = ratios.length;
        return String.format("%.2f times the processor time (quartiles %.2f and %.2f)", ratios[n / 2], ratios[n / 4], ratios[n * 3 / 4]);
    }

    /** Measures what each line of the input asks for: an actor, and for how many nanoseconds. */
    private static void answer(Kind kind) throws IOException {
        UserProgram program = new UserProgram(StepsBench.PROGRAM);
        Envelope message = program.message(((Supplier<?>) program.make("Message")).get());
        Steps steps = kind.steps(program);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] asked = line.split(" ");
            byte[] local = program.local(asked[0]);
            System.out.println(StepsBench.measure(() -> UserProgram.answer(steps, local, message), Long.parseLong(asked[1])));
        }
    }

    /** A virtual machine like this one that measures. */
    private static final class Machine implements AutoCloseable {
        private final PrintStream to;
        private final BufferedReader from;

        Machine(Kind kind) throws IOException {
            List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), OrdersBench.class.getName(), kind.name()));
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
