package paxossockets;

import harrier.ActorName;
import harrier.Invariant;
import harrier.Parameter;
import harrier.Scenario;
import harrier.Sometimes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Paxos with sockets and threads, as it is handed in: each acceptor and each proposer is a program with a main method and static
 * fields. In the wrong version a proposer proposes its own value although an acceptor has told it of another one. An acceptor that
 * crashes forgets what it promised, so {@code --set crashes=1} is violated, too.
 *
 * <p>Expected: verified; violated with {@code --set wrong=true}.
 */
public final class PaxosSockets extends Scenario {
    @Parameter("how many proposers")
    int proposers = 2;

    @Parameter("how many acceptors")
    int acceptors = 3;

    @Parameter("whether proposers ignore what acceptors have accepted")
    boolean wrong = false;

    @Parameter("how many acceptors crash, which keep nothing on disk")
    int crashes = 0;

    private final List<ActorName> names = new ArrayList<>();

    @Override
    protected void setUp() {
        List<String> hosts = IntStream.rangeClosed(1, acceptors).mapToObj(i -> "acceptor" + i).toList();
        hosts.forEach(host -> process(host, () -> Acceptor.main(new String[] {"7000"})));
        for (int i = 1; i <= proposers; i++) {
            List<String> arguments = new ArrayList<>(List.of("" + i, "" + 10 * i, "" + wrong, "7000"));
            List<String> order = new ArrayList<>(hosts);
            Collections.rotate(order, 1 - i);
            arguments.addAll(order);
            names.add(process("proposer" + i, () -> Proposer.main(arguments.toArray(String[]::new))));
        }
        faults().crashes(crashes, hosts.toArray(String[]::new));
    }

    private int[] chosen() {
        return names.stream().mapToInt(p -> in(p, () -> Proposer.chosen)).filter(v -> v > 0).distinct().toArray();
    }

    @Invariant("all choose one value")
    boolean agreement() {
        return chosen().length <= 1;
    }

    @Sometimes("a value is chosen")
    boolean isChosen() {
        return chosen().length == 1;
    }
}
