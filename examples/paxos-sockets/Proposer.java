package paxossockets;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A proposer of Paxos: a client that asks the acceptors one after the other. */
public final class Proposer {
    /** The value that was chosen, as far as it knows; 0 as long as it does not. */
    static int chosen;

    private static final List<Connection> CONNECTIONS = new ArrayList<>();

    private Proposer() {}

    /** A connection with an acceptor. */
    private static final class Connection {
        private final BufferedReader in;
        private final PrintWriter out;

        Connection(Socket socket) throws IOException {
            in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
            out = new PrintWriter(socket.getOutputStream(), true);
        }

        String[] ask(String request) {
            out.println(request);
            try {
                String answer = in.readLine();
                return answer == null ? new String[] {"no"} : answer.split(" ");
            } catch (IOException e) {
                return new String[] {"no"}; // the acceptor has crashed
            }
        }
    }

    /** Runs a proposer: its ballot, its value, whether it proposes that in any case, the port and the hosts of acceptors. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int ballot = Integer.parseInt(args[0]);
        int value = Integer.parseInt(args[1]);
        boolean insists = Boolean.parseBoolean(args[2]);
        int acceptors = args.length - 4;
        int highest = 0;
        int promises = 0;
        for (int i = 0; i < acceptors && promises <= acceptors / 2; i++) {
            CONNECTIONS.add(new Connection(connect(args[4 + i], Integer.parseInt(args[3]))));
            String[] answer = CONNECTIONS.get(i).ask("prepare " + ballot);
            if (answer[0].equals("promise")) {
                promises++;
                int of = Integer.parseInt(answer[1]);
                if (of > highest && !insists) {
                    highest = of;
                    value = Integer.parseInt(answer[2]);
                }
            }
        }
        int accepted = 0;
        for (int i = 0; i < CONNECTIONS.size() && promises > acceptors / 2; i++) {
            accepted += CONNECTIONS.get(i).ask("accept " + ballot + " " + value)[0].equals("accepted") ? 1 : 0;
        }
        if (accepted > acceptors / 2) {
            chosen = value;
            System.out.println("chosen: " + value);
        }
    }

    private static Socket connect(String host, int port) throws IOException, InterruptedException {
        while (true) {
            try {
                return new Socket(host, port);
            } catch (ConnectException e) {
                Thread.sleep(100); // the acceptor has not begun
            }
        }
    }
}
