package microraft;

import harrier.Actor;
import harrier.ActorName;
import harrier.Durable;
import harrier.Handler;
import harrier.Internal;
import io.microraft.RaftConfig;
import io.microraft.RaftEndpoint;
import io.microraft.RaftNode;
import io.microraft.RaftRole;
import io.microraft.executor.RaftNodeExecutor;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.impl.state.RaftState;
import io.microraft.model.message.RaftMessage;
import io.microraft.statemachine.StateMachine;
import io.microraft.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A RaftNode as it comes from the library, and all that it talks to: network, executor, clock, state machine. */
final class RaftActor extends Actor implements Transport, RaftNodeExecutor, StateMachine {
    /** What the library calls a member: here, the name of an actor. */
    record Member(ActorName name) implements RaftEndpoint {
        @Override public Object getId() { return name.toString(); }
    }

    /** Tells a node who the members are. */
    record Start(List<ActorName> members) {}

    /** The library adds some noise to its timeouts. As they may run out at any moment, no noise stands for all of it. */
    static final class NoNoise extends Random {
        private static final long serialVersionUID = 1;

        NoNoise() { super(0); }

        @Override public int nextInt(int bound) { return 0; }
    }

    @Durable private List<ActorName> members;
    private RaftNodeImpl node;
    /** How many more scheduled tasks may run here, and how many more operations may begin. */
    private int timeouts;
    private int operations;
    /** What the state machine was given, in order. */
    private final List<Object> applied = new ArrayList<>();
    /** The terms in which the node was leader: for the property, whatever the node forgets. */
    @Durable private final Set<Integer> led = new TreeSet<>();

    RaftActor(int timeouts, int operations) {
        this.timeouts = timeouts;
        this.operations = operations;
    }

    @Handler
    void on(Start m) {
        members = m.members();
        startNode();
    }

    /** A new node, as the library's own store keeps nothing. */
    @Override protected void onRestart() {
        if (members != null) {
            startNode();
        }
    }

    private void startNode() {
        // The log is an array of as many places as the first two ask for together: 60,000 without a word.
        RaftConfig config = RaftConfig.newBuilder().setCommitCountToTakeSnapshot(8).setMaxPendingLogEntryCount(4)
            .setLeaderHeartbeatPeriodSecs(1).setLeaderHeartbeatTimeoutSecs(1).build();
        List<RaftEndpoint> group = members.stream().<RaftEndpoint>map(Member::new).toList();
        node = (RaftNodeImpl) RaftNode.newBuilder().setGroupId("group").setLocalEndpoint(new Member(self()))
            .setInitialGroupMembers(group).setConfig(config).setTransport(this).setExecutor(this)
            .setStateMachine(this).setClock(clock()).setRandom(new NoNoise()).build();
        node.start();
    }

    @Handler(when = "isStarted")
    void on(RaftMessage m) {
        node.handle(m);
        noteLeadership();
    }

    /** A client's doing: an operation is given to a leader that has committed all it had before. */
    @Internal(when = "mayReplicate")
    void replicate() {
        operations--;
        node.replicate("operation of " + self() + " in term " + state().term());
    }

    boolean mayReplicate() {
        return operations > 0 && isLeader() && state().commitIndex() == state().log().lastLogOrSnapshotIndex();
    }

    private void noteLeadership() {
        if (isLeader()) {
            led.add(state().term());
        }
    }

    boolean isStarted() { return node != null; }

    boolean isLeader() { return isStarted() && state().role() == RaftRole.LEADER; }

    RaftState state() { return node.state(); }

    List<Object> applied() { return applied; }

    Set<Integer> led() { return led; }

    // The network.

    @Override public void send(RaftEndpoint target, RaftMessage message) { send(((Member) target).name(), message); }

    @Override public boolean isReachable(RaftEndpoint endpoint) { return true; }

    // The executor. An actor does one thing at a time, so what can run at once does.

    @Override public void execute(Runnable task) { task.run(); }

    @Override public void submit(Runnable task) { eventLoop().execute(task); }

    @Override public void schedule(Runnable task, long delay, TimeUnit unit) {
        if (timeouts > 0) {
            eventLoop().schedule(() -> runScheduled(task, Duration.of(delay, unit.toChronoUnit())), delay, unit);
        }
    }

    /** Tasks schedule themselves again for ever, so only so many of them run. */
    private void runScheduled(Runnable task, Duration delay) {
        if (--timeouts == 0) {
            eventLoop().shutdownNow();
        }
        clock().advance(delay);
        task.run();
        noteLeadership();
    }

    // The state machine.

    @Override public Object runOperation(long commitIndex, Object operation) {
        applied.add(operation);
        return null;
    }

    @Override public Object getNewTermOperation() { return "new term"; }

    @Override public void takeSnapshot(long commitIndex, Consumer<Object> chunks) {
        throw new UnsupportedOperationException("runs are too short for snapshots");
    }

    @Override public void installSnapshot(long commitIndex, List<Object> chunks) {
        throw new UnsupportedOperationException("runs are too short for snapshots");
    }
}
