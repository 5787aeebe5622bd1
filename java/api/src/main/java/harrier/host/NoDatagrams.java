package harrier.host;

import java.net.DatagramPacket;
import java.net.DatagramSocketImpl;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;

/** What the JDK's part of an {@link ActorDatagramSocket} has in place of the network: nothing is ever asked of it. */
final class NoDatagrams extends DatagramSocketImpl {
    private static Error asked() {
        return new AssertionError("the JDK's part of a datagram socket is used");
    }

    @Override
    protected void create() {
        // It has nothing to create.
    }

    @Override
    protected void bind(int port, InetAddress address) {
        throw asked();
    }

    @Override
    protected void send(DatagramPacket packet) {
        throw asked();
    }

    @Override
    protected int peek(InetAddress address) {
        throw asked();
    }

    @Override
    protected int peekData(DatagramPacket packet) {
        throw asked();
    }

    @Override
    protected void receive(DatagramPacket packet) {
        throw asked();
    }

    @Override
    @Deprecated
    protected void setTTL(byte ttl) {
        throw asked();
    }

    @Override
    @Deprecated
    protected byte getTTL() {
        throw asked();
    }

    @Override
    protected void setTimeToLive(int ttl) {
        throw asked();
    }

    @Override
    protected int getTimeToLive() {
        throw asked();
    }

    @Override
    protected void join(InetAddress group) {
        throw asked();
    }

    @Override
    protected void leave(InetAddress group) {
        throw asked();
    }

    @Override
    protected void joinGroup(SocketAddress group, NetworkInterface network) {
        throw asked();
    }

    @Override
    protected void leaveGroup(SocketAddress group, NetworkInterface network) {
        throw asked();
    }

    @Override
    protected void close() {
        // It has nothing to close.
    }

    @Override
    public void setOption(int option, Object value) {
        throw asked();
    }

    @Override
    public Object getOption(int option) {
        throw asked();
    }
}
