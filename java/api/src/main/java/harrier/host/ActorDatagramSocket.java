package harrier.host;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A datagram socket of an actor, in place of the JDK's. Its own fields are a part of the state, those of the JDK's class are not. */
public class ActorDatagramSocket extends DatagramSocket implements ThreadState {
    private static final int UNBOUND = -1;

    private int port = UNBOUND;
    private int timeout;
    private boolean isShut;
    /** What was set, and says nothing here: a port is free as soon as its socket is closed, and no address is that of all. */
    private boolean reuses;
    private boolean broadcasts = true;
    /** The only address to which it sends, and from which it receives; null if there are others. */
    private InetSocketAddress other;
    /** What has come and nobody has received. */
    final List<Datagram> received = new ArrayList<>();

    public ActorDatagramSocket() throws SocketException {
        this(new InetSocketAddress(0));
    }

    public ActorDatagramSocket(int port) throws SocketException {
        this(new InetSocketAddress(port));
    }

    public ActorDatagramSocket(int port, InetAddress address) throws SocketException {
        this(new InetSocketAddress(address, port));
    }

    public ActorDatagramSocket(SocketAddress address) throws SocketException {
        super(new NoDatagrams());
        if (address != null) {
            bind(address);
        }
    }

    @Override
    public void bind(SocketAddress address) throws SocketException {
        if (port != UNBOUND) {
            throw new SocketException("already bound");
        }
        port = Sockets.bind(this, AddressHooks.requireOwn(address));
    }

    /** Reports whether a thread that receives can go on. */
    boolean mayReceive() {
        return isShut || !received.isEmpty();
    }

    /** For how long a thread waits that receives. */
    long patience() {
        return timeout == 0 ? Wait.FOREVER : TimeUnit.MILLISECONDS.toNanos(timeout);
    }

    void requireOpen() throws SocketException {
        if (isShut) {
            throw new SocketException("Socket is closed");
        }
    }

    /** Puts what has come first into a packet; what does not fit is lost. */
    void receiveInto(DatagramPacket packet) throws IOException {
        if (isShut) {
            throw new SocketException("Socket closed");
        } else if (received.isEmpty()) {
            throw new SocketTimeoutException("Receive timed out");
        }
        Datagram first = received.remove(0);
        byte[] into = packet.getData();
        int length = Math.min(first.data().length, Hooks.control("").room(packet));
        System.arraycopy(first.data(), 0, into, packet.getOffset(), length);
        Hooks.control("").fill(packet, length);
        packet.setAddress(AddressHooks.addressOf(first.from()));
        packet.setPort(first.fromPort());
    }

    /** Takes what comes, unless it is of none from whom it receives. */
    void take(Datagram datagram) {
        if (other == null || other.getPort() == datagram.fromPort()
                && other.getAddress().equals(AddressHooks.addressOf(datagram.from()))) {
            received.add(datagram);
        }
    }

    @Override
    public void send(DatagramPacket packet) throws IOException {
        requireOpen();
        InetAddress to = other != null ? other.getAddress() : packet.getAddress();
        if (to == null) {
            throw new IllegalArgumentException("Address not set");
        }
        int at = packet.getOffset();
        Sockets.send(port, AddressHooks.host(to), other != null ? other.getPort() : packet.getPort(),
            Arrays.copyOfRange(packet.getData(), at, at + packet.getLength()));
    }

    @Override
    public void receive(DatagramPacket packet) throws IOException {
        SocketHooks.receive(this, packet, "");
    }

    @Override
    public void connect(InetAddress address, int toPort) {
        other = new InetSocketAddress(address, toPort);
    }

    @Override
    public void connect(SocketAddress address) throws SocketException {
        other = (InetSocketAddress) address;
    }

    @Override
    public void disconnect() {
        other = null;
    }

    @Override
    public void close() {
        if (!isShut && port != UNBOUND) {
            Sockets.end(this);
        }
        isShut = true;
        received.clear();
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
    public boolean isConnected() {
        return other != null;
    }

    @Override
    public int getLocalPort() {
        return isShut ? -1 : Math.max(port, 0);
    }

    /** The port that it has. */
    int port() {
        return port;
    }

    @Override
    public InetAddress getLocalAddress() {
        return isShut ? null : AddressHooks.any();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return isShut ? null : new InetSocketAddress(AddressHooks.any(), getLocalPort());
    }

    @Override
    public InetAddress getInetAddress() {
        return other == null ? null : other.getAddress();
    }

    @Override
    public int getPort() {
        return other == null ? -1 : other.getPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return other;
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
    public void setSendBufferSize(int size) {
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
    public void setBroadcast(boolean on) {
        broadcasts = on;
    }

    @Override
    public boolean getBroadcast() {
        return broadcasts;
    }

    @Override
    public void setTrafficClass(int traffic) {
        // It tells what may be fast, and no more.
    }

    @Override
    public DatagramChannel getChannel() {
        return null;
    }

    @Override
    public String toString() {
        return "DatagramSocket[port " + port + "]";
    }
}
