package onepaxosfaulty;

import harrier.ActorName;
import java.util.List;
import onepaxos.Node;
import onepaxos.OnePaxos;

/**
 * 1Paxos in which the operator ++ stands behind its operand, so that the first node is the acceptor as well: the bug that
 * Guerraoui and Yabandeh found, in section 5.6 of their paper. The log has it right, so a new leader asks the second node.
 *
 * <p>Expected: violated (no two different values are chosen).
 */
public final class OnePaxosFaulty extends OnePaxos {
    @Override
    protected Node node(int value, int takeovers, int replacements) {
        return new Misled(value, takeovers, replacements);
    }

    /** Begins with the wrong acceptor. */
    static final class Misled extends Node {
        Misled(int value, int takeovers, int replacements) {
            super(value, takeovers, replacements);
        }

        @Override
        protected ActorName firstAcceptor(List<ActorName> nodes) {
            int i = 0;
            return nodes.get(i++);
        }
    }
}
