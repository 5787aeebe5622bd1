package harrier.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/** A socket of an actor, in place of the JDK's. Its own fields are a part of the state, those of the JDK's class are not. */
public class ActorSocket extends Socket implements ThreadState {
    /** Null as long as it is not connected. */
    private Connection connection;
    private int timeout;
    private boolean isShut;
    /** Whether closing it resets the connection. */
    private boolean isAbrupt;
    /** What was set, and says nothing here: what is written is sent at once, and nothing goes on by itself. */
    private boolean isPrompt;
    private boolean isKept;
    private boolean reuses;

    public ActorSocket() throws IOException {
        super((SocketImpl) null);
    }

    public ActorSocket(String host, int port) throws IOException {
        this();
        begin(host, port);
    }

    public ActorSocket(InetAddress address, int port) throws IOException {
        this(AddressHooks.host(address), port);
    }

    /** One that was accepted. */
    ActorSocket(Connection connection) throws IOException {
        this();
        this.connection = connection;
    }

    /** Begins to open a connection. */
    final void begin(String host, int port) throws IOException {
        if (isShut) {
            throw new SocketException("Socket is closed");
        } else if (connection != null) {
            throw new SocketException("already connected");
        }
        connection = Sockets.open(host, port);
    }

    /** Fails unless the connection is open. */
    final void requireOpened(boolean isTimedOut) throws IOException {
        if (connection.isOpen && !connection.isClosed) {
            return;
        }
        boolean wasClosed = isShut;
        close();
        if (wasClosed) {
            throw new SocketException("Socket closed");
        } else if (isTimedOut && !connection.isRefused) {
            throw new SocketTimeoutException("Connect timed out");
        }
        throw new ConnectException("Connection refused");
    }

    /** The end of the connection. */
    final Connection connection() {
        return connection;
    }

    /** For how long a thread waits that reads. */
    final long patience() {
        return timeout == 0 ? Wait.FOREVER : TimeUnit.MILLISECONDS.toNanos(timeout);
    }

    private void requireConnected() throws SocketException {
        if (isShut) {
            throw new SocketException("Socket is closed");
        } else if (connection == null) {
            throw new SocketException("Socket is not connected");
        }
    }

    @Override
    public void connect(SocketAddress address) throws IOException {
        SocketHooks.connect(this, address, "");
    }

    @Override
    public void connect(SocketAddress address, int millis) throws IOException {
        SocketHooks.connect(this, address, millis, "");
    }

    @Override
    public void bind(SocketAddress address) throws IOException {
        if (AddressHooks.requireOwn(address) != 0) {
            throw Hooks.control("").refused("binds a socket that opens a connection to a port", "each connection has a port of its own: take 0");
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        requireConnected();
        if (connection.isDeaf) {
            throw new SocketException("Socket input is shutdown");
        }
        return new SocketInput(this);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        requireConnected();
        if (connection.isShut) {
            throw new SocketException("Socket output is shutdown");
        }
        return new SocketOutput(this);
    }

    @Override
    public void shutdownInput() throws IOException {
        requireConnected();
        if (connection.isDeaf) {
            throw new SocketException("Socket input is already shutdown");
        }
        connection.isDeaf = true;
        connection.received = new byte[0];
    }

    @Override
    public void shutdownOutput() throws IOException {
        requireConnected();
        if (connection.isShut) {
            throw new SocketException("Socket output is already shutdown");
        }
        Sockets.shut(connection);
    }

    @Override
    public void close() throws IOException {
        isShut = true;
        if (connection != null && !connection.isRefused) {
            Sockets.close(connection, isAbrupt);
        }
    }

    @Override
    public boolean isClosed() {
        return isShut;
    }

    @Override
    public boolean isConnected() {
        return connection != null && connection.isOpen;
    }

    @Override
    public boolean isBound() {
        return connection != null;
    }

    @Override
    public boolean isInputShutdown() {
        return connection != null && connection.isDeaf;
    }

    @Override
    public boolean isOutputShutdown() {
        return connection != null && connection.isShut;
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        timeout = SocketHooks.positive(millis);
    }

    @Override
    public int getSoTimeout() {
        return timeout;
    }

    @Override
    public void setSoLinger(boolean on, int seconds) {
        isAbrupt = on && seconds == 0;
    }

    @Override
    public int getSoLinger() {
        return isAbrupt ? 0 : -1;
    }

    @Override
    public void setReceiveBufferSize(int size) {
        // Buffers have no bound.
    }

    @Override
    public void setSendBufferSize(int size) {
        // Buffers have no bound.
    }

    @Override
    public void setPerformancePreferences(int time, int latency, int bandwidth) {
        // They tell what may be fast, and no more.
    }

    @Override
    public int getPort() {
        return connection == null ? 0 : connection.isOpener ? connection.port : Sockets.openers(connection);
    }

    @Override
    public int getLocalPort() {
        return connection == null ? -1 : connection.isOpener ? Sockets.openers(connection) : connection.port;
    }

    @Override
    public InetAddress getInetAddress() {
        return connection == null ? null : AddressHooks.addressOf(connection.peer);
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return connection == null ? null : new InetSocketAddress(getInetAddress(), getPort());
    }

    @Override
    public InetAddress getLocalAddress() {
        return AddressHooks.addressOf(Sockets.self());
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return connection == null ? null : new InetSocketAddress(getLocalAddress(), getLocalPort());
    }

    @Override
    public void setTcpNoDelay(boolean on) {
        isPrompt = on;
    }

    @Override
    public boolean getTcpNoDelay() {
        return isPrompt;
    }

    @Override
    public void setKeepAlive(boolean on) {
        isKept = on;
    }

    @Override
    public boolean getKeepAlive() {
        return isKept;
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
    public void setTrafficClass(int traffic) {
        // It tells what may be fast, and no more.
    }

    @Override
    public SocketChannel getChannel() {
        return null;
    }

    @Override
    public String toString() {
        return connection == null ? "Socket[unconnected]" : "Socket[" + connection.peer + ", port " + getPort() + "]";
    }
}
