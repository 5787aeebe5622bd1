package kv;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import kv.Command.Get;
import kv.Command.Put;
import kv.Messages.Begin;
import kv.Messages.Request;
import kv.Messages.Response;
import kv.Messages.Restarted;

/** Reads and writes for ever. It sends a request again only if the leader lost what it had received. */
final class Client extends Actor {
    private final ActorName writes;
    private final ActorName reads;
    private final int keys;
    private final int values;
    private Request request = new Request(0, null);

    /** A client that sends writes and reads to these replicas. */
    Client(ActorName writes, ActorName reads, int keys, int values) {
        this.writes = writes;
        this.reads = reads;
        this.keys = keys;
        this.values = values;
    }

    @Override
    protected void start() {
        send(self(), new Begin());
    }

    @Handler
    void on(Begin m) {
        beginNext();
    }

    private void beginNext() {
        String key = "key" + choose(keys);
        int value = choose(values + 1);
        request = new Request(1 - request.number(), value == 0 ? new Get(key) : new Put(key, value));
        invoked(request.command());
        sendRequest();
    }

    private void sendRequest() {
        send(request.command() instanceof Get ? reads : writes, request);
    }

    @Handler
    void on(Response m) {
        if (m.number() == request.number()) {
            returned(m.result());
            beginNext();
        }
    }

    @Handler
    void on(Restarted m) {
        if (request.command() != null) {
            sendRequest();
        }
    }
}
