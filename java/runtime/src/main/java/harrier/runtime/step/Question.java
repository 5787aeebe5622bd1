package harrier.runtime.step;

import harrier.host.Agenda;
import harrier.runtime.actor.Decoding;
import harrier.runtime.actor.Envelope;
import harrier.runtime.actor.Pending;
import harrier.runtime.actor.Setting;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.jdk.Order;
import harrier.runtime.rules.Running;
import harrier.runtime.step.Act.Given;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a step is asked about, in bytes.
 *
 * @param local the actor's local state
 * @param envelopes the messages that it consumes; none if it acts by itself
 */
record Question(Setting setting, byte[] local, List<Envelope> envelopes) {

    /** All of it, made anew to be looked at before anything runs. */
    Given probe() {
        return Running.during((envelopes.isEmpty() ? "an actor" : receiver()) + ": hashCode, equals or compareTo",
            this::decode);
    }

    /** All of it, made anew. */
    Given decode() {
        LocalState state = state();
        ConsumedMessages messages = null;
        if (!envelopes.isEmpty()) {
            List<Envelope> ordered = ordered();
            List<Object> payloads = new ArrayList<>();
            List<String> senders = new ArrayList<>();
            for (Envelope envelope : ordered) {
                payloads.add(message(envelope));
                senders.add(envelope.sender());
            }
            messages = new ConsumedMessages(payloads, senders);
        }
        return new Given(state, messages, Pending.restore(state));
    }

    private LocalState state() {
        return decoded(local);
    }

    /** The agenda of an actor in a local state, made anew. */
    Agenda agendaOf(byte[] local) {
        return Pending.restore(decoded(local));
    }

    private LocalState decoded(byte[] local) {
        return Decoding.of("the state of an actor", () -> setting.codec().decodeLocalState(local));
    }

    private Object message(Envelope envelope) {
        return Decoding.of("a message to " + envelope.receiver(), () -> setting.codec().decode(envelope.payload()));
    }

    /** The order of several messages means nothing, except that of one sender where the channel keeps it. */
    private List<Envelope> ordered() {
        return envelopes.size() < 2 ? envelopes
            : Order.of(List.copyOf(inOrder())).stream().flatMap(Collection::stream).toList();
    }

    /** The messages, in lists of those whose order must stay. */
    private Collection<List<Envelope>> inOrder() {
        boolean fifo = setting.declared().fifo().has(receiver());
        Map<Object, List<Envelope>> together = new LinkedHashMap<>();
        for (int i = 0; i < envelopes.size(); i++) {
            Object key = fifo ? envelopes.get(i).sender() : i;
            together.computeIfAbsent(key, k -> new ArrayList<>()).add(envelopes.get(i));
        }
        return together.values();
    }

    /** The messages, for samples. */
    byte[] payloads() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        envelopes.forEach(e -> all.writeBytes(e.payload()));
        return all.toByteArray();
    }

    /** Who sent them, each once; an empty name stands for the scenario. */
    List<String> senders() {
        if (envelopes.size() == 1) {
            return List.of(envelopes.get(0).sender());
        }
        Set<String> senders = new LinkedHashSet<>();
        for (Envelope envelope : envelopes) {
            senders.add(envelope.sender());
        }
        return List.copyOf(senders);
    }

    private String receiver() {
        return envelopes.get(0).receiver();
    }

    /**
     * Reports whether state and messages have but one encoding. Sets of indistinguishable objects may have more: then
     * two executions begin differently, and that they end differently says nothing about the handler.
     */
    boolean isStable() {
        return isStateStable() && envelopes.stream().allMatch(e -> isStable(e.payload(), message(e)));
    }

    /** Reports whether the state has but one encoding. */
    boolean isStateStable() {
        return isStable(local, state());
    }

    /** Hash codes differ each time that a value is made, so one is encoded in all orders. */
    private boolean isStable(byte[] bytes, Object decoded) {
        return Arrays.equals(setting.codec().encode(decoded), bytes)
            && Order.inOthers(local, () -> setting.codec().encodeInOrder(decoded)).stream().allMatch(b -> Arrays.equals(b, bytes));
    }

    @Override
    public String toString() {
        return switch (envelopes.size()) {
            case 0 -> "state";
            case 1 -> "state and message";
            default -> "state and messages";
        };
    }
}
