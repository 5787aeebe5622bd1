package harrier.runtime.actor;

import harrier.Actor;
import harrier.Hosting;
import harrier.host.ActorThread;
import harrier.host.Agenda;
import harrier.host.Agenda.Delayed;
import harrier.host.Mailbox;
import harrier.host.Sockets;
import harrier.host.Task;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.codec.graph.SortedBeside;
import harrier.runtime.jdk.Order;
import harrier.runtime.wire.AgendaField;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * How an actor's agenda is part of its local state: beside the fields, under names that no field has, and each part
 * only where there is something.
 *
 * <p>Where timers fire at will, neither their durations nor the order in which they were set matter, so neither
 * is in the state: timers are sorted by content. So are scheduled tasks, by what they share with the actor; those
 * that share objects with one another may be in more than one order, which costs states only. Where durations count,
 * timers are sorted by the moment at which they began to wait, and then like that.
 */
public final class Pending {
    private Pending() {}

    /** The local state of an actor with its agenda. */
    public static LocalState local(Setting setting, String name, int children, Actor actor) {
        return local(setting.codec(), setting.declared(), name, children, actor);
    }

    /** The local state of an actor with its agenda. */
    static LocalState local(Codec codec, Declared declared, String name, int children, Actor actor) {
        Agenda agenda = Hosting.agenda(actor);
        agenda.removeOutdated();
        Map<String, Object> beside = new LinkedHashMap<>();
        if (!agenda.delayed.isEmpty()) {
            Rounds rounds = declared.rounds();
            boolean isTimed = declared.countsDurations();
            List<Delayed> delayed = !isTimed ? agenda.delayed.stream().map(d -> atWill(d.what())).toList()
                : rounds == null ? FiringOrder.withFewestMoments(agenda.delayed) : agenda.delayed.stream().map(rounds::pending).toList();
            beside.put(AgendaField.TIMERS, (SortedBeside) bytes -> {
                List<Delayed> sorted = sorted(codec, bytes, delayed);
                return new ArrayList<Object>(isTimed ? sorted : sorted.stream().map(Delayed::what).toList());
            });
        }
        if (!agenda.tasks.isEmpty()) {
            beside.put(AgendaField.TASKS, new ArrayList<Object>(agenda.tasks));
        }
        List<ActorThread> threads = new ArrayList<>(agenda.threads);
        if (agenda.mailbox != null && agenda.mailbox.isKept()) {
            threads.add(0, agenda.mailbox);
        }
        if (!threads.isEmpty()) {
            beside.put(AgendaField.THREADS, threads);
        }
        if (agenda.sockets != null) {
            beside.put(AgendaField.SOCKETS, agenda.sockets);
        }
        Map<String, Object> statics = agenda.staticsNow();
        if (!statics.isEmpty()) {
            beside.put(AgendaField.STATICS, statics);
        }
        if (agenda.shutDown) {
            beside.put(AgendaField.LOOP, "shut down");
        }
        if (agenda.now != null) {
            beside.put(AgendaField.CLOCK, agenda.now.toString());
        }
        if (agenda.draws > 0) {
            beside.put(AgendaField.DRAWS, agenda.draws);
        }
        if (agenda.firings > 0 && declared.mostFirings() >= 0) {
            beside.put(AgendaField.FIRINGS, agenda.firings);
        }
        return new LocalState(name, children, actor, beside);
    }

    /**
     * The state beside the fields of an actor that starts again after a crash: the agenda of its constructor, how many values it drew, how often
     * its timers fired and, where time goes on, its clock.
     */
    static Map<String, Object> afterCrash(Declared declared, Map<String, Object> born, Actor crashed) {
        Agenda agenda = Hosting.agenda(crashed);
        Map<String, Object> beside = new LinkedHashMap<>(born);
        if (agenda.now != null && declared.rounds() != null) {
            beside.put(AgendaField.CLOCK, agenda.now.toString());
        }
        if (agenda.draws > 0) {
            beside.put(AgendaField.DRAWS, agenda.draws);
        }
        if (agenda.sockets != null) {
            beside.put(AgendaField.SOCKETS, agenda.sockets.afterCrash((Sockets) born.get(AgendaField.SOCKETS)));
        }
        if (agenda.firings > 0 && declared.mostFirings() >= 0) {
            beside.put(AgendaField.FIRINGS, agenda.firings);
        }
        return beside;
    }

    private static Delayed atWill(Object what) {
        return new Delayed(what, 0, 0, 0);
    }

    private static List<Delayed> sorted(Codec codec, Function<Object, byte[]> bytes, List<Delayed> delayed) {
        Map<Object, byte[]> keys = new IdentityHashMap<>();
        Function<Delayed, byte[]> key = d -> keys.computeIfAbsent(d.what(), what -> what instanceof Task
            ? bytes.apply(what) : codec.encode(what));
        return delayed.stream().sorted(Comparator.comparingInt(Delayed::moment)
            .thenComparingLong(Delayed::min).thenComparingLong(Delayed::max)
            .thenComparing(d -> d.what() instanceof Task).thenComparing(key, Arrays::compare)).toList();
    }

    /** Gives an actor that was made anew its agenda. */
    public static Agenda restore(LocalState state) {
        Agenda agenda = new Agenda();
        Map<String, Object> beside = state.beside();
        for (Object what : (List<?>) beside.getOrDefault(AgendaField.TIMERS, List.of())) {
            Delayed d = what instanceof Delayed timed ? timed : atWill(what);
            agenda.delayed.add(d);
            agenda.moment = d.moment() + 1;
        }
        for (Object task : (List<?>) beside.getOrDefault(AgendaField.TASKS, List.of())) {
            agenda.tasks.add((Task<?>) task);
        }
        for (Object thread : (List<?>) beside.getOrDefault(AgendaField.THREADS, List.of())) {
            if (thread instanceof Mailbox mailbox) {
                agenda.mailbox = mailbox;
            } else {
                agenda.threads.add((ActorThread) thread);
            }
        }
        agenda.sockets = (Sockets) beside.get(AgendaField.SOCKETS);
        if (beside.get(AgendaField.STATICS) instanceof Map<?, ?> statics) {
            statics.forEach((field, value) -> agenda.statics.put((String) field, value));
        }
        agenda.shutDown = beside.containsKey(AgendaField.LOOP);
        if (beside.get(AgendaField.CLOCK) instanceof String now) {
            agenda.now = Order.plain(() -> Instant.parse(now)); // which iterates over a hash map of the JDK's
        }
        if (beside.get(AgendaField.DRAWS) instanceof Long draws) {
            agenda.draws = draws;
        }
        if (beside.get(AgendaField.FIRINGS) instanceof Long firings) {
            agenda.firings = firings;
        }
        Hosting.agenda(state.actor(), agenda);
        return agenda;
    }
}
