package harrier.runtime.actor;

import harrier.host.Agenda;
import harrier.host.Declaration;
import harrier.host.Declaration.Kind;
import harrier.host.Declaration.Manner;
import harrier.host.TimeBounds;
import harrier.host.WrongDeclaration;
import harrier.runtime.actor.Adversaries.Content;
import harrier.runtime.failure.UsageException;
import harrier.runtime.wire.EventKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the set-up of a scenario says about roles, timers, clocks, the network, crashes, adversaries and components. */
public final class Declared {
    /** The label of the event in which timers are held back. */
    public static final String HELD_BACK = "timers held back";

    private final boolean honest;
    private boolean inOrder;
    private int mostFirings = -1;
    private Instant start = Instant.EPOCH;
    private TimeBounds time = TimeBounds.NONE;
    /** What that says in all, once the set-up has ended. */
    private Rounds rounds;
    private boolean isResolved;
    /** The actors of each role. */
    private final Map<String, List<String>> roles = new LinkedHashMap<>();
    /** Those that a role or a name stands for. */
    private final Map<String, SortedSet<String>> called = new LinkedHashMap<>();
    private final List<Said> said = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    /** The types of adversaries' messages, as far as they are declared; known when declarations are resolved. */
    private final Set<Class<?>> byzantineTypes = new LinkedHashSet<>();
    private Scope fifo = Scope.NOBODY;
    private Scope connected = Scope.NOBODY;
    private final List<List<String>> components = new ArrayList<>();
    private Scope strong = Scope.NOBODY;
    private Scope byChoice = Scope.NOBODY;
    private Scope unfair = Scope.NOBODY;
    private final List<String> unfairMessages = new ArrayList<>();
    private final Addresses addresses = new Addresses();
    private boolean heals;
    private boolean recovers;
    private Class<?> specification;
    private Class<?> read;

    /**
     * Nothing yet.
     *
     * @param honest whether Byzantine actors are as they would be without being declared so
     */
    Declared(boolean honest) {
        this.honest = honest;
    }

    /**
     * A declaration.
     *
     * @param messages those of it, as they were then; null if there are none
     */
    private record Said(Declaration declaration, List<Content> messages) {}

    /** Notes that the scenario created an actor. */
    public void created(String role, String name) {
        roles.computeIfAbsent(role, r -> new ArrayList<>()).add(name);
        called.computeIfAbsent(role, r -> new TreeSet<>()).add(name);
        called.computeIfAbsent(name, r -> new TreeSet<>()).add(name);
        addresses.created(name);
    }

    /** Notes what the scenario says about the network, crashes or adversaries. */
    public void add(Declaration declaration, Function<Object, byte[]> encode) {
        List<?> messages = declaration.messages();
        said.add(new Said(declaration, messages == null ? null
            : messages.stream().map(m -> new Content(m.getClass(), encode.apply(m))).toList()));
    }

    /** Has the durations of timers count. */
    public void timersInOrder() {
        requireNoActors("timers().inOrder()");
        inOrder = true;
    }

    /** Bounds how often timers of an actor fire. */
    public void timersAtMost(int most) {
        requireNoActors("timers().atMost(" + most + ")");
        mostFirings = most;
    }

    /** How often timers of an actor fire at most; -1 if that is not bounded. */
    public int mostFirings() {
        return mostFirings;
    }

    /** Sets the time that clocks show first. */
    public void clocksStartAt(Instant instant) {
        requireNoActors("clock().startsAt(" + instant + ")");
        start = instant;
    }

    /** Has time go on. */
    public void time(TimeBounds bounds) {
        if (bounds.delay() == null) {
            requireNoActors("clocks()");
        }
        time = time.and(bounds);
    }

    /** How time goes on; null if it stands still. */
    public Rounds rounds() {
        return isResolved ? rounds : Rounds.of(time);
    }

