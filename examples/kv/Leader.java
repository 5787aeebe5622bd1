package kv;

import harrier.Actor;
import harrier.ActorName;
import harrier.Durable;
import harrier.Handler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kv.Command.Put;
import kv.Messages.Request;
import kv.Messages.Response;
import kv.Messages.Restarted;
import kv.Messages.Update;
import kv.Messages.Updated;

/** Answers requests. What it has goes to the follower afterwards, but before the next request. */
public class Leader extends Actor {
    private final ActorName follower;
    private final List<ActorName> clients;

    /** Whether the follower has all. */
    private boolean isReady = true;

    @Durable private final Map<String, Integer> data = new HashMap<>();

    /** The last response to each client. */
    @Durable protected final Map<ActorName, Response> sessions = new HashMap<>();

    protected Leader(ActorName follower, List<ActorName> clients) {
        this.follower = follower;
        this.clients = clients;
    }

    @Handler(when = "isReady")
    void on(Request m, ActorName client) {
        Response last = sessions.get(client);
        if (last == null || last.number() != m.number()) {
            sessions.put(client, new Response(m.number(), carryOut(m.command())));
            update();
        }
        reply(sessions.get(client));
    }

    boolean isReady(Request m, ActorName client) {
        return isReady;
    }

    private Integer carryOut(Command command) {
        return command instanceof Put put ? data.put(put.key(), put.value()) : data.get(command.key());
    }

    private void update() {
        isReady = false;
        send(follower, new Update(new HashMap<>(data)));
    }

    @Handler
    void on(Updated m) {
        isReady = true;
    }

    @Override
    protected void onRestart() {
        update();
        send(clients, new Restarted());
    }
}
