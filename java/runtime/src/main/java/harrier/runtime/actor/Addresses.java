package harrier.runtime.actor;

import harrier.host.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The hosts and ports of actors, and how what is written to them arrives, for programs with sockets. */
public final class Addresses {
    private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "0.0.0.0", "::1", "0:0:0:0:0:0:0:1");
    private static final int BYTE = 256;
    private static final byte[] NETWORK = {10, 0};

    /** The names of actors, by the hosts and ports that the scenario gives them. */
    private final Map<String, String> declared = new TreeMap<>();
    /** The names of the scenario's actors: that of one is the name of its host. */
    private final List<String> actors = new ArrayList<>();

    private boolean fragments;

    void fragment() {
        fragments = true;
    }

    /** Reports whether what is written arrives in parts. */
    public boolean fragments() {
        return fragments;
    }

    void add(String actor, String host, int port) {
        declared.put(key(host, port), actor);
    }

    void created(String actor) {
        actors.add(actor);
    }

    private static String key(String host, int port) {
        return host + ":" + port;
    }

    /** The name of the actor that has an address; null if there is none. */
    public String actorAt(String host, int port) {
        String found = declared.getOrDefault(key(host, port), declared.get(key(host, World.ANY_PORT)));
        return found != null ? found : actors.contains(host) ? host : byDigits(host);
    }

    /** Reports whether a host is that of the actor that asks, unless another one has it. */
    public static boolean isLocal(String host) {
        return LOCAL.contains(host);
    }

    private String byDigits(String host) {
        return actors.stream().filter(a -> digits(digitsOf(a)).equals(host)).findFirst().orElse(null);
    }

    private static String digits(byte[] address) {
        return (address[0] & 0xff) + "." + (address[1] & 0xff) + "." + (address[2] & 0xff) + "." + (address[3] & 0xff);
    }

    /** The digits of the address of an actor. */
    public byte[] digitsOf(String actor) {
        int number = actors.indexOf(actor) + 1;
        return new byte[] {NETWORK[0], NETWORK[1], (byte) (number / BYTE), (byte) (number % BYTE)};
    }

    /** All of it, for hashes. */
    @Override
    public String toString() {
        return declared + " " + actors + " " + fragments;
    }
}
