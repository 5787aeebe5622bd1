package harrier.runtime.step;

import harrier.runtime.Decoding;
import harrier.runtime.Running;
import harrier.runtime.codec.HashLayout;
import harrier.runtime.codec.LocalState;
import harrier.runtime.step.Act.Given;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a step is asked about, in bytes.
 *
 * @param local the actor's local state
 * @param envelopes the messages that it consumes; none if it acts by itself
 */
record Question(Setting setting, byte[] local, List<Envelope> envelopes) {

    /** All of it, made anew to be looked at before anything runs. */
    Given probe() {
        Running.begin((envelopes.isEmpty() ? "an actor" : receiver()) + ": hashCode, equals or compareTo");
        try {
            return decode(HashLayout.PLAIN);
        } finally {
            Running.end();
        }
    }

    /** All of it, made anew. */
    Given decode(HashLayout layout) {
        LocalState state = state(layout);
        Gathered messages = null;
        if (!envelopes.isEmpty()) {
            List<Envelope> ordered = ordered(layout);
            messages = new Gathered(setting.codec(), layout, ordered.stream().map(e -> message(e, layout)).toList(),
                ordered.stream().map(Envelope::sender).toList());
        }
        return new Given(state, messages, Pending.restore(state));
    }

    private LocalState state(HashLayout layout) {
        return Decoding.of("the state of an actor", () -> setting.codec().decodeLocalState(local, layout));
    }

    private Object message(Envelope envelope, HashLayout layout) {
        return Decoding.of("a message to " + envelope.receiver(), () -> setting.codec().decode(envelope.payload(), layout));
    }

    /** The order of several messages means nothing, except that of one sender where the channel keeps it. */
    private List<Envelope> ordered(HashLayout layout) {
        if (layout == HashLayout.PLAIN || envelopes.size() < 2) {
            return envelopes;
        }
        List<List<Envelope>> opposite = new ArrayList<>();
        inOrder().forEach(messages -> opposite.add(0, messages));
        return opposite.stream().flatMap(Collection::stream).toList();
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

    /**
     * The same, with the messages in a third order: what is in the middle stays there in the opposite order, so here it comes
     * first. Null if nothing is in the middle.
     */
    Question turned() {
        List<List<Envelope>> turned = envelopes.size() < 3 ? List.of() : new ArrayList<>(inOrder());
        if (turned.size() % 2 == 0 || turned.size() == 1) {
            return null;
        }
        turned.add(0, turned.remove(turned.size() / 2));
        return new Question(setting, local, turned.stream().flatMap(Collection::stream).toList());
    }

    /** The messages, for samples. */
    byte[] payloads() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        envelopes.forEach(e -> all.writeBytes(e.payload()));
        return all.toByteArray();
    }

    /** Who sent them, each once; an empty name stands for the scenario. */
    List<String> senders() {
        return envelopes.stream().map(Envelope::sender).distinct().toList();
    }

    private String receiver() {
        return envelopes.get(0).receiver();
    }

    /**
     * Whether state and messages have but one encoding. Sets of objects that look alike may have more: then
     * two executions begin differently, and that they end differently says nothing about the handler.
     */
    boolean isStable() {
        return isStateStable() && envelopes.stream().allMatch(e -> Arrays.stream(HashLayout.values())
            .allMatch(layout -> Arrays.equals(setting.codec().encode(message(e, layout)), e.payload())));
    }

    /** Whether the state has but one encoding. */
    boolean isStateStable() {
        return Arrays.stream(HashLayout.values())
            .allMatch(layout -> Arrays.equals(setting.codec().encode(state(layout)), local));
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
