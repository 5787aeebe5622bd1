package harrier.runtime.step;

import harrier.runtime.codec.Codec;
import harrier.runtime.codec.graph.HeldObjects;
import harrier.runtime.codec.graph.LocalState;
import harrier.runtime.codec.graph.NotCapturableException;
import harrier.runtime.rules.Guard;
import java.util.function.Supplier;

/**
 * Encodes what running code sends, creates and records, and remembers what cannot be encoded. Actors of one execution
 * must not share what could change.
 */
public final class Capture {
    private final Codec codec;
    private final boolean isSetUp;
    /** What the actors of this execution reach. */
    private HeldObjects reached = HeldObjects.byActors();
    /** What would be refused of the actors of a set-up, unless they share a constant; null if nothing would. */
    private NotCapturableException suspected;
    private NotCapturableException refused;

    Capture(Codec codec, boolean isSetUp) {
        this.codec = codec;
        this.isSetUp = isSetUp;
    }

    /** The last refusal, or null. */
    NotCapturableException refused() {
        return refused;
    }

    NotCapturableException refuse(NotCapturableException e) {
        refused = e;
        return e;
    }

    /** Encodes a value, which is called {@code what} if it cannot be. */
    public byte[] encode(String what, Object value) {
        return of(what, () -> codec.encode(value));
    }

    /** Encodes something, which is called {@code what} if it cannot be; nothing if the complaint says enough. */
    private byte[] of(String what, Supplier<byte[]> encoding) {
        try {
            return encoding.get();
        } catch (NotCapturableException e) {
            throw refuse(what.isEmpty() ? e : e.of(what));
        }
    }

    /**
     * Encodes the local state of an actor, which must share nothing with actors of the same execution, nor with static
     * fields. Those of a set-up may share what turns out to be a constant.
     *
     * @param isAlone whether the execution has no other actors
     */
    byte[] local(String what, LocalState state, boolean isAlone) {
        return of(what, () -> isSetUp ? suspecting(state)
            : codec.encode(state, isAlone ? null : reached, Guard.here().statics().held()));
    }

    private byte[] suspecting(LocalState state) {
        try {
            codec.encode(state, reached, Guard.here().statics().held());
        } catch (NotCapturableException e) {
            suspected = suspected == null && e.isShared() ? e : suspected;
        }
        return codec.encode(state);
    }

    /** Has the actors of a set-up encoded once more, by {@link #apart}, as the constant objects are known now. */
    public void again() {
        reached = HeldObjects.byActors();
    }

    /** Encodes the local state of an actor of a set-up that shares nothing but constants. */
    byte[] apart(LocalState state) {
        try {
            return codec.encode(state, reached, Guard.here().statics().held());
        } catch (NotCapturableException e) {
            throw suspected == null ? e : suspected; // which tells the calls that created the actor
        }
    }

    /** Refuses what the actors share with others. */
    public void refuseShared(HeldObjects held) {
        reached.refuse(held);
    }
}
