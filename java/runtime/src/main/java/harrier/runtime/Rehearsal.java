package harrier.runtime;

import harrier.runtime.actor.Envelope;
import harrier.runtime.jdk.JdkRewrite;
import harrier.runtime.program.Wire;
import harrier.runtime.step.ActorState;
import harrier.runtime.wire.EventKind;
import harrier.runtime.wire.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Answers the questions of a small check, from the compiler to the properties, in a virtual machine of its own. That
 * one archives the classes that a check needs when it ends, so that others start sooner: bridge/archive.go.
 */
public final class Rehearsal {
    private static final String PROGRAM = """
        import harrier.*;
        import java.util.*;

        public class Rehearsed extends Scenario {
            enum Kind { PUT, GET }
            record Ask(Kind kind, int key, String value) {}
            record Tell(Integer key, List<Integer> values) {}
            record Done() {}

            static final class Server extends Actor {
                private final Map<Integer, Integer> counts = new HashMap<>();
                private final Set<Integer> keys = new TreeSet<>();
                private final List<ActorName> clients = new ArrayList<>();
                private int asked;

                @Handler void on(Ask m, ActorName from) {
                    asked++;
                    clients.add(from);
                    if (counts.merge(m.key(), 1, Integer::sum) > asked / 2) keys.add(m.key());
                    reply(new Tell(m.key(), List.copyOf(counts.values())));
                }
            }

            static final class Client extends Actor {
                private final ActorName server;
                private String told;

                Client(ActorName server) { this.server = server; }

                @Override protected void start() { send(server, new Ask(Kind.GET, 1, "one")); }

                boolean waits(Tell m) { return told == null; }

                @Handler(when = "waits") void on(Tell m, ActorName from) {
                    told = "key " + m.key();
                    send(self(), new Done());
                }

                @Handler void on(Done m) {}
            }

            @Parameter protected int clients = 2;

            @Override protected void setUp() {
                ActorName server = create("server", new Server());
                for (ActorName c : create("client", clients, i -> new Client(server))) {
                    send(c, new Tell(1, List.of(1, 2)));
                }
            }

            @Invariant("few are told") boolean few() {
                return actors(Client.class).map(c -> c.told).filter(Objects::nonNull).distinct().count() <= 1;
            }
        }
        """;

    private final ByteBuffer answer = ByteBuffer.allocateDirect(1 << 20);

    private Rehearsal() {}

    public static void main(String[] arguments) throws IOException {
        String kept = System.getProperty("harrier.jdk");
        if (kept != null) {
            JdkRewrite.keep(Path.of(kept));
        }
        Path folder = Files.createTempDirectory("harrier-rehearsal");
        try {
            Path program = Files.writeString(folder.resolve("Rehearsed.java"), PROGRAM);
            System.setProperty("harrier.classes", folder.resolve("classes").toString());
            Rehearsal rehearsal = new Rehearsal();
            rehearsal.check(program);
            rehearsal.check(program); // whose compiled classes are found now
        } finally {
            delete(folder);
        }
    }

    private void check(Path program) {
        Wire.Reader facts = ask(Operation.LOAD, load(program.toString(), Map.of(), List.of("recheck", "all")));
        facts.string();
        facts.strings();
        List<ActorState> actors = facts.actors();
        List<Envelope> messages = facts.envelopes();
        Wire.Writer steps = new Wire.Writer().number(messages.size());
        for (Envelope m : messages) {
            steps.bytes(actors.stream().filter(a -> a.name().equals(m.receiver())).findFirst().orElseThrow().local());
            steps.number(EventKind.RECEIVE.ordinal()).number(1).string(m.sender()).string(m.receiver())
                .bytes(m.payload()).flag(false).flag(false);
        }
        ask(Operation.STEPS, steps);
        ask(Operation.EVALUATE, new Wire.Writer().number(1).number(0).bytes(new byte[0]).actors(actors)
            .envelopes(List.of()).number(0).number(0).number(0)); // nobody has stopped or is down, nothing is varied
    }

    /**
     * The question that loads a program without a class path.
     *
     * @param classes the program's own, instead of the files at the path
     * @param options names and values
     */
    static Wire.Writer load(String path, Map<String, byte[]> classes, List<String> options) {
        Wire.Writer question = new Wire.Writer().string(path).number(0).number(classes.size());
        classes.forEach((name, bytes) -> question.string(name).bytes(bytes));
        // no libraries, resources, scenario, parameters
        question.number(0).number(0).string("").number(0).number(options.size() / 2);
        options.forEach(question::string);
        return question;
    }

    private Wire.Reader ask(int operation, Wire.Writer question) {
        byte[] bytes = question.toBytes();
        answer.clear();
        Bridge.call(operation, 0, ByteBuffer.allocateDirect(bytes.length).put(bytes).flip(), answer);
        Wire.Reader reader = new Wire.Reader(answer.flip());
        int status = reader.number();
        if (status != 0) {
            throw new IllegalStateException("operation " + operation + " gave " + status + ": " + reader.string());
        }
        return reader;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path f : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(f);
            }
        }
    }
}
