package harrier.runtime.property;

import harrier.Actor;
import harrier.ActorName;
import harrier.History;
import harrier.Hosting;
import harrier.InFlight;
import harrier.ProcessActor;
import harrier.host.Agenda;
import harrier.host.Looks;
import harrier.host.Stage;
import harrier.runtime.actor.Decoding;
import harrier.runtime.actor.Envelope;
import harrier.runtime.actor.Pending;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.format.FormatException;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.failure.Failure;
import harrier.runtime.failure.RuleException;
import harrier.runtime.property.Evaluator.Request;
import harrier.runtime.rules.Guard;
import harrier.runtime.step.ActorState;
import harrier.runtime.step.ReadOnlyHost;
import harrier.runtime.wire.ReadIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What stands behind the scenario while a property is evaluated: decodes the states read, when they are read, and notes these.
 */
final class Reading implements Stage<ActorName, Actor, InFlight, History> {
    private static final Comparator<Envelope> ENVELOPES = Comparator.comparing(Envelope::receiver)
        .thenComparing(Envelope::sender).thenComparing(Envelope::payload, Arrays::compare);

    private final Request asked;
    private final List<ActorState> actors;
    private final Map<Integer, LocalState> decoded = new HashMap<>();
    private final List<Integer> reads = new ArrayList<>();
    private final FieldsRead fields;
    private final Codec codec;
    private final boolean hasHistory;
    private final Function<ActorState, Class<?>> classOf;
    private History history;
    private boolean isHistoryReadAside;
    private Failure explanation;
    private RuntimeException broken;

    /**
     * What there is to read.
     *
     * @param fields notes the fields that are read
     * @param hasHistory whether the history may be
     * @param classOf gives the class of an actor
     */
    Reading(Request asked, FieldsRead fields, Codec codec, boolean hasHistory, Function<ActorState, Class<?>> classOf) {
        this.asked = asked;
        this.fields = fields;
        this.codec = codec;
        this.hasHistory = hasHistory;
        this.classOf = classOf;
        actors = asked.actors();
    }

    /** The reads, as {@link Evaluator.Judgement} has it. */
    List<Integer> reads() {
        return List.copyOf(reads);
    }

    FieldsRead fields() {
        return fields;
    }

    /** Why the operations are not linearizable; null if they are, or nobody asked. */
    Failure explanation() {
        return explanation;
    }

    @Override
    public IllegalStateException refusal(String method, String does) {
        return new IllegalStateException("a property must only read: it cannot " + does);
    }

    @Override
    public <A extends Actor> Stream<A> actors(Class<A> type) {
        List<Integer> numbers = numbers(type, false);
        Stream<A> those = states(numbers, type);
        return Looks.areNoted()
            ? OpaqueOrder.of(those, new OpaqueOrder.Source(numbers.stream().map(i -> actors.get(i).name()).toList(), this::aside)) : those;
    }

    /** The actors of a class that exist, or those that have stopped, by name. */
    private List<Integer> numbers(Class<? extends Actor> type, boolean stopped) {
        return IntStream.range(0, actors.size())
            .filter(i -> hasStopped(i) == stopped && type.isAssignableFrom(classOf.apply(actors.get(i)))).boxed()
            .sorted(Comparator.comparing(i -> actors.get(i).name())).toList();
    }

    /** The states of actors, each read as it comes. A stream that knows its length would be counted without reading any. */
    private <A extends Actor> Stream<A> states(List<Integer> numbers, Class<A> type) {
        return numbers.stream().filter(i -> true).map(i -> type.cast(read(i)));
    }

    private boolean hasStopped(int i) {
        return asked.stopped().contains(i);
    }

    @Override
    public <A extends Actor> A actor(ActorName name, Class<A> type) {
        String text = Hosting.text(name);
        for (int i = 0; i < actors.size(); i++) {
            if (!hasStopped(i) && actors.get(i).name().equals(text)) {
                if (!type.isAssignableFrom(classOf.apply(actors.get(i)))) {
                    throw new IllegalArgumentException(name + " is of class " + actors.get(i).type());
                }
                return type.cast(read(i));
            }
        }
        throw new IllegalArgumentException("there is no actor " + name);
    }

