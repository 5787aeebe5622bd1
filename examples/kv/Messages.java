package kv;

import java.util.Map;

/** What clients, the leader and the follower tell each other. */
public final class Messages {
    private Messages() {}

    /** Tells a client to begin its first operation. */
    record Begin() {}

    /** A client's request. The numbers of a client's requests are 1 and 0 by turns. */
    public record Request(int number, Command command) {}

    /** The answer to a request. */
    public record Response(int number, Integer result) {}

    /** Tells a client that the leader crashed: a request that was not answered may be lost. */
    record Restarted() {}

    /** Tells the follower what the leader has. */
    record Update(Map<String, Integer> data) {}

    /** Tells the leader that the follower has it, too. */
    record Updated() {}
}
