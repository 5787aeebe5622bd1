package harrier.host;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Stand in for methods that ask for the addresses of hosts, each of which is an actor. */
public final class AddressHooks {
    private AddressHooks() {}

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
        Threads.requireNoInitializer("asks for its own address");
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
