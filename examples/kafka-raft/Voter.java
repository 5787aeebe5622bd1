package org.apache.kafka.raft;

import harrier.Actor;
import harrier.ActorName;
import harrier.Durable;
import harrier.Handler;
import harrier.Internal;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.raft.internals.BatchMemoryPool;
import org.apache.kafka.raft.internals.StringSerde;
import org.apache.kafka.snapshot.SnapshotReader;

/** A voter's KafkaRaftClient as it comes from the library, and all that it talks to: network, time, disk, listener. */
final class Voter extends Actor implements NetworkChannel, ExpirationService, Time, RaftClient.Listener<String> {
    record Request(int id, ApiMessage data) {}

    record Response(int id, ApiMessage data) {}

    /** The library adds some noise to its timeouts. As they may run out at any moment, the largest stands for all of it. */
    static final class MostNoise extends Random {
        private static final long serialVersionUID = 1;

        MostNoise() { super(0); }

        @Override public int nextInt(int bound) { return bound - 1; }
    }

    /** The library's own pool gives away 8 MB at a time, which would be part of the state. */
    static final class SmallBuffers extends BatchMemoryPool {
        SmallBuffers() { super(0, KafkaRaftClient.MAX_BATCH_SIZE_BYTES); }

        @Override public ByteBuffer tryAllocate(int size) { return ByteBuffer.allocate(256); }

        @Override public void release(ByteBuffer buffer) {}
    }

    private final List<ActorName> voters;
    private final boolean losesDisk;
    /** How many more timeouts of the client may run out here, and how many more records may be written. */
    private int timeouts;
    private int writes;
    @Durable private MockLog log;
    @Durable private MockQuorumStateStore votes;
    private KafkaRaftClient<String> client;
    private MockMessageQueue queue;
    /** The requests without a response, by receiver and id. */
    private final Map<List<Integer>, RaftRequest.Outbound> requests = new HashMap<>();
    /** How many steps there were: the id of all requests of a step, of which no two go to the same voter. */
    @Durable private int steps;
    private final List<String> committed = new ArrayList<>();
    /** The epochs in which the voter was leader: for the property, whatever the voter forgets. */
    @Durable private final Set<Integer> led = new TreeSet<>();

    Voter(List<ActorName> voters, int timeouts, int writes, boolean losesDisk) {
        this.voters = voters;
        this.timeouts = timeouts;
        this.writes = writes;
        this.losesDisk = losesDisk;
    }

    @Override protected void start() {
        log = new MockLog(new TopicPartition("log", 0), Uuid.METADATA_TOPIC_ID, new LogContext());
        votes = new MockQuorumStateStore();
        startClient();
    }

    /** What was not flushed is gone; with a disk that is lost, everything. */
    @Override protected void onRestart() {
        if (losesDisk) {
            start();
        } else {
            log.reopen();
            startClient();
        }
    }

    private void startClient() {
        Map<Integer, RaftConfig.AddressSpec> addresses = new TreeMap<>(); // the library keeps their order
        for (int i = 0; i < voters.size(); i++) {
            addresses.put(i, RaftConfig.UNKNOWN_ADDRESS_SPEC_INSTANCE);
        }
        queue = new MockMessageQueue();
        client = new KafkaRaftClient<>(new StringSerde(), this, queue, log, votes, new SmallBuffers(), this,
            new Metrics(this), this, 500, "cluster", OptionalInt.of(voters.indexOf(self())), new LogContext(),
            new MostNoise(), new RaftConfig(addresses, 1000, 20, 1000, 1000, 1000, 0));
        client.register(this);
        client.initialize();
        poll();
    }

    /** What the library's own thread does, until it would wait. */
    private void poll() {
        steps++;
        do {
            client.poll();
        } while (!queue.isEmpty());
        client.poll();
        if (client.quorum().isLeader()) {
            led.add(client.quorum().epoch());
        }
    }

    @Handler void on(Request m, ActorName from) {
        RaftRequest.Inbound request = new RaftRequest.Inbound(m.id(), m.data(), milliseconds());
        request.completion.thenAccept(response -> send(from, new Response(m.id(), response.data())));
        client.handle(request);
        poll();
    }

    @Handler void on(Response m, ActorName from) {
        int sender = voters.indexOf(from);
        RaftRequest.Outbound request = requests.remove(List.of(sender, m.id()));
        if (request != null) { // otherwise the voter has crashed since
            request.completion.complete(new RaftResponse.Inbound(m.id(), m.data(), sender));
            poll();
        }
    }

    /** The moment comes that the client waits for. */
    @Internal(when = "mayTimeOut") void timeOut() {
        timeouts--;
        clock().advance(Duration.ofMillis(queue.lastPollTimeoutMs().getAsLong()));
        poll();
    }

    boolean mayTimeOut() { return timeouts > 0; }

    @Internal(when = "mayWrite") void write() {
        writes--;
        client.scheduleAppend(client.quorum().epoch(), List.of("of " + voters.indexOf(self())));
        poll();
    }

    boolean mayWrite() { return writes > 0 && client.quorum().isLeader(); }

    List<String> committed() { return committed; }

    Set<Integer> led() { return led; }

    // The network.

    @Override public int newCorrelationId() { return steps; }

    @Override public void send(RaftRequest.Outbound request) {
        requests.put(List.of(request.destinationId(), request.correlationId()), request);
        send(voters.get(request.destinationId()), new Request(request.correlationId(), request.data()));
    }

    @Override public void updateEndpoint(int id, RaftConfig.InetAddressSpec address) {}

    @Override public void close() {}

    // Time. Requests that a leader holds back until there are records stay held back.

    @Override public <T> CompletableFuture<T> failAfter(long timeout) { return new CompletableFuture<>(); }

    @Override public long milliseconds() { return clock().millis(); }

    @Override public long nanoseconds() { return milliseconds() * 1_000_000; }

    @Override public void sleep(long millis) { throw new UnsupportedOperationException(); }

    @Override public void waitObject(Object object, Supplier<Boolean> condition, long deadline) {
        throw new UnsupportedOperationException();
    }

    // The listener.

    @Override public void handleCommit(BatchReader<String> reader) {
        reader.forEachRemaining(batch -> committed.addAll(batch.records()));
        reader.close();
    }

    @Override public void handleLoadSnapshot(SnapshotReader<String> reader) { throw new UnsupportedOperationException(); }
}
