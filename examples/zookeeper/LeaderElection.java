package org.apache.zookeeper.server.quorum;

import harrier.*;
import java.util.*;
import org.apache.zookeeper.jmx.MBeanRegistry;
import org.apache.zookeeper.jmx.ZKMBeanInfo;

/** Three servers of ZooKeeper elect a leader, the last of which has seen less than the others. Expected: verified. */
@Allow({"order=plain", "property=zookeeper.fastleader.maxNotificationInterval:200"})
public class LeaderElection extends Scenario {
    @Parameter int servers = 3;
    @Parameter boolean wrong = false, agreement = false;

    @Override protected void setUp() {
        MBeanRegistry.setInstance(new NoBeans());
        network().fifo();
        List<ActorName> names = names("server", servers);
        create("server", servers, i -> new Server(i + 1, i < servers - 1 ? 5 : 3, names, wrong));
    }

    @Invariant("who is elected has seen all that a majority has") boolean current() {
        return actors(Server.class).allMatch(s -> s.elected == null || s.elected.getZxid() == 5);
    }

    /** Time-outs of an election run out at any moment here, and what ZooKeeper does after it is what prevents two leaders. */
    @Invariant("all elect the same") boolean agree() {
        return !agreement || actors(Server.class).map(s -> s.elected).filter(Objects::nonNull).mapToLong(Vote::getId).distinct().count() <= 1;
    }

    static class NoBeans extends MBeanRegistry {
        @Override public void register(ZKMBeanInfo bean, ZKMBeanInfo parent) {}
        @Override public void unregister(ZKMBeanInfo bean) {}
    }
}
