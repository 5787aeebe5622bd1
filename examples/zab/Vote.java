package zab;

import harrier.ActorName;

/**
 * Whom a follower follows.
 *
 * @param round the round of the election in which the leader stood
 * @param id the leader's number, which breaks ties
 * @param leader the leader, null before the first vote
 */
public record Vote(int round, int id, ActorName leader) {
    /** Before the first vote. */
    static final Vote NONE = new Vote(0, 0, null);
}
