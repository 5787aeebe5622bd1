package echo;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client of {@link EchoServer}: sends a text, whose two halves it writes one after the other, and reads the answer. */
public final class EchoClient {
    /** What came back; null as long as nothing did. */
    static String answer;

    private EchoClient() {}

    /** Runs a client with the server's host and port, and a text. */
    public static void main(String[] args) throws IOException, InterruptedException {
        byte[] text = args[2].getBytes(StandardCharsets.UTF_8);
        try (Socket socket = connect(args[0], Integer.parseInt(args[1]))) {
            OutputStream out = socket.getOutputStream();
            ByteArrayOutputStream first = new ByteArrayOutputStream();
            first.write(text.length);
            first.write(text, 0, text.length / 2);
            out.write(first.toByteArray());
            out.write(text, text.length / 2, text.length - text.length / 2);
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Socket connect(String host, int port) throws IOException, InterruptedException {
        while (true) {
            try {
                return new Socket(host, port);
            } catch (ConnectException e) {
                Thread.sleep(100); // the server has not begun
            }
        }
    }
}
