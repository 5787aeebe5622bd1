package harrier.pekko;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.dispatch.DequeBasedMessageQueueSemantics;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.Mailbox;
import org.apache.pekko.dispatch.MessageQueue;

/** The messages that a classic actor has got and not processed: it is suspended, or has unstashed them. */
final class Inbox extends Mailbox implements MessageQueue, DequeBasedMessageQueueSemantics {
    private final Deque<Envelope> waiting = new ArrayDeque<>();

    @Override
    public MessageQueue messageQueue() {
        return this;
    }

    @Override
    public void enqueue(ActorRef receiver, Envelope message) {
        waiting.addLast(message);
    }

    @Override
    public void enqueueFirst(ActorRef receiver, Envelope message) {
        waiting.addFirst(message);
    }

    @Override
    public Envelope dequeue() {
        return waiting.pollFirst();
    }

    @Override
    public int numberOfMessages() {
        return waiting.size();
    }

    @Override
    public boolean hasMessages() {
        return !waiting.isEmpty();
    }

    @Override
    public void cleanUp(ActorRef owner, MessageQueue deadLetters) {
        waiting.clear();
    }
}
