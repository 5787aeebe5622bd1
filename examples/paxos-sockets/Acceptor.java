package paxossockets;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.ServerSocket;
import java.net.Socket;

/** An acceptor of Paxos: a server with a thread for each proposer. */
public final class Acceptor {
    private static final Object LOCK = new Object();

    /** The highest ballot that it has promised. */
    private static int promised;
    /** The ballot in which it has accepted a value, and the value; 0 if it has not. */
    private static int acceptedBallot;
    private static int acceptedValue;

    private Acceptor() {}

    /** Runs an acceptor on a port. */
    public static void main(String[] args) throws IOException {
        try (ServerSocket server = new ServerSocket(Integer.parseInt(args[0]))) {
            while (true) {
                Socket proposer = server.accept();
                new Thread(() -> serve(proposer), "serve").start();
            }
        }
    }

    private static void serve(Socket proposer) {
        try (proposer;
                BufferedReader in = new BufferedReader(new InputStreamReader(proposer.getInputStream()));
                PrintWriter out = new PrintWriter(proposer.getOutputStream(), true)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(answer(line.split(" ")));
            }
        } catch (IOException e) {
            System.err.println("a proposer is gone: " + e.getMessage());
        }
    }

    private static String answer(String[] request) {
        int ballot = Integer.parseInt(request[1]);
        synchronized (LOCK) {
            if (ballot < promised) {
                return "no";
            }
            promised = ballot;
            if (request[0].equals("prepare")) {
                return "promise " + acceptedBallot + " " + acceptedValue;
            }
            acceptedBallot = ballot;
            acceptedValue = Integer.parseInt(request[2]);
            return "accepted";
        }
    }
}
