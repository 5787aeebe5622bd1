package echo;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;

/** A server that sends back what it gets, with a thread for each client. A message is its length, in one byte, and its text. */
public final class EchoServer {
    /** How many messages were sent back. */
    static int served;

    private static boolean readsOnce;

    private EchoServer() {}

    /** Runs the server on a port; with a second argument it takes one read for one message. */
    public static void main(String[] args) throws IOException {
        readsOnce = args.length > 1;
        try (ServerSocket server = new ServerSocket(Integer.parseInt(args[0]))) {
            while (true) {
                Socket client = server.accept();
                new Thread(() -> serve(client), "serve").start();
            }
        }
    }

    private static void serve(Socket client) {
        try (client) {
            InputStream in = client.getInputStream();
            OutputStream out = client.getOutputStream();
            for (int length = in.read(); length >= 0; length = in.read()) {
                byte[] text = new byte[length];
                int n = length;
                if (readsOnce) {
                    n = in.read(text); // not all of it may be there
                } else {
                    new DataInputStream(in).readFully(text);
                }
                synchronized (EchoServer.class) {
                    served++;
                }
                out.write(text, 0, n);
                out.flush();
            }
        } catch (IOException e) {
            System.err.println("a client is gone: " + e.getMessage());
        }
    }
}
