package harrier.host;

import harrier.host.Wait.Kind;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;

/** Stand in for methods of sockets that may wait, and for those that ask for addresses: as {@link BlockingHooks} has it. */
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
            ((ActorSocket) socket).begin(host(to.getAddress()), to.getPort());
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

    // Addresses.

    /** The address of a host with a name, or its digits. */
    public static InetAddress address(String host) throws UnknownHostException {
        String name = host == null || host.isEmpty() ? "localhost" : host;
        if (isDigits(name)) {
            return InetAddress.getByName(name);
        }
        Object actor = World.current().actorAt(name, World.ANY_PORT);
        if (actor == null) {
            throw new UnknownHostException(host);
        }
        return actor == World.SELF || name.equals("localhost") ? InetAddress.getByAddress(name, new byte[] {127, 0, 0, 1})
            : addressOf(actor, name);
    }

    private static boolean isDigits(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || c >= '0' && c <= '9');
    }

    /** Stands in for {@link InetAddress#getByName}. */
    public static InetAddress getByName(String host, String place) throws UnknownHostException {
        return address(host);
    }

    /** Stands in for {@link InetAddress#getAllByName}. */
    public static InetAddress[] getAllByName(String host, String place) throws UnknownHostException {
        return new InetAddress[] {address(host)};
    }

    /** Stands in for {@link InetAddress#getLocalHost}. */
    public static InetAddress getLocalHost(String place) {
        return addressOf(Sockets.self());
    }

    static InetAddress addressOf(Object actor) {
        return addressOf(actor, actor.toString());
    }

    private static InetAddress addressOf(Object actor, String name) {
        try {
            return InetAddress.getByAddress(name, World.current().addressOf(actor.toString()));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The address that stands for all that an actor has. */
    static InetAddress any() {
        try {
            return InetAddress.getByAddress(new byte[4]);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The name of a host with an address, or its digits. */
    static String host(InetAddress address) {
        if (address == null || address.isAnyLocalAddress()) {
            return "localhost";
        }
        String shown = address.toString(); // the name, if it is known, a slash, and the digits
        return shown.startsWith("/") ? address.getHostAddress() : shown.substring(0, shown.indexOf('/'));
    }
}
