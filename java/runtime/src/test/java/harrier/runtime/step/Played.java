package harrier.runtime.step;

import harrier.Actor;
import harrier.runtime.LiveDump;
import harrier.runtime.UserProgram;
import harrier.runtime.actor.Envelope;
import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.program.LoadedProgram;
import harrier.runtime.program.Options;
import harrier.runtime.refusal.Loading;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A scenario that a test writes, with the local state of its actor {@code a} as steps change it. */
final class Played {
    private final LoadedProgram program;
    private final Codec codec;
    private byte[] local;
    private Outcome last;

    /** The text of a whole program, whose scenario is {@code S}. */
    Played(String text) {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        program = Loading.load(UserProgram.compile("import java.time.*; import java.util.concurrent.*; " + text),
            "Program.java", "S", Map.of(), Options.STANDARD);
        Thread.currentThread().setContextClassLoader(before);
        codec = new Codec(program.loader(), program.loader()::defined);
        local = program.initial().creates().stream().filter(a -> a.name().equals("a")).findFirst().orElseThrow().local();
    }

    /** A scenario that says something first and then creates {@code a}, of a class with these members. */
    static Played scenario(String says, String members) {
        return new Played("class S extends Scenario { protected void setUp() { " + says + " create(\"a\", new A()); } }"
            + " class A extends Actor {\n" + members + "\n}");
    }

    /** An actor of a class with these members. */
    static Played actor(String members) {
        return scenario("", members);
    }

    LoadedProgram program() {
        return program;
    }

    Outcome last() {
        return last;
    }

    /** Whether the actor may do something by itself after the set-up. */
    boolean actsFirst() {
        return program.initial().creates().get(0).acts();
    }

    /** What the actor may do by itself: the labels. */
    List<String> may() {
        return internal().stream().map(Outcome::handler).toList();
    }

    List<Outcome> internal() {
        return UserProgram.internal(program.steps(), local).outcomes();
    }

    /** Takes the first of the steps that the actor may take by itself and that have a label. */
    Played does(String label) {
        return take(internal().stream().filter(o -> o.handler().equals(label)).findFirst()
            .orElseThrow(() -> new AssertionError(label + " is not among " + may())));
    }

    /** The answer for messages at once, each given as {@code sender:text}. */
    Steps.Answer answer(String... messages) {
        return UserProgram.answer(program.steps(), local, Stream.of(messages).map(m -> m.split(":"))
            .map(m -> new Envelope(m[0], "a", codec.encode(m[1]))).toArray(Envelope[]::new));
    }

    /** Takes the first outcome of a message. */
    Played receives(Object message) {
        return take(UserProgram.answer(program.steps(), local, new Envelope("b", "a", codec.encode(message))).outcomes().get(0));
    }

    /** Crashes and starts again. */
    Played crashes() {
        return take(UserProgram.restart(program.steps(), local).outcomes().get(0));
    }

    private Played take(Outcome outcome) {
        if (outcome.failure() != null) {
            throw new AssertionError(outcome.failure().text());
        }
        last = outcome;
        local = outcome.local();
        return this;
    }

    /** The fields of the actor as text. */
    String fields() {
        return fields(local);
    }

    /** Those that it has in a local state. */
    String fields(byte[] state) {
        return LiveDump.of(codec.decodeLocalState(state).actor());
    }

    /** One of its fields as text. */
    String field(String name) {
        Actor actor = state().actor();
        try {
            Field field = actor.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return LiveDump.of(field.get(actor));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** What there is beside its fields, as text. */
    String beside() {
        return LiveDump.of(new TreeMap<>(state().beside()));
    }

    private LocalState state() {
        return codec.decodeLocalState(local);
    }

    byte[] local() {
        return local;
    }

    byte[] encoded(Object value) {
        return codec.encode(value);
    }

    /** A value that the codec gave, as text. */
    String show(byte[] value) {
        return LiveDump.of(codec.decode(value));
    }

    /** The messages sent in the last step, as text. */
    List<String> sent() {
        List<String> sent = new ArrayList<>();
        for (Envelope e : last.sends()) {
            sent.add(e.receiver() + " " + show(e.payload()));
        }
        return sent;
    }
}
