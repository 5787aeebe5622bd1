package register;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import register.Messages.Begin;
import register.Messages.Store;
import register.Messages.Stored;

/** Writes its values one after another, each under the next timestamp, to a majority of the base objects. */
final class Writer extends Actor {
    private final List<ActorName> objects;
    private final int writes;
    private int timestamp;
    private boolean isWriting;
    private final Set<ActorName> stored = new HashSet<>();

    /** How many versions each base object retains, as far as the writer heard. */
    private final Map<ActorName, Integer> retained = new HashMap<>();
    private int lateAnswers;

    Writer(List<ActorName> objects, int writes) {
        this.objects = objects;
        this.writes = writes;
    }

    @Override
    protected void start() {
        beginNext();
    }

    private void beginNext() {
        if (timestamp < writes) {
            send(self(), new Begin());
        }
    }

    @Handler
    void on(Begin m) {
        timestamp++;
        isWriting = true;
        Version version = new Version(timestamp, 10 * timestamp); // each write has a value of its own
        invoked(new Write(version.value()));
        send(objects, new Store(version));
    }

    @Handler
    void on(Stored m, ActorName object) {
        retained.put(object, m.retained());
        if (!isWriting || m.timestamp() != timestamp) {
            lateAnswers++;
            return;
        }
        stored.add(object);
        if (stored.size() > objects.size() / 2) {
            stored.clear();
            isWriting = false;
            returned(null);
            beginNext();
        }
    }
}
