package harrier.runtime.step;

/**
 * A message in flight.
 *
 * @param sender who sent it; empty if the scenario did
 * @param receiver whose inbox it is in
 * @param payload its content, encoded
 */
public record Envelope(String sender, String receiver, byte[] payload) {}
