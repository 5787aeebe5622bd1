package echo;

import harrier.ActorName;
import harrier.Final;
import harrier.Parameter;
import harrier.Scenario;
import java.util.ArrayList;
import java.util.List;

/**
 * An echo server and its clients, whole programs with sockets and threads, as they are deployed. The wrong version takes what
 * one call of {@code read} gives for a whole message, of which TCP may have brought a part.
 *
 * <p>Expected: verified; violated with {@code --set wrong=true}.
 */
public final class Echo extends Scenario {
    @Parameter("how many clients")
    int clients = 2;

    @Parameter("whether one read is taken for one message")
    boolean wrong = false;

    @Parameter("whether what is written arrives in parts of any size")
    boolean fragments = false;

    private final List<ActorName> names = new ArrayList<>();
    private ActorName server;

    @Override
    protected void setUp() {
        String[] arguments = wrong ? new String[] {"7000", "once"} : new String[] {"7000"};
        server = process("server", () -> EchoServer.main(arguments));
        for (int i = 1; i <= clients; i++) {
            String text = text(i);
            names.add(process("client" + i, () -> EchoClient.main(new String[] {"server", "7000", text})));
        }
        if (fragments) {
            network().fragments();
        }
    }

    private static String text(int client) {
        return "hi" + client;
    }

    @Final("each client gets its own text back")
    boolean echoed() {
        for (int i = 1; i <= clients; i++) {
            String answer = in(names.get(i - 1), () -> EchoClient.answer);
            if (!text(i).equals(answer)) {
                return false;
            }
        }
        return true;
    }

    @Final("the server counts all messages")
    boolean counted() {
        return in(server, () -> EchoServer.served) == clients;
    }
}