    /** Sets the specification with respect to which operations are linearizable. */
    public void linearizable(Class<?> type) {
        specify(type, "linearizable(" + type.getSimpleName() + ".class)");
    }

    /** Sets the specification with respect to which operations are regular, and which of them read. */
    public void regular(Class<?> type, Class<?> reads) {
        specify(type, "regular(" + type.getSimpleName() + ".class, " + reads.getSimpleName() + ".class)");
        read = reads;
    }

    private void specify(Class<?> type, String call) {
        if (specification != null) {
            throw new WrongDeclaration(call + ": operations have a specification already, "
                + specification.getSimpleName());
        }
        specification = type;
    }

    private void requireNoActors(String what) {
        if (!called.isEmpty()) {
            throw new WrongDeclaration(what + " comes too late: say it before actors are created");
        }
    }

    /** Reports whether durations decide which timer of an actor may fire before another one. */
    public boolean isInOrder() {
        return inOrder && rounds() == null;
    }

    /** Reports whether durations decide which timer may fire. */
    public boolean countsDurations() {
        return inOrder || rounds() != null;
    }

    /** The time on the clock of an actor; null if time stands still and the clock shows the time with which clocks start. */
    public Instant now(Agenda agenda) {
        return agenda.now == null && rounds() != null ? start : agenda.now;
    }

    /** The time that clocks show first. */
    public Instant start() {
        return start;
    }

    /** Receivers of channels that keep the order of messages. */
    public Scope fifo() {
        return fifo;
    }

    /** Actors any two of which send to each other on connections. */
    public Scope connected() {
        return connected;
    }

    /** The actors that are one component, for each that was declared. */
    public List<List<String>> components() {
        return components;
    }

    /** The addresses of actors. */
    public Addresses addresses() {
        return addresses;
    }

    /** Receivers for which a message that is deliverable again and again is received. */
    public Scope strong() {
        return strong;
    }

    /** Actors of which each value of a choice is to be chosen. */
    public Scope byChoice() {
        return byChoice;
    }

    /** Actors that need not do anything. */
    public Scope unfair() {
        return unfair;
    }

    /** The names of the classes of messages that need not be handled. */
    public List<String> unfairMessages() {
        return unfairMessages;
    }

    /** Reports whether a network that has split heals. */
    public boolean heals() {
        return heals;
    }

    /** Reports whether actors that are down start again. */
    public boolean recovers() {
        return recovers;
    }

    /** The class of the sequential specification of operations; null if there is none. */
    public Class<?> specification() {
        return specification;
    }

    /** The class of the operations that read; null if operations are linearizable, or have no specification. */
    public Class<?> read() {
        return read;
    }

    /** The property of operations with a specification, which is also the name of the scenario's method for it. */
    public String consistency() {
        return read == null ? "linearizable" : "regular";
    }

    /** The roles in the order of their creation, those without actors left out. */
    public List<Role> roles() {
        return roles.entrySet().stream().map(e -> new Role(e.getKey(), List.copyOf(e.getValue()))).toList();
    }

    /** The role of an actor; null if the scenario did not create it. */
    public Role roleOf(String name) {
        return roles().stream().filter(r -> r.names().contains(name)).findFirst().orElse(null);
    }

    /** What may go wrong. */
    public List<Fault> faults() {
        return faults;
    }

    /** Reports whether some messages may be duplicated without bound. */
    public boolean repeats() {
        return faults.stream().anyMatch(f -> f.kind() == EventKind.DUPLICATE && f.budget() == Declaration.UNBOUNDED);
    }

    /** Reports whether an actor may crash and start again. */
    public boolean mayRestart(String name) {
        return faults.stream().anyMatch(f -> isOfRestarts(f) && f.scope().has(name));
    }

