package randtree;

import harrier.Actor;
import harrier.ActorName;
import harrier.Handler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import randtree.Messages.Join;
import randtree.Messages.NewSibling;
import randtree.Messages.Welcome;

/** A node of the tree. After a crash it knows nothing of the tree, and joins again. */
public class Node extends Actor {
    private final ActorName root;
    private final int mostChildren;

    private final List<ActorName> children = new ArrayList<>();
    private final Set<ActorName> siblings = new HashSet<>();

    /**
     * A node.
     *
     * @param root where it joins; null if it is the root
     */
    public Node(ActorName root, int mostChildren) {
        this.root = root;
        this.mostChildren = mostChildren;
    }

    /** Whether no other node is a child and a sibling of this one. */
    final boolean isConsistent() {
        return Collections.disjoint(children, siblings);
    }

    @Override
    protected void start() {
        if (root != null) {
            send(root, new Join(self()));
        }
    }

    @Handler
    void on(Join m) {
        children.remove(m.joiner()); // who joins has crashed, if it was here before
        siblings.remove(m.joiner());
        int hosts = children.size() < mostChildren ? children.size() + 1 : children.size();
        int host = choose(hosts);
        if (host < children.size()) {
            send(children.get(host), m);
            return;
        }
        send(m.joiner(), new Welcome(List.copyOf(children)));
        send(children, new NewSibling(m.joiner()));
        children.add(m.joiner());
    }

    @Handler
    void on(Welcome m) {
        siblings.clear();
        m.siblings().forEach(this::meet);
    }

    @Handler
    void on(NewSibling m) {
        meet(m.sibling());
    }

    /** Learns of a sibling. If it was a child, it has crashed and joined somewhere else since. */
    private void meet(ActorName sibling) {
        siblings.add(sibling);
        leave(sibling);
    }

    /** Forgets a child that has another parent now; a wrong version does not. */
    protected void leave(ActorName child) {
        children.remove(child);
    }
}
