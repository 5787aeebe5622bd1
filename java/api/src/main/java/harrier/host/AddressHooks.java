package harrier.host;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;

/** Stand in for methods that ask for the addresses of hosts, each of which is an actor. */
public final class AddressHooks {
    /** The address of hosts that there are not. */
    private static final byte[] NOBODY = {-1, -1, -1, -1};

    private AddressHooks() {}

    /** The address of a host with a name, or its digits, where a port of it is meant. */
    private static InetAddress addressAt(String host, int port) throws UnknownHostException {
        String name = host == null || host.isEmpty() ? "localhost" : host;
        if (isDigits(name)) {
            return InetAddress.getByName(name);
        }
        Object actor = World.current().actorAt(name, port);
        if (actor == null) {
            throw new UnknownHostException(host);
        }
        return actor == World.SELF || name.equals("localhost") ? made(name, new byte[] {127, 0, 0, 1})
            : addressOf(actor, name);
    }

    private static boolean isDigits(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || c >= '0' && c <= '9');
    }

    /** The address of a host for an address with a port; {@link #resolved} knows it where there is no such host. */
    public static InetAddress address(String host, int port) {
        if (host == null) {
            throw new IllegalArgumentException("hostname can't be null");
        }
        try {
            return addressAt(host, port);
        } catch (UnknownHostException e) {
            return made(host, NOBODY);
        }
    }

    /** Is given each address that was made of a name and a port: one of no host is unresolved. */
    public static InetSocketAddress resolved(InetSocketAddress address) {
        boolean isNobodys = Arrays.equals(address.getAddress().getAddress(), NOBODY);
        return isNobodys ? InetSocketAddress.createUnresolved(address.getHostString(), address.getPort()) : address;
    }

    /** Refuses to take a port of other addresses than the actor's own. */
    static int requireOwn(SocketAddress address) throws SocketException {
        InetSocketAddress at = address == null ? new InetSocketAddress(0) : (InetSocketAddress) address;
        if (at.isUnresolved()) {
            throw new SocketException("Unresolved address");
        }
        Object self = Sockets.self();
        InetAddress host = at.getAddress();
        boolean isOwn = host.isAnyLocalAddress() || host.equals(addressOf(self))
            || host.isLoopbackAddress() && self.equals(World.current().actorAt("localhost", at.getPort()));
        if (!isOwn) {
            throw Hooks.control("").refused("binds a socket to " + host.getHostAddress(),
                "others reach an actor by its own address only: take new InetSocketAddress(port)");
        }
        return at.getPort();
    }

    /** Stands in for {@link InetAddress#getByName}. */
    public static InetAddress getByName(String host, String place) throws UnknownHostException {
        return addressAt(host, World.ANY_PORT);
    }

    /** Stands in for {@link InetAddress#getAllByName}. */
    public static InetAddress[] getAllByName(String host, String place) throws UnknownHostException {
        return new InetAddress[] {addressAt(host, World.ANY_PORT)};
    }

    /** Stands in for {@link InetAddress#getLocalHost}. */
    public static InetAddress getLocalHost(String place) {
        Threads.requireNoInitializer("asks for its own address");
        return addressOf(Sockets.self());
    }

    static InetAddress addressOf(Object actor) {
        return addressOf(actor, actor.toString());
    }

    private static InetAddress addressOf(Object actor, String name) {
        return made(name, World.current().addressOf(actor.toString()));
    }

    private static InetAddress made(String name, byte[] digits) {
        try {
            return InetAddress.getByAddress(name, digits);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The address that stands for all that an actor has. */
    static InetAddress any() {
        return made(null, new byte[4]);
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
