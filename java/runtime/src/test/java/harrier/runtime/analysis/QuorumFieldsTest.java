package harrier.runtime.analysis;

import org.junit.Test;

/** Which fields matter of actors and messages where handlers take several messages at once. */
public class QuorumFieldsTest {
    private static final String VOTE = "record V(int ballot, String note) {}\n";

    private static Inferred actor(String members) {
        return Inferred.actor(VOTE + "int handled; int needed; " + members);
    }

    @Test
    public void whatIsReadOfOneOfSeveralMessagesMatters() {
        actor("""
            @Handler(quorum = "majority") void on(List<V> all) {
                handled++;
                int best = 0;
                for (V v : all) best = Math.max(best, v.ballot());
                send(peer, best);
            }""").auxiliary("A.handled", "A$V.note").relevant("A$V.ballot");
    }

    @Test
    public void howManyMessagesThereAreSaysNothingOfTheirFields() {
        actor("@Handler void on(Collection<V> all) { if (all.size() > 2 || all.isEmpty()) send(peer, all.size()); }")
            .auxiliary("A$V.ballot", "A$V.note", "A.handled");
    }

    @Test
    public void aMapFromSendersIsTheRuntimes() {
        actor("""
            @Handler(quorum = "2") void on(Map<ActorName, V> all) {
                handled++;
                int best = all.size();
                for (V v : all.values()) best = Math.max(best, v.ballot());
                send(peer, best);
            }""").auxiliary("A.handled", "A$V.note").relevant("A$V.ballot");
        actor("@Handler(quorum = \"2\") void on(Map<ActorName, V> all) { all.forEach((from, v) -> send(from, v.ballot())); }")
            .relevant("A$V.ballot");
        actor("@Handler(quorum = \"2\") void on(Map<ActorName, V> all) { for (ActorName n : all.keySet()) send(n, all.get(n).note()); }")
            .relevant("A$V.note");
        actor("""
            @Handler(quorum = "2", when = "is") void on(Map<ActorName, V> all) { handled++; }
            boolean is(Map all) { return all.toString().length() > needed; }""").relevant("A$V.ballot", "A$V.note", "A.needed");
    }

    @Test
    public void aSetComparesItsMessages() {
        actor("@Handler void on(Set<V> all) { if (all.size() > 2) send(peer, 1); }").relevant("A$V.ballot", "A$V.note");
        actor("@Handler void on(Set<V> all, Set<ActorName> from) { send(from, 1); handled += all.size(); }")
            .auxiliary("A$V.ballot", "A$V.note", "A.handled");
        Inferred.actor("""
            static class W { int k; int aux; public boolean equals(Object o) { return o instanceof W w && w.k == k; } }
            @Handler void on(Set<W> all) { }""").relevant("A$W.k");
    }

    @Test
    public void aGuardMayGetASetAsACollection() {
        String guard = " boolean enough(Collection<V> all) { return all.size() > 1; }";
        actor("@Handler(when = \"enough\") void on(Set<V> all) { handled++; }" + guard).relevant("A$V.ballot", "A$V.note");
    }

    @Test
    public void aSetOfAnythingComparesAllMessages() {
        actor("@Handler void on(Set<Object> all) { handled++; } @Handler void on(String s) { send(peer, new V(1, s)); }")
            .relevant("A$V.ballot", "A$V.note");
    }

    @Test
    public void whereACollectionGoesElsewhereAllOfItMatters() {
        actor("@Handler void on(List<V> all) { send(peer, all.stream().count()); }").relevant("A$V.ballot", "A$V.note");
        actor("List<V> kept; @Handler void on(List<V> all) { kept = all; } @Handler void on(String s) { send(peer, kept); }")
            .relevant("A$V.ballot", "A$V.note", "A.kept");
        actor("@Handler void on(List<V> all) { for (Object o : all) send(peer, o.toString()); }")
            .relevant("A$V.ballot", "A$V.note");
        actor("Iterator<V> it; @Handler void on(List<V> all) { it = all.iterator(); send(peer, it.next().note()); }")
            .relevant("A$V.note", "A$V.ballot");
    }

    @Test
    public void aCollectionOfTheProgramsOwnIsNotTheRuntimes() {
        actor("""
            static class Mine extends ArrayList<V> { int n; public int size() { return n; } }
            Mine mine = new Mine();
            @Handler void on(List<V> all) { if (all.size() > 1) send(peer, 1); }
            @Handler void on(String s) { on(mine); }""").relevant("A$V.ballot", "A.mine");
    }

    @Test
    public void guardsOverSeveralMessagesDecide() {
        actor("""
            @Handler(when = "same") void on(List<V> all) { handled++; }
            boolean same(List<V> all) {
                for (V v : all) if (v.ballot() != needed) return false;
                return true;
            }""").relevant("A$V.ballot", "A.needed").auxiliary("A$V.note", "A.handled");
    }

    @Test
    public void theSizeOfAQuorumMatters() {
        actor("@Handler(quorum = \"needed\") void on(List<V> all) { handled++; needed = 2; }").relevant("A.needed")
            .auxiliary("A.handled", "A$V.ballot");
        actor("@Handler(quorum = \"size\") void on(List<V> all) { handled++; } int size() { return needed; }")
            .relevant("A.needed").auxiliary("A.handled", "A$V.ballot");
        actor("@Handler(quorum = \"2\") void on(List<V> all) { handled++; needed = 2; }").auxiliary("A.needed", "A.handled");
    }
}