    /** Reports whether an actor may crash and start again, but not within its handlers. */
    public boolean restartsBetweenSteps(String name) {
        boolean restarts = false;
        for (Fault f : faults) { // asked for each step
            if (f.within() && f.scope().has(name)) {
                return false;
            }
            restarts = restarts || isOfRestarts(f) && f.scope().has(name);
        }
        return restarts;
    }

    /** Reports whether actors start again after the crashes of a fault. */
    private static boolean isOfRestarts(Fault f) {
        return f.kind() == EventKind.RESTART || f.kind() == EventKind.CRASH;
    }

    /** Reports whether another set-up said the same. */
    public boolean sameAs(Declared other) {
        // Every check asks this, and linking the equals of one record takes a millisecond.
        return inOrder == other.inOrder && mostFirings == other.mostFirings && start.equals(other.start) && time.equals(other.time)
            && fifo.all() == other.fifo.all() && fifo.names().equals(other.fifo.names())
            && connected.all() == other.connected.all() && connected.names().equals(other.connected.names())
            && faults.equals(other.faults) && components.equals(other.components)
            && List.copyOf(roles.entrySet()).equals(List.copyOf(other.roles.entrySet()));
    }

    /**
     * Finds out whom the declarations mean, now that all actors are there.
     *
     * @param initial the classes of these actors, by name
     * @return the names of those that are adversaries, and of the actors that these created
     */
    public Set<String> resolve(String where, Map<String, ActorClass> initial) {
        rounds = Rounds.of(time); // which refuses what does not go together
        isResolved = true;
        if (rounds != null && mostFirings >= 0) {
            throw new UsageException(where + ": timers().atMost does not go together with clocks(), whose horizon bounds timers: leave one of them out");
        }
        Adversaries adversaries = new Adversaries(where, initial);
        for (Said s : said) {
            if (s.declaration.kind() == Kind.BYZANTINE && isDone(s.declaration)) {
                adversaries.add(meant(where, s.declaration));
                if (s.messages != null) {
                    s.messages.forEach(m -> byzantineTypes.add(m.type()));
                }
            }
        }
        for (Said s : said) {
            if (s.declaration.kind() == Kind.NAMES) {
                requireCreated(where, s.declaration.whom().get(0), s.declaration.budget());
                continue;
            }
            SortedSet<String> names = meant(where, s.declaration);
            if (s.declaration.kind() == Kind.ADDRESS) {
                addresses.add(requireOne(where, s.declaration, names), s.declaration.senders().get(0), s.declaration.budget());
                continue;
            }
            Scope scope = new Scope(s.declaration.whom().isEmpty(), List.copyOf(names));
            if (s.declaration.kind() == Kind.FIFO) {
                fifo = union(fifo, scope);
            } else if (s.declaration.kind() == Kind.CONNECTION) {
                connected = union(connected, scope);
            } else if (isOfFairness(s.declaration, scope)) {
                continue;
            } else if (s.declaration.kind() == Kind.COMPONENT) {
                addComponent(where, names);
            } else if (isDone(s.declaration)) {
                faults.add(s.declaration.kind() == Kind.BYZANTINE ? adversaries.fault(s.declaration, s.messages, names)
                    : fault(where, s.declaration, names));
            }
        }
        checkMailboxes(where);
        return initial.keySet().stream().filter(adversaries::has).collect(Collectors.toSet());
    }

    /** An address is that of one actor, which no other one has. */
    private static String requireOne(String where, Declaration d, SortedSet<String> names) {
        if (names.size() != 1) {
            throw new UsageException(where + ": network().address(\"" + d.whom().get(0) + "\", \"" + d.senders().get(0)
                + "\"): name one actor: there are " + String.join(", ", names));
        }
        return names.first();
    }

