package register;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import register.Messages.Begin;
import register.Messages.Fetch;
import register.Messages.Fetched;

/**
 * Reads several times: asks all base objects and returns the newest version that a majority of them has.
 * It does not write that version back, as an atomic register's reader would.
 */
final class Reader extends Actor {
    private final List<ActorName> objects;
    private final int reads;
    private int request;
    private boolean isReading;
    private final Map<ActorName, Version> fetched = new HashMap<>();

    /** How often each base object answered, in time or too late. */
    private final Map<ActorName, Integer> answers = new HashMap<>();

    Reader(List<ActorName> objects, int reads) {
        this.objects = objects;
        this.reads = reads;
    }

    @Override
    protected void start() {
        beginNext();
    }

    private void beginNext() {
        if (request < reads) {
            send(self(), new Begin());
        }
    }

    @Handler
    void on(Begin m) {
        request++;
        isReading = true;
        invoked(new Read());
        send(objects, new Fetch(request));
    }

    @Handler
    void on(Fetched m, ActorName object) {
        answers.merge(object, 1, Integer::sum);
        if (!isReading || m.request() != request) {
            return;
        }
        fetched.put(object, m.version());
        if (fetched.size() > objects.size() / 2) {
            Version newest = newest();
            fetched.clear();
            isReading = false;
            returned(newest.value());
            beginNext();
        }
    }

    private Version newest() {
        Version newest = Version.INITIAL;
        for (Version version : fetched.values()) {
            if (version.isNewerThan(newest)) {
                newest = version;
            }
        }
        return newest;
    }
}
