package harrier.host;

import harrier.host.Segment.Kind;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The sockets of an actor. What one end of a connection writes is a {@link Segment}, a message like others, which the receiver takes in
 * its turn: so a connection keeps the order of what is written, and no other order is kept.
 */
public final class Sockets implements ThreadState {
    private static final int FIRST_FREE = 49152;

    /** How sockets reach what their actor can do. */
    public interface Actors {
        /** The name of an actor. */
        Object self(Object actor);

        /** Sends a message of an actor. */
        void send(Object actor, Object to, Object message);
    }

    private static Actors actors;

    private final List<Connection> connections = new ArrayList<>();
    private final List<ActorServerSocket> servers = new ArrayList<>();
    private final List<ActorDatagramSocket> datagrams = new ArrayList<>();
    /** Connections that were lost in a crash, whose other ends are told when the actor starts again. */
    private final List<Connection> lost = new ArrayList<>();
    /** The numbers of connections that the actor opened: none is used again while anything of its connection may be on its way. */
    private final SortedSet<Integer> numbers = new TreeSet<>();

    /** Says how actors are reached, before there are any. */
    public static void reach(Actors newActors) {
        actors = newActors;
    }

    /** The sockets of the actor that runs. */
    static Sockets here(String what) {
        Threads.requireNoInitializer(what);
        return of(Threads.agenda(what));
    }

    private static Sockets of(Agenda agenda) {
        if (agenda.sockets == null) {
            agenda.sockets = new Sockets();
        }
        return agenda.sockets;
    }

    private static void send(Object actor, Object to, Segment segment) {
        actors.send(actor, to, segment);
    }

    /** Sends something of a connection of the actor that runs. */
    private static void send(Connection connection, Kind kind, int sequence, byte[] data) {
        Object actor = Threads.actor("uses a socket");
        Segment segment = Segment.of(actors.self(actor), connection, kind, sequence);
        send(actor, connection.peer, data == null ? segment : segment.with(data));
    }

    /** The name of the actor that runs. */
    static Object self() {
        return actors.self(Threads.actor("uses a socket"));
    }

    /** The port from which a connection was opened. */
    static int openers(Connection connection) {
        return FIRST_FREE + connection.number;
    }

    // Connections.

    /** Begins to open a connection. */
    static Connection open(String host, int port) throws IOException {
        Object actor = Threads.actor("opens a connection");
        Object self = actors.self(actor);
        Object peer = World.current().actorAt(host, port);
        if (peer == null) {
            throw new UnknownHostException(host);
        }
        Sockets here = here("opens a connection");
        if (World.current().repeats()) {
            throw Hooks.control("").refused("opens a connection where messages may be duplicated", "TCP delivers nothing twice: leave out duplicating()");
        }
        int number = 1;
        while (here.numbers.contains(number)) {
            number++;
        }
        here.numbers.add(number);
        Connection made = new Connection(peer == World.SELF ? self : peer, number, true, port);
        here.connections.add(made);
        send(made, Kind.OPEN, 0, null);
        return made;
    }

    /** Writes some bytes. */
    static void write(Connection connection, byte[] data) throws IOException {
        connection.requireWritable();
        if (data.length > 0) {
            send(connection, Kind.DATA, connection.sent++, data);
        }
    }

    /** Says that nothing more is written. */
    static void shut(Connection connection) {
        if (!connection.isShut && !connection.isReset) {
            send(connection, Kind.END, connection.sent++, null);
        }
        connection.isShut = true;
    }

    /** Closes this end. If received bytes were not read, the peer gets a RESET, which may overtake DATA, in place of END. */
    static void close(Connection connection, boolean isAbrupt) {
        if (connection.isClosed) {
            return;
        }
        if (!connection.isOpen || isAbrupt || connection.received.length > 0) {
            if (!connection.isReset) {
                send(connection, Kind.RESET, 0, null);
            }
            connection.isReset = true;
        } else {
            shut(connection);
        }
        connection.isClosed = true;
        connection.received = new byte[0];
        here("closes a socket").forgetOver();
    }

    private void forgetOver() {
        for (Connection c : connections) {
            boolean isGone = c.isRefused && c.isOpener && !c.isReset; // nothing of it is on its way
            if (isGone) {
                numbers.remove(c.number);
            }
        }
        connections.removeIf(Connection::isOver);
    }

    /** Ends all sockets of a process that ends. */
    void exit(Object actor, Agenda agenda) {
        for (Connection c : connections) {
            if (!c.isClosed && !c.isRefused) {
                boolean isLost = !c.isOpen || c.received.length > 0 || servers.stream().anyMatch(s -> s.backlog.contains(c));
                if (!c.isReset && (isLost || !c.isShut)) {
                    send(actor, c.peer, Segment.of(actors.self(actor), c, isLost ? Kind.RESET : Kind.END, isLost ? 0 : c.sent++));
                }
                c.isShut = true;
                c.isReset |= isLost;
                c.isClosed = true;
                c.received = new byte[0];
            }
        }
        servers.clear();
        datagrams.clear();
        forgetOver();
    }

    // Crashes.

    /**
     * What a crash leaves: the sockets that the constructor made, and what has to be known of connections.
     *
     * @param born has the sockets that the constructor made; may be null
     */
    public Sockets afterCrash(Sockets born) {
        Sockets left = new Sockets();
        if (born != null) {
            left.servers.addAll(born.servers);
            left.datagrams.addAll(born.datagrams);
        }
        left.numbers.addAll(numbers);
        left.lost.addAll(lost);
        for (Connection c : connections) {
            if (!c.isRefused && !c.isReset) {
                left.lost.add(new Connection(c.peer, c.number, c.isOpener, c.port));
            }
        }
        return left;
    }