    @Override
    public <T> T in(ActorName process, Supplier<T> read) {
        Actor actor = find(Hosting.text(process));
        if (!(actor instanceof ProcessActor)) {
            throw new IllegalArgumentException("there is no process " + process);
        }
        Agenda.noteRead();
        return Guard.here().statics().with(Hosting.agenda(actor).statics, read);
    }

    @Override
    public synchronized History history() {
        if (!hasHistory) {
            throw new IllegalStateException("there is no history, as no class of the scenario calls history()");
        }
        if (history == null) {
            reads.add(ReadIndex.HISTORY);
            history = decoding(() -> Recorder.decode(codec, asked.history()));
        }
        return history;
    }

    @Override
    public synchronized Stream<InFlight> inFlight() {
        reads.add(ReadIndex.NETWORK);
        return asked.inFlight().stream().sorted(ENVELOPES).map(e -> new InFlight(
            e.sender().isEmpty() ? null : Hosting.name(e.sender()), Hosting.name(e.receiver()),
            decoding(() -> Decoding.of("a message to " + e.receiver(), () -> codec.decode(e.payload())))));
    }

    @Override
    public <A extends Actor> Stream<A> stopped(Class<A> type) {
        return states(numbers(type, true), type);
    }

    @Override
    public synchronized boolean isDown(ActorName actor) {
        String text = Hosting.text(actor);
        for (int i = 0; i < actors.size(); i++) {
            if (!hasStopped(i) && actors.get(i).name().equals(text)) {
                note(i);
                return asked.down().contains(i);
            }
        }
        return false;
    }

    /** Notes that something of the actor with an index is read. */
    private void note(int i) {
        if (!reads.contains(i)) {
            reads.add(i);
        }
    }

    /** The actor with a name, null if there is none. */
    Actor find(String name) {
        for (int i = 0; i < actors.size(); i++) {
            if (!hasStopped(i) && actors.get(i).name().equals(name)) {
                return read(i);
            }
        }
        return null;
    }

    boolean isLinearizable(String specification) {
        reads.add(ReadIndex.HISTORY);
        String text = decoding(() -> LinearizabilityMonitor.explanation(codec, asked.history(), specification));
        explanation = text == null ? null : Failure.explanation(text);
        return text == null;
    }

    /** A state that could not be made anew is no failure of the property, even if the property caught it. */
    synchronized void refuseCaught() {
        if (broken != null) {
            throw broken;
        }
    }

    /** The state of an actor, which does not count as read. */
    ActorState state(int i) {
        return actors.get(i);
    }

    /** The streams that properties get may be made parallel. */
    synchronized Actor read(int i) {
        note(i);
        return decoded.computeIfAbsent(i, k -> readOnly(actors.get(k))).actor();
    }

    /** Runs code of the property's for what it does in other states: what it reads does not count as read, but that it reads operations. */
    private void aside(Runnable run) {
        List<Integer> before = List.copyOf(reads);
        fields.aside(run);
        if (hasHistoryRead() && !before.contains(ReadIndex.HISTORY)) {
            isHistoryReadAside = true;
            history = null;
        }
        reads.clear();
        reads.addAll(before);
    }

    /** Reports whether a state that was read is not what it was, so that a later read of it depends on an earlier one. */
    synchronized boolean isChanged() {
        try {
            for (Map.Entry<Integer, LocalState> e : decoded.entrySet()) {
                if (!Arrays.equals(codec.encode(e.getValue()), actors.get(e.getKey()).local())) {
                    return true;
                }
            }
        } catch (NotCapturableException e) {
            return true;
        }
        return false;
    }

    /** Reports whether operations were read, whose order names decide where time does not. */
    boolean hasHistoryRead() {
        return isHistoryReadAside || reads.contains(ReadIndex.HISTORY);
    }

    private synchronized LocalState readOnly(ActorState state) {
        LocalState local = decode(state);
        Hosting.bind(local.actor(), new ReadOnlyHost(state.name()));
        return local;
    }

    private LocalState decode(ActorState actor) {
        LocalState state = decoding(() -> Decoding.of("the state of " + actor.name(),
            () -> codec.decodeLocalState(actor.local())));
        Pending.restore(state);
        return state;
    }

    private <T> T decoding(Supplier<T> decoding) {
        try {
            return fields.decoding(decoding);
        } catch (RuleException | FormatException e) {
            broken = e;
            throw e;
        }
    }
}
