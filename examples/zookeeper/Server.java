package org.apache.zookeeper.server.quorum;

import harrier.*;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.quorum.QuorumPeer.QuorumServer;
import org.apache.zookeeper.server.quorum.flexible.QuorumMaj;
import org.apache.zookeeper.server.quorum.flexible.QuorumVerifier;

/** A server of ZooKeeper that takes part in one election. The library's threads send, receive and look for the leader. */
class Server extends Actor {
    record Notice(byte[] content) {}

    final List<ActorName> names;
    final Peer peer;
    final QuorumCnxManager connections;
    final FastLeaderElection election;
    Vote elected;

    Server(int number, long zxid, List<ActorName> names, boolean wrong) {
        this.names = names;
        try {
            peer = new Peer(number, zxid, names.size());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        connections = new Connections(this);
        election = wrong ? new ByNumber(peer, connections) : new FastLeaderElection(peer, connections);
    }

    @Override protected void start() {
        election.start();
        new Thread(this::elect, "QuorumPeer").start();
    }

    void elect() {
        try {
            elected = election.lookForLeader();
            peer.setCurrentVote(elected);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** While the thread that receives has something to do, more waits in the network, which is the same to it. */
    boolean mayArrive() { return connections.recvQueue.isEmpty(); }

    @Handler(when = "mayArrive") void on(Notice m, ActorName from) {
        connections.addToRecvQueue(new QuorumCnxManager.Message(ByteBuffer.wrap(m.content()), names.indexOf(from) + 1));
    }

    void transmit(int to, byte[] content) { send(names.get(to - 1), new Notice(content)); }

    /** What the library knows of a server, with an epoch and a log of its own in place of those on disk. */
    static class Peer extends QuorumPeer {
        final long zxid;

        Peer(int number, long zxid, int servers) throws Exception {
            this.zxid = zxid;
            Map<Long, QuorumServer> all = new TreeMap<>();
            for (long i = 1; i <= servers; i++) all.put(i, new QuorumServer(i, (InetSocketAddress) null, null));
            setMyid(number);
            setCurrentVote(new Vote(number, zxid, 0));
            setQuorumVerifier(new QuorumMaj(all), false);
        }

        @Override public long getLastLoggedZxid() { return zxid; }
        @Override public long getCurrentEpoch() { return 0; }
        @Override public QuorumVerifier configFromString(String text) { return getQuorumVerifier(); }
    }

    /** Connections that never break: what is put into a queue for a server is sent to it at once. */
    static class Connections extends QuorumCnxManager {
        final Server server;

        Connections(Server server) {
            super(server.peer, server.peer.getMyId(), Map.of(), null, null, 0, false, 20, false);
            this.server = server;
        }

        @Override synchronized void connectOne(long to) {
            try {
                server.transmit((int) to, queueSendMap.get(to).poll(0, TimeUnit.SECONDS).array());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override boolean haveDelivered() { return false; } // or votes are sent again and again
        @Override public void connectAll() {}
    }

    /** Wrong: it compares servers by their numbers, and not by the transactions that they have seen. */
    static class ByNumber extends FastLeaderElection {
        ByNumber(QuorumPeer self, QuorumCnxManager connections) { super(self, connections); }

        @Override protected boolean totalOrderPredicate(long id, long zxid, long epoch, long currentId, long currentZxid, long currentEpoch) {
            return epoch > currentEpoch || epoch == currentEpoch && id > currentId;
        }
    }
}
