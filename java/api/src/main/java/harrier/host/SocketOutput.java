package harrier.host;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/** What is written to a socket: what one call writes is one segment. */
final class SocketOutput extends OutputStream implements ThreadState {
    private final ActorSocket socket;

    SocketOutput(ActorSocket socket) {
        this.socket = socket;
    }

    @Override
    public void write(int one) throws IOException {
        Sockets.write(socket.connection(), new byte[] {(byte) one});
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        Sockets.write(socket.connection(), Arrays.copyOfRange(from, offset, offset + length));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
