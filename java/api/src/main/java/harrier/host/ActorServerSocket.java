package harrier.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server socket of an actor, in place of the JDK's. Its own fields are a part of the state, those of the JDK's class are not. */
public class ActorServerSocket extends ServerSocket implements ThreadState {
    private static final int UNBOUND = -1;

    private int port = UNBOUND;
    private int timeout;
    private boolean isShut;
    /** What was set, and says nothing here: a port is free as soon as its server socket is closed. */
    private boolean reuses = true;
    /** The connections that nobody has accepted. */
    final List<Connection> backlog = new ArrayList<>();

    public ActorServerSocket() throws IOException {}

    public ActorServerSocket(int port) throws IOException {
        bind(new InetSocketAddress(port));
    }

    public ActorServerSocket(int port, int backlog) throws IOException {
        this(port);
    }

    public ActorServerSocket(int port, int backlog, InetAddress address) throws IOException {
        bind(new InetSocketAddress(address, port));
    }

    @Override
    public void bind(SocketAddress address) throws IOException {
        if (isShut) {
            throw new SocketException("Socket is closed");
        } else if (port != UNBOUND) {
            throw new SocketException("Already bound");
        }
        port = Sockets.listen(this, AddressHooks.requireOwn(address));
    }

    @Override
    public void bind(SocketAddress address, int backlogSize) throws IOException {
        bind(address);
    }

    /** Reports whether a thread that accepts can go on. */
    boolean mayAccept() {
        return isShut || !backlog.isEmpty();
    }

    /** For how long a thread waits that accepts. */
    long patience() {
        return timeout == 0 ? Wait.FOREVER : TimeUnit.MILLISECONDS.toNanos(timeout);
    }

    /** Fails if no connection can be accepted ever. */
    void requireOpen() throws SocketException {
        if (isShut) {
            throw new SocketException("Socket is closed");
        } else if (port == UNBOUND) {
            throw new SocketException("Socket is not bound yet");
        }
    }

    /** The first of the connections that nobody has accepted. */
    Socket accepted() throws IOException {
        if (isShut) {
            throw new SocketException("Socket closed");
        } else if (backlog.isEmpty()) {
            throw new SocketTimeoutException("Accept timed out");
        }
        return new ActorSocket(backlog.remove(0));
    }

    @Override
    public Socket accept() throws IOException {
        return SocketHooks.accept(this, "");
    }

    @Override
    public void close() throws IOException {
        if (isShut) {
            return;
        }
        isShut = true;
        if (port != UNBOUND) {
            Sockets.end(this);
        }
        for (Connection c : backlog) {
            Sockets.close(c, true);
        }
        backlog.clear();
    }

    @Override
    public boolean isClosed() {
        return isShut;
    }

    @Override
    public boolean isBound() {
        return port != UNBOUND;
    }

    @Override
    public int getLocalPort() {
        return port;
    }

    @Override
    public InetAddress getInetAddress() {
        return port == UNBOUND ? null : AddressHooks.any();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return port == UNBOUND ? null : new InetSocketAddress(AddressHooks.any(), port);
    }

    @Override
    public void setSoTimeout(int millis) {
        timeout = SocketHooks.positive(millis);
    }

    @Override
    public int getSoTimeout() {
        return timeout;
    }

    @Override
    public void setReceiveBufferSize(int size) {
        // Buffers have no bound.
    }

    @Override
    public void setReuseAddress(boolean on) {
        reuses = on;
    }

    @Override
    public boolean getReuseAddress() {
        return reuses;
    }

    @Override
    public void setPerformancePreferences(int time, int latency, int bandwidth) {
        // They tell what may be fast, and no more.
    }

    @Override
    public ServerSocketChannel getChannel() {
        return null;
    }

    @Override
    public String toString() {
        return "ServerSocket[" + (port == UNBOUND ? "unbound" : "port " + port) + "]";
    }
}
