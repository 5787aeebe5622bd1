package harrier.host;

import java.io.IOException;
import java.io.InputStream;

/** What is read from a socket. */
final class SocketInput extends InputStream implements Source, ThreadState {
    private final ActorSocket socket;

    SocketInput(ActorSocket socket) {
        this.socket = socket;
    }

    @Override
    public int take(byte[] to, int offset, int length) throws IOException {
        return socket.connection().take(to, offset, length);
    }

    @Override
    public ActorSocket socket() {
        return socket;
    }

    @Override
    public int read() throws IOException {
        return StreamHooks.read(this, "");
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        return StreamHooks.read(this, to, offset, length, "");
    }

    @Override
    public int available() throws IOException {
        if (socket.isClosed()) {
            throw new java.net.SocketException("Socket closed");
        }
        return socket.connection().received.length;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