    /** Refuses mailboxes beside what has messages be in flight that cannot fill one. */
    private void checkMailboxes(String where) {
        if (faults.stream().noneMatch(f -> f.filling() > 0)) {
            return;
        }
        String behind = ", where a message that is behind others cannot fill a mailbox before them";
        String other = isNonempty(fifo) ? "fifo()" + behind
            : isNonempty(connected) ? "connections()" + behind
            : repeats() ? "duplication without a bound, where it is not known how many messages there are"
            : faults.stream().anyMatch(f -> f.kind() == EventKind.SPLIT) ? "partition(), where messages wait elsewhere" : null;
        if (other != null) {
            throw new UsageException(where + ": network().mailbox does not go together with " + other + ": leave one of them out");
        }
    }

    private static boolean isNonempty(Scope scope) {
        return scope.all() || !scope.names().isEmpty();
    }

    /** Notes what a declaration says about fairness or sockets, if it is one. */
    private boolean isOfFairness(Declaration d, Scope scope) {
        switch (d.kind()) {
            case STRONG -> strong = union(strong, scope);
            case BY_CHOICE -> byChoice = union(byChoice, scope);
            case UNFAIR -> unfair = union(unfair, scope);
            case UNFAIR_MESSAGES -> unfairMessages.addAll(d.senders());
            case HEALS -> heals = true;
            case RECOVERS -> recovers = true;
            case FRAGMENTS -> addresses.fragment();
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Reports whether the declared fault may happen at all. */
    private boolean isDone(Declaration d) {
        return d.budget() != 0 && !(honest && d.kind() == Kind.BYZANTINE);
    }

    /**
     * The first type that adversaries are declared to send and actors of a class have a handler for; null if there is
     * none.
     */
    public Class<?> byzantineTypeFor(ActorClass type) {
        return byzantineTypes.stream().filter(t -> !type.handlersFor(t).isEmpty()).findFirst().orElse(null);
    }

    /** The actors that a declaration names. */
    private SortedSet<String> meant(String where, Declaration d) {
        return called(where, d.whom());
    }

    /** The actors that roles or names stand for. */
    private SortedSet<String> called(String where, List<String> those) {
        SortedSet<String> names = new TreeSet<>();
        for (String whom : those) {
            if (whom.endsWith("/")) {
                called(where, List.of(whom.substring(0, whom.length() - 1)))
                    .forEach(name -> names.add(Declaration.childrenOf(name)));
                continue;
            }
            if (!called.containsKey(whom)) {
                throw new UsageException(where + ": there is no actor or role \"" + whom + "\": there are "
                    + String.join(", ", called.keySet()));
            }
            names.addAll(called.get(whom));
        }
        return names;
    }

    /** Fails unless the actors of a role are so many and are called by their numbers, which an only one may not be. */
    private void requireCreated(String where, String role, int names) {
        List<String> actors = roles.getOrDefault(role, List.of());
        if (!actors.equals(IntStream.rangeClosed(1, names).mapToObj(i -> role + i).toList())) {
            String of = "(\"" + role + "\", " + names;
            throw new UsageException(where + ": names" + of + ") but " + (actors.isEmpty() ? "no actors of this role"
                : "the actors of this role are " + String.join(", ", actors)) + ": create them with create"
                + of + ", …)");
        }
    }

    private void addComponent(String where, SortedSet<String> names) {
        for (String name : names) {
            if (components.stream().anyMatch(c -> c.contains(name))) {
                throw new UsageException(where + ": " + name + " is in two components: name each actor in one only");
            }
        }
        components.add(List.copyOf(names));
    }

    private static Scope union(Scope a, Scope b) {
        SortedSet<String> names = new TreeSet<>(a.names());
        names.addAll(b.names());
        return new Scope(a.all() || b.all(), List.copyOf(names));
    }

    private Fault fault(String where, Declaration d, SortedSet<String> names) {
        String whom = d.whom().isEmpty() ? "any actor" : shown(d.whom());
        SortedSet<String> all = new TreeSet<>();
        called.values().forEach(all::addAll);
        Scope receivers = new Scope(d.whom().isEmpty(), List.copyOf(names));
        // Children may not crash: their birth is not kept.
        Scope crashing = new Scope(false, List.copyOf(d.whom().isEmpty() ? all : names));
        return switch (d.kind()) {
            case CRASH -> d.manners().contains(Manner.STAYS_DOWN)
                ? crash(EventKind.CRASH, crashing, d, "crash and downtime of " + whom)
                : crash(EventKind.RESTART, crashing, d, "crash and restart of " + whom);
            case STOP -> crash(EventKind.STOP, crashing, d, "crash for good of " + whom);
            case LOSE -> onChannel(where, EventKind.LOSE, receivers, d, "loss of messages", whom);
            case MAILBOX -> new Fault(EventKind.LOSE, receivers, Scope.ALL, true, false, false, d.budget(), Declaration.UNBOUNDED,
                "drop of messages to full mailboxes of " + whom, null);
            case DUPLICATE -> onChannel(where, EventKind.DUPLICATE, receivers, d, "duplication of messages", whom);
            case SPLIT -> {
                if (names.containsAll(all)) {
                    throw new UsageException(where + ": partition(" + whom
                        + ") leaves nobody on the other side: name the actors of one side only");
                }
                yield new Fault(EventKind.SPLIT, receivers, d.budget(), "split of " + whom + " from the others");
            }
            case CUT -> cut(where, receivers, d, all);
            case FIFO, CONNECTION, BYZANTINE, COMPONENT, NAMES, STRONG, BY_CHOICE, UNFAIR, UNFAIR_MESSAGES, HEALS, RECOVERS, ADDRESS,
                    FRAGMENTS ->
                throw new IllegalArgumentException("no fault of this kind");
        };
    }

    /** A cut of one way. Senders that are not named are all actors, and those that they create. */
    private Fault cut(String where, Scope receivers, Declaration d, SortedSet<String> all) {
        if (d.whom().isEmpty() && d.senders().isEmpty()) {
            throw new UsageException(where + ": partition(" + d.budget() + "): name the actors of one side, by role or name, or say"
                + " from whom and to whom messages are cut off, as in partition(1).from(\"client\").to(\"server\")");
        }
        SortedSet<String> senders = called(where, d.senders());
        if (senders.isEmpty()) {
            all.forEach(name -> senders.addAll(List.of(name, Declaration.childrenOf(name))));
        }
        return new Fault(EventKind.SPLIT, receivers, new Scope(false, List.copyOf(senders)), true, false, false, d.budget(),
            "cut from " + (d.senders().isEmpty() ? "any actor" : shown(d.senders())) + " to "
                + (d.whom().isEmpty() ? "any actor" : shown(d.whom())), null);
    }

    private static String shown(List<String> whom) {
        return whom.stream().map(w -> w.endsWith("/") ? "children of " + w.substring(0, w.length() - 1) : w)
            .collect(Collectors.joining(", "));
    }

    private static Fault crash(EventKind kind, Scope whom, Declaration d, String label) {
        boolean within = d.manners().contains(Manner.WITHIN_HANDLERS);
        return new Fault(kind, whom, Scope.ALL, true, within, d.manners().contains(Manner.LOSES_MESSAGES), d.budget(),
            label + (within ? ", also within handlers" : ""), null);
    }

    /** A fault of messages that some actors send. */
    private Fault onChannel(String where, EventKind kind, Scope receivers, Declaration d, String what, String whom) {
        List<String> senders = d.senders().stream().filter(s -> !s.equals(Declaration.SELF)).toList();
        boolean self = kind != EventKind.LOSE || d.senders().contains(Declaration.SELF);
        String label = what + (senders.isEmpty() ? "" : " from " + shown(senders)) + " to " + whom
            + (self && kind == EventKind.LOSE ? ", itself included" : "");
        return new Fault(kind, receivers, new Scope(senders.isEmpty(), List.copyOf(called(where, senders))), self,
            false, false, d.budget(), label, null);
    }
}
