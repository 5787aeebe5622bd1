package harrier.host;

import harrier.host.Wait.Kind;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;

/** Stand in for methods of sockets that may wait: as {@link BlockingHooks} has it. */
public final class SocketHooks {
    private SocketHooks() {}

    /** Stands in for {@link ServerSocket#accept}. */
    public static Socket accept(ServerSocket server, String place) throws IOException {
        if (BlockingHooks.isOwn(server, "accept")) {
            return server.accept();
        }
        boolean isBack = Threads.isBack();
        if (!isBack) {
            ((ActorServerSocket) server).requireOpen();
        }
        Wait wait = Threads.pass(Kind.ACCEPT, server, null, isBack ? 0 : ((ActorServerSocket) server).patience(), false, place);
        return wait == null ? null : ((ActorServerSocket) wait.on).accepted();
    }

    /** Is called after a socket is made that opens a connection: waits for the answer. */
    public static void opened(Socket socket, String place) throws IOException {
        opened((ActorSocket) socket, Wait.FOREVER, place);
    }

    private static void opened(ActorSocket socket, long nanos, String place) throws IOException {
        Wait wait = Threads.pass(Kind.OPEN, socket == null ? null : socket.connection(), socket, nanos, false, place);
        if (wait != null) {
            ((ActorSocket) wait.with).requireOpened(wait.isTimedOut);
        }
    }

    /** Stands in for {@link Socket#connect(SocketAddress)}. */
    public static void connect(Socket socket, SocketAddress address, String place) throws IOException {
        connect(socket, address, 0, place);
    }

    /** Stands in for {@link Socket#connect(SocketAddress, int)}. */
    public static void connect(Socket socket, SocketAddress address, int millis, String place) throws IOException {
        if (BlockingHooks.isOwn(socket, "connect", SocketAddress.class, int.class)) {
            socket.connect(address, millis);
            return;
        }
        if (!Threads.isBack()) {
            InetSocketAddress to = (InetSocketAddress) address;
            if (to.isUnresolved()) {
                throw new UnknownHostException(to.getHostString());
            }
            ((ActorSocket) socket).begin(AddressHooks.host(to.getAddress()), to.getPort());
        }
        opened((ActorSocket) socket, millis == 0 ? Wait.FOREVER : TimeUnit.MILLISECONDS.toNanos(millis), place);
    }

    /** Stands in for {@link DatagramSocket#receive}. */
    public static void receive(DatagramSocket socket, DatagramPacket packet, String place) throws IOException {
        if (BlockingHooks.isOwn(socket, "receive", DatagramPacket.class)) {
            socket.receive(packet);
            return;
        }
        boolean isBack = Threads.isBack();
        if (!isBack) {
            ((ActorDatagramSocket) socket).requireOpen();
        }
        Wait wait = Threads.pass(Kind.DATAGRAM, socket, packet, isBack ? 0 : ((ActorDatagramSocket) socket).patience(), false, place);
        if (wait != null) {
            ((ActorDatagramSocket) wait.on).receiveInto((DatagramPacket) wait.with);
        }
    }

    static int positive(int millis) {
        if (millis < 0) {
            throw new IllegalArgumentException("timeout can't be negative");
        }
        return millis;
    }
}
