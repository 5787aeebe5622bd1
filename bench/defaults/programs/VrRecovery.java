import harrier.*;
import java.util.*;

/** A replica that recovers takes part in a view change, without what it has forgotten. */
public class VrRecovery extends Scenario {
    record Prepare(int view, int number, int op) {}
    record PrepareOk(int view, int number) {}
    record StartViewChange(int view) {}
    record DoViewChange(int view, int lastNormal, List<Integer> log) {}
    record StartView(int view, List<Integer> log) {}
    record Recovery(int nonce) {}
    record RecoveryResponse(int view, int nonce, List<Integer> log) {}
    record Reply(int op, int view) {}
    record Told(int op, int view) {}

    enum Status { NORMAL, VIEW_CHANGE, RECOVERING }

    static class Replica extends Actor {
        final List<ActorName> all;
        final int rank;
        final ActorName client;
        final boolean mended;
        @Durable int timeouts;
        @Durable int ops;
        @Durable int nonce;
        Status status = Status.NORMAL;
        int view;
        int lastNormal;
        List<Integer> log = new ArrayList<>();
        final Map<Integer, Set<ActorName>> oks = new TreeMap<>();
        final Set<ActorName> changers = new HashSet<>();
        final Map<ActorName, DoViewChange> changes = new HashMap<>();
        boolean sentChange;
        final Map<ActorName, RecoveryResponse> responses = new HashMap<>();

        Replica(List<ActorName> all, int rank, ActorName client, int timeouts, int ops, boolean mended) {
            this.all = all;
            this.rank = rank;
            this.client = client;
            this.timeouts = timeouts;
            this.ops = ops;
            this.mended = mended;
        }

        @Override protected void start() {}

        @Override protected void onRestart() {
            status = Status.RECOVERING;
            nonce++;
            toOthers(new Recovery(nonce));
        }

        void toOthers(Object m) { for (ActorName a : all) if (!a.equals(self())) send(a, m); }

        boolean leads() { return status == Status.NORMAL && view % all.size() == rank; }

        boolean mayRequest() { return leads() && ops > 0; }

        @Internal(when = "mayRequest") void request() {
            ops--;
            log.add(10 * rank + ops + 1);
            oks.put(log.size(), new HashSet<>());
            toOthers(new Prepare(view, log.size(), log.get(log.size() - 1)));
        }

        @Handler void on(Prepare m) {
            if (status != Status.NORMAL || m.view() != view || m.number() != log.size() + 1) return;
            log.add(m.op());
            reply(new PrepareOk(view, m.number()));
        }

        @Handler void on(PrepareOk m, ActorName from) {
            if (!leads() || m.view() != view || !oks.containsKey(m.number())) return;
            Set<ActorName> s = oks.get(m.number());
            s.add(from);
            if (2 * (s.size() + 1) > all.size()) {
                send(client, new Reply(log.get(m.number() - 1), view));
                oks.remove(m.number());
            }
        }

        boolean mayTimeOut() { return timeouts > 0 && status != Status.RECOVERING && !leads(); }

        @Internal(when = "mayTimeOut") void timeOut() {
            timeouts--;
            change(view + 1);
        }

        void change(int v) {
            view = v;
            status = Status.VIEW_CHANGE;
            oks.clear();
            changers.clear();
            changes.clear();
            responses.clear();
            sentChange = false;
            toOthers(new StartViewChange(v));
        }

        boolean follows(int v) {
            if (mended && status == Status.RECOVERING || v < view) return false;
            if (v > view) change(v);
            return status == Status.VIEW_CHANGE;
        }

        @Handler void on(StartViewChange m, ActorName from) {
            if (!follows(m.view())) return;
            changers.add(from);
            if (sentChange) return;
            sentChange = true;
            DoViewChange d = new DoViewChange(view, lastNormal, List.copyOf(log));
            ActorName primary = all.get(view % all.size());
            if (primary.equals(self())) take(self(), d);
            else send(primary, d);
        }

        @Handler void on(DoViewChange m, ActorName from) {
            if (follows(m.view())) take(from, m);
        }

        void take(ActorName from, DoViewChange m) {
            changes.put(from, m);
            if (changes.size() * 2 <= all.size() || !changes.containsKey(self())) return;
            DoViewChange best = m;
            for (ActorName a : all) {
                DoViewChange d = changes.get(a);
                if (d != null && (d.lastNormal() > best.lastNormal()
                    || d.lastNormal() == best.lastNormal() && d.log().size() > best.log().size())) best = d;
            }
            enter(view, best.log());
            toOthers(new StartView(view, List.copyOf(log)));
        }

        void enter(int v, List<Integer> newLog) {
            view = v;
            lastNormal = v;
            status = Status.NORMAL;
            log = new ArrayList<>(newLog);
            changers.clear();
            changes.clear();
            responses.clear();
        }

        @Handler void on(StartView m) {
            if (mended && status == Status.RECOVERING) return;
            if (m.view() > view || m.view() == view && status == Status.VIEW_CHANGE) enter(m.view(), m.log());
        }

        @Handler void on(Recovery m) {
            if (status == Status.NORMAL) reply(new RecoveryResponse(view, m.nonce(), leads() ? List.copyOf(log) : null));
        }

        @Handler void on(RecoveryResponse m, ActorName from) {
            if (status != Status.RECOVERING || m.nonce() != nonce) return;
            responses.put(from, m);
            if (responses.size() * 2 <= all.size()) return;
            int latest = responses.values().stream().mapToInt(RecoveryResponse::view).max().getAsInt();
            RecoveryResponse p = responses.get(all.get(latest % all.size()));
            if (p != null && p.view() == latest && p.log() != null) enter(latest, p.log());
        }
    }

    static class Client extends Actor {
        final Set<Told> told = new HashSet<>();

        @Handler void on(Reply m) { told.add(new Told(m.op(), m.view())); }
    }

    @Parameter boolean mended = false;
    @Parameter int timeouts = 1;
    @Parameter int ops = 1;
    @Parameter int crashes = 1;

    @Override protected void setUp() {
        List<ActorName> all = names("replica", 3);
        ActorName client = create("client", new Client());
        create("replica", 3, i -> new Replica(all, i, client, timeouts, i == 0 ? ops : 0, mended));
        faults().crashes(crashes, "replica");
    }

    @Invariant("each later primary has what the client was told of") boolean kept() {
        return actors(Client.class).allMatch(c -> c.told.stream().allMatch(t ->
            actors(Replica.class).allMatch(r -> !r.leads() || r.view <= t.view() || r.log.contains(t.op()))));
    }
}
