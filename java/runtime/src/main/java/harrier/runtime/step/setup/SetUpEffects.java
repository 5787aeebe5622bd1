package harrier.runtime.step.setup;

import harrier.Actor;
import harrier.runtime.actor.ActorClass;
import harrier.runtime.actor.Envelope;
import harrier.runtime.actor.Setting;
import harrier.runtime.codec.graph.HeldObjects;
import harrier.runtime.codec.graph.Identities;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.step.ActorState;
import harrier.runtime.step.Choices;
import harrier.runtime.step.Effects;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the set-up of a scenario does. At its end, {@link #captureAgain} finds what actors may
 * share.
 */
public final class SetUpEffects extends Effects {
    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    public SetUpEffects(Setting setting, Choices choices) {
        super(setting, choices, true);
    }

    @Override
    public Instant startOfTime() {
        if (timeGoesOn()) {
            STACK.walk(frames -> frames.filter(f -> f.getMethodName().equals("<init>") && Actor.class.isAssignableFrom(f.getDeclaringClass())).findFirst())
                .ifPresent(f -> setting.newActors().readsTime(f.getDeclaringClass()));
        }
        return super.startOfTime();
    }

    /** The classes of the actors created, by name, in order. */
    public Map<String, ActorClass> classes() {
        Map<String, ActorClass> classes = new LinkedHashMap<>();
        created.forEach(host -> classes.put(host.name(), setting.classOf(host.type())));
        return classes;
    }

    /** Forgets some of the actors created, their effects, and the messages to them. */
    public void forget(Set<String> actors) {
        created.removeIf(host -> actors.contains(host.name()));
        creates.removeIf(a -> actors.contains(a.name()));
        for (int i = sends.size() - 1; i >= 0; i--) {
            if (actors.contains(sends.get(i).sender()) || actors.contains(sends.get(i).receiver())) {
                sends.remove(i);
                contents.remove(i);
            }
        }
        records.removeIf(r -> actors.contains(r.actor()));
    }

    /**
     * Captures the actors and messages once more. Objects behind static fields have names from the end of the set-up
     * on, and what has none must not be shared.
     *
     * @param end ends it, and takes the objects that actors have
     * @throws NotCapturableException if actors share what could change
     */
    public void captureAgain(Consumer<List<Identities>> end) {
        List<Boolean> isAsSent = new ArrayList<>();
        for (int i = 0; i < sends.size(); i++) {
            isAsSent.add(Arrays.equals(setting.codec().encode(contents.get(i)), sends.get(i).payload()));
        }
        capture.again();
        List<Identities> kept = new ArrayList<>(setting.newActors().had());
        created.forEach(host -> kept.add(setting.codec().identities(host.state())));
        end.accept(kept);
        setting.newActors().captureAgain();
        for (int i = 0; i < sends.size(); i++) {
            Envelope sent = sends.get(i);
            if (isAsSent.get(i)) {
                sends.set(i, new Envelope(sent.sender(), sent.receiver(), setting.codec().encode(contents.get(i))));
            }
        }
        for (int i = 0; i < creates.size(); i++) {
            ActorState actor = creates.get(i);
            creates.set(i, new ActorState(actor.name(), actor.type(), created.get(i).keepApart(), actor.acts()));
        }
    }

    /** A message that is declared, encoded. */
    public byte[] declared(Object message) {
        Objects.requireNonNull(message, "a message must not be null");
        return capture.encode("a message that Byzantine actors may send", message);
    }

    /** Reports whether other code did the same. */
    public boolean sameAs(Effects other) {
        return outcome("").sameAs(other.outcome(""), setting.declared().fifo());
    }

    /**
     * Refuses what the actors created share with others.
     *
     * @throws NotCapturableException if there is something
     */
    public void refuseShared(HeldObjects held) {
        capture.refuseShared(held);
    }
}
