package crdtlist;

import com.netopyr.wurmloch.crdt.CrdtCommand;
import com.netopyr.wurmloch.crdt.RGA;
import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import harrier.Internal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** A replica of a list. It inserts an element at the front once, and tells the others. */
final class Replica extends Actor {
    /** A command of one replica, with the number of commands of each replica that it had seen before. */
    record Did(CrdtCommand command, Map<ActorName, Integer> seen) {}

    /** What the library is connected by: commands of others come in, those of its own go out. */
    private static final class Wire implements Publisher<CrdtCommand>, Subscriber<CrdtCommand>, Subscription {
        Subscriber<? super CrdtCommand> library;
        CrdtCommand last;

        @Override public void subscribe(Subscriber<? super CrdtCommand> s) {
            library = s;
            s.onSubscribe(this);
        }
        @Override public void request(long n) {}
        @Override public void cancel() {}
        @Override public void onSubscribe(Subscription s) { s.request(Long.MAX_VALUE); }
        @Override public void onNext(CrdtCommand command) { last = command; }
        @Override public void onError(Throwable t) { throw new AssertionError(t); }
        @Override public void onComplete() {}

        CrdtCommand take() {
            CrdtCommand taken = last;
            last = null;
            return taken;
        }
    }

    private final Wire wire = new Wire();
    private final List<ActorName> all;
    private final RGA<String> list;
    private final Map<ActorName, Integer> seen = new HashMap<>();
    private boolean hasInserted;

    Replica(String id, List<ActorName> all) {
        this.all = all;
        list = new RGA<>(id, "list", wire, wire);
    }

    List<String> elements() { return List.copyOf(list); }
    Map<ActorName, Integer> seen() { return seen; }
    boolean waits() { return !hasInserted; }

    @Internal(when = "waits") void insert() {
        hasInserted = true;
        list.add(0, "from " + self());
        send(all.stream().filter(r -> !r.equals(self())).toList(), new Did(wire.take(), Map.copyOf(seen)));
        seen.merge(self(), 1, Integer::sum);
    }

    /** Causal delivery: a command comes after all that its replica had seen. */
    boolean comesNext(Did m) {
        return m.seen().entrySet().stream().allMatch(e -> seen.getOrDefault(e.getKey(), 0) >= e.getValue());
    }

    @Handler(when = "comesNext") void on(Did m, ActorName from) {
        seen.merge(from, 1, Integer::sum);
        wire.library.onNext(m.command());
    }
}
