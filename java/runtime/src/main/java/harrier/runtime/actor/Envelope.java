package harrier.runtime.actor;

import java.util.Arrays;
import java.util.Objects;

/**
 * A message in flight. Two are equal if their content is.
 *
 * @param sender who sent it; empty if the scenario did
 * @param receiver whose inbox it is in
 * @param payload its content, encoded
 */
public record Envelope(String sender, String receiver, byte[] payload) {
    /** The payload of a request of the sender to be told when the receiver goes, which is no message. */
    public static final byte[] WATCH = {(byte) 0xff};
    /** The payload of one that takes that back. */
    public static final byte[] UNWATCH = {(byte) 0xfe};

    /** The payload of what ends a connection, which is no message of the program. */
    public static final byte[] CLOSED = {(byte) 0xfc};

    /** Reports whether it is no message, but such a request. */
    public boolean isRequest() {
        return Arrays.equals(payload, WATCH) || Arrays.equals(payload, UNWATCH);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Envelope e && e.sender.equals(sender) && e.receiver.equals(receiver)
            && Arrays.equals(e.payload, payload);
    }

    @Override
    public int hashCode() {
        return Objects.hash(sender, receiver, Arrays.hashCode(payload));
    }
}
