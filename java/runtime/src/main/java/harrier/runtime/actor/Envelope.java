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
