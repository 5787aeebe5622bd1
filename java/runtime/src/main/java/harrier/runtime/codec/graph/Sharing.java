package harrier.runtime.codec.graph;

/**
 * What an actor must not share with others.
 *
 * @param reached the objects that other actors reach, to which this one's are added; null if it runs alone
 * @param held the objects that static fields and the scenario hold; null if that is open
 * @param actor the actor's name
 */
record Sharing(HeldObjects reached, HeldObjects held, String actor) {
    /**
     * Refuses an object that others hold, too.
     *
     * @param bare whether the way does not lead through an unmodifiable view
     */
    void meet(Encoder e, Object value, Plan plan, boolean bare) {
        if (held != null) {
            held.refuse(e, actor, value, plan, bare);
        }
        if (reached != null) {
            reached.meet(e, actor, value, plan, bare);
        }
    }
}
