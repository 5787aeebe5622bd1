package randtreefaulty;

import harrier.ActorName;
import randtree.Node;
import randtree.RandTree;

/**
 * RandTree in which a node that learns of a new sibling does not look among its children: a child that crashed, and was
 * taken by the node's own parent when it joined again, is both. Yabandeh and others found this in Mace's RandTree, in
 * "CrystalBall: Predicting and Preventing Inconsistencies in Deployed Distributed Systems", NSDI 2009.
 *
 * <p>Expected: violated (no node is a child and a sibling of another).
 */
public final class RandTreeFaulty extends RandTree {
    @Override
    protected Node node(ActorName root, int mostChildren) {
        return new Trusting(root, mostChildren);
    }

    /** Keeps its children whatever it learns of them. */
    static final class Trusting extends Node {
        Trusting(ActorName root, int mostChildren) {
            super(root, mostChildren);
        }

        @Override
        protected void leave(ActorName child) {}
    }
}
