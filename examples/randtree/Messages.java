package randtree;

import harrier.ActorName;
import java.util.List;

/** The messages of a tree that grows at random. */
public final class Messages {
    private Messages() {}

    /** Asks for a place in the tree, at the root, or below the node that it was passed on to. */
    public record Join(ActorName joiner) {}

    /** Tells who joins that the sender is its parent, and who the parent's other children are. */
    public record Welcome(List<ActorName> siblings) {}

    /** Tells a child that its parent has another one. */
    public record NewSibling(ActorName sibling) {}
}