    /** Tells the other ends of connections that were lost in a crash. */
    public void resetLost(Object actor) {
        for (Connection c : lost) {
            send(actor, c.peer, Segment.of(actors.self(actor), c, Kind.RESET, 0));
        }
        lost.clear();
    }

    // Servers.

    /** Has a server socket take connections at a port; 0 stands for one that is free. */
    static int listen(ActorServerSocket server, int port) throws IOException {
        Sockets here = here("opens a server socket");
        int at = port;
        if (at == 0) {
            at = FIRST_FREE;
            while (here.server(at) != null) {
                at++;
            }
        } else if (here.server(at) != null) {
            throw new BindException("Address already in use");
        }
        here.servers.add(server);
        return at;
    }

    private ActorServerSocket server(int port) {
        for (ActorServerSocket s : servers) {
            if (s.getLocalPort() == port) {
                return s;
            }
        }
        return null;
    }

    /** Ends a server socket. */
    static void end(ActorServerSocket server) {
        here("closes a socket").servers.removeIf(s -> s == server);
    }

    // Datagrams.

    /** Has a datagram socket receive what comes to a port; 0 stands for one that is free. */
    static int bind(ActorDatagramSocket socket, int port) throws SocketException {
        Sockets here = here("opens a datagram socket");
        int at = port;
        if (at == 0) {
            at = FIRST_FREE;
            while (here.datagram(at) != null) {
                at++;
            }
        } else if (here.datagram(at) != null) {
            throw new BindException("Address already in use");
        }
        here.datagrams.add(socket);
        return at;
    }

    private ActorDatagramSocket datagram(int port) {
        for (ActorDatagramSocket s : datagrams) {
            if (s.port() == port) {
                return s;
            }
        }
        return null;
    }

    /** Sends a datagram; one to nobody is lost. */
    static void send(int fromPort, String host, int port, byte[] data) {
        Object actor = Threads.actor("sends a datagram");
        Object to = World.current().actorAt(host, port);
        if (to != null) {
            Object self = actors.self(actor);
            actors.send(actor, to == World.SELF ? self : to, new Datagram(self, fromPort, port, data));
        }
    }

    /** Ends a datagram socket. */
    static void end(ActorDatagramSocket socket) {
        here("closes a socket").datagrams.removeIf(s -> s == socket);
    }

    // What arrives.

    /** Takes a datagram: one to a port that nobody has is lost. */
    void arrived(Datagram datagram) {
        ActorDatagramSocket socket = datagram(datagram.port());
        if (socket != null) {
            socket.take(datagram);
        }
    }

    /** Reports whether an actor takes a segment now: it comes after all that the other end wrote before. */
    static boolean accepts(Agenda agenda, Segment segment) {
        Connection connection = agenda.sockets == null ? null : agenda.sockets.find(segment);
        return connection == null || connection.accepts(segment);
    }

    private Connection find(Segment segment) {
        for (Connection c : connections) {
            if (c.isOf(segment)) {
                return c;
            }
        }
        return null;
    }

    /** An actor takes a segment. */
    static void receive(Object actor, Agenda agenda, Segment segment) {
        Sockets here = of(agenda);
        Connection connection = here.find(segment);
        if (segment.kind() == Kind.OPEN && connection == null) {
            here.opened(actor, segment);
        } else if (connection != null && segment.kind() != Kind.OPEN) {
            Kind answer = connection.receive(here.first(actor, segment));
            if (answer != null) {
                here.answer(actor, segment, answer);
            }
            here.forgetOver();
        } else if (connection == null && (segment.isOrdered() || segment.kind() == Kind.OPENED)) {
            here.answer(actor, segment, Kind.RESET);
        }
        if (here.isEmpty()) {
            agenda.sockets = null;
        }
    }

    /**
     * A segment, or the first part of it where what is written may arrive in parts: the rest is one more message, which has its turn next.
     */
    private Segment first(Object actor, Segment segment) {
        int length = segment.data().length;
        int part = length < 2 || !World.current().fragments() ? length : length - Hooks.control("").choose(length);
        if (part == length) {
            return segment;
        }
        actors.send(actor, actors.self(actor), segment.with(Arrays.copyOfRange(segment.data(), part, length)));
        return segment.part(Arrays.copyOf(segment.data(), part));
    }

    private boolean isEmpty() {
        return connections.isEmpty() && servers.isEmpty() && datagrams.isEmpty() && numbers.isEmpty() && lost.isEmpty();
    }

    private void opened(Object actor, Segment segment) {
        ActorServerSocket server = server(segment.port());
        if (server != null) {
            Connection accepted = new Connection(segment.from(), segment.number(), false, segment.port());
            accepted.isOpen = true;
            connections.add(accepted);
            server.backlog.add(accepted);
        }
        answer(actor, segment, server == null ? Kind.REFUSED : Kind.OPENED);
    }

    /** What there is, for people. */
    @Override
    public String toString() {
        List<String> all = new ArrayList<>();
        servers.forEach(s -> all.add(s.toString()));
        datagrams.forEach(s -> all.add(s.toString()));
        connections.forEach(c -> all.add(c.toString()));
        lost.forEach(c -> all.add("lost: " + c));
        return all.isEmpty() ? "none" : String.join("; ", all);
    }

    private void answer(Object actor, Segment segment, Kind kind) {
        send(actor, segment.from(), segment.answer(actors.self(actor), kind));
    }
}
