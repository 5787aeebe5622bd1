package microraft;

import harrier.*;
import io.microraft.*;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.impl.state.RaftState;
import io.microraft.model.impl.DefaultRaftModelFactory;
import io.microraft.model.impl.message.DefaultVoteResponseOrBuilder;
import io.microraft.model.message.RaftMessage;
import io.microraft.model.message.VoteResponse;
import io.microraft.statemachine.StateMachine;
import io.microraft.transport.Transport;
import java.util.*;
import java.util.function.Consumer;

/** A node as the library makes it, with its own thread, clock and random numbers; the actor is its transport and state machine. */
final class Node extends Actor implements Transport, StateMachine {
    /** What the library calls a member: here, the name of an actor. */
    record Member(ActorName name) implements RaftEndpoint {
        @Override public Object getId() { return name.toString(); }
    }

    /** Wrong: it grants every vote that it is asked for. */
    static class GrantsAll extends DefaultRaftModelFactory {
        @Override public VoteResponse.VoteResponseBuilder createVoteResponseBuilder() {
            return new DefaultVoteResponseOrBuilder() {
                @Override public VoteResponse.VoteResponseBuilder setGranted(boolean granted) { return super.setGranted(true); }
            };
        }
    }

    private final List<ActorName> names;
    private final boolean writes;
    private final boolean wrong;
    private RaftNode node;
    private boolean hasWritten;
    /** What the state machine was given, in order. */
    final List<Object> applied = new ArrayList<>();
    /** The terms in which the node was leader. */
    final Set<Integer> led = new TreeSet<>();

    Node(List<ActorName> names, boolean writes, boolean wrong) {
        this.names = names;
        this.writes = writes;
        this.wrong = wrong;
    }

    @Override protected void start() {
        // The log is an array of as many places as the first two ask for together: 60,000 without a word.
        RaftConfig config = RaftConfig.newBuilder().setCommitCountToTakeSnapshot(8).setMaxPendingLogEntryCount(4)
            .setLeaderHeartbeatPeriodSecs(1).setLeaderHeartbeatTimeoutSecs(1).build();
        node = RaftNode.newBuilder().setGroupId("group").setLocalEndpoint(new Member(self())).setConfig(config)
            .setInitialGroupMembers(names.stream().<RaftEndpoint>map(Member::new).toList())
            .setTransport(this).setStateMachine(this).setModelFactory(wrong ? new GrantsAll() : new DefaultRaftModelFactory()).build();
        node.start();
    }

    /** The node's thread takes what arrives, as a connection does: one message after another. */
    @Handler void on(RaftMessage m) {
        node.handle(m);
        node.getReport().join();
        if (state().role() == RaftRole.LEADER) {
            led.add(state().term());
        }
    }

    /** A client writes once it is told that this is the leader. */
    @Internal(when = "mayWrite") void write() {
        hasWritten = true;
        node.replicate("what " + self() + " writes");
    }

    boolean mayWrite() { return writes && !hasWritten && !led.isEmpty(); }

    RaftState state() { return ((RaftNodeImpl) node).state(); }

    @Override public void send(RaftEndpoint target, RaftMessage m) { send(((Member) target).name(), m); }

    @Override public boolean isReachable(RaftEndpoint endpoint) { return true; }

    @Override public Object runOperation(long commitIndex, Object operation) { return applied.add(operation); }

    @Override public Object getNewTermOperation() { return "new term"; }

    @Override public void takeSnapshot(long commitIndex, Consumer<Object> chunks) { throw new UnsupportedOperationException(); }

    @Override public void installSnapshot(long commitIndex, List<Object> chunks) { throw new UnsupportedOperationException(); }
}
