import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** Who holds which lock and who waits for it. Written for a server; it knows nothing of harrier. */
public class LockTable {
    /** What the server is to tell a client. */
    public record Grant(String client, String lock) {}

    private final Map<String, Queue<String>> queues = new HashMap<>();

    /** A client wants a lock. Repeated requests change nothing. */
    public List<Grant> acquire(String client, String lock) {
        Queue<String> queue = queues.computeIfAbsent(lock, l -> new ArrayDeque<>());
        if (queue.contains(client)) {
            return List.of();
        }
        queue.add(client);
        return queue.size() == 1 ? List.of(new Grant(client, lock)) : List.of();
    }

    /** A client gives a lock back, or gives up waiting for it. */
    public List<Grant> release(String client, String lock) {
        Queue<String> queue = queues.getOrDefault(lock, new ArrayDeque<>());
        boolean held = client.equals(queue.peek());
        queue.remove(client);
        if (queue.isEmpty()) {
            queues.remove(lock);
        }
        return held && !queue.isEmpty() ? List.of(new Grant(queue.peek(), lock)) : List.of();
    }
}
