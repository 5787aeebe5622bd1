package harrier.runtime.analysis;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import harrier.runtime.failure.RuleException;
import harrier.runtime.wire.Verdict;
import org.junit.Test;

/** What becomes of {@code @Auxiliary}. */
public class DeclaredFieldsTest {
    @Test
    public void aDeclarationThatIsTrueIsConfirmed() {
        Inferred.actor("@Auxiliary int n; record M(@Auxiliary String note) {} @Handler void on(M m) { n++; }")
            .verdict(Verdict.DECLARED, "A.n").verdict(Verdict.DECLARED, "A$M.note").reason("A.n")
            .decomposition.refuseContradictions();
    }

    @Test
    public void aDeclarationThatIsFalseIsRefused() {
        Inferred program = Inferred.actor("@Auxiliary int n;\n@Handler void on(String m) {\nif (n++ > 3)\nreply(m); }")
            .verdict(Verdict.CONTRADICTED, "A.n");

        assertEquals("A.n is declared @Auxiliary, but it matters: A.n: read by A.on(String) (Program.java:5), which"
            + " decides whether String is sent (Program.java:6): remove the annotation, or what reads the field",
            assertThrows(RuleException.class, program.decomposition::refuseContradictions).getMessage());
    }

    @Test
    public void whatAPropertyReadsCannotBeDeclared() {
        new Inferred("class A extends Actor { @Auxiliary int n; @Handler void on(String s) { n++; } }"
            + " class S extends Scenario { protected void setUp() { create(\"a\", new A()); }"
            + " @Invariant boolean p() { return actors(A.class).allMatch(a -> a.n < 3); } }")
            .verdict(Verdict.CONTRADICTED, "A.n");
    }

    @Test
    public void chainsThroughOtherFieldsAreFollowed() {
        Inferred.actor("@Auxiliary int n; int k; record M(int v) {}"
            + " @Handler void on(M m) { n++; k = n; if (m.v() > 3) reply(new M(k)); }")
            .verdict(Verdict.CONTRADICTED, "A.n").relevant("A.k", "A$M.v");
        Inferred.actor("int n; record M(int v, @Auxiliary int w) {} @Handler void on(M m) { n += m.w(); reply(new M(n, 0)); }")
            .verdict(Verdict.DECLARED, "A$M.w").auxiliary("A.n", "A$M.v");
    }

    @Test
    public void equalityIsARead() {
        Inferred.actor("record M(int x, @Auxiliary String note) {} final Set<M> seen = new HashSet<>();"
            + " @Handler void on(M m) { seen.add(m); if (seen.size() > 3) reply(m); }")
            .verdict(Verdict.CONTRADICTED, "A$M.note");
    }

    @Test
    public void wholeMessagesAndWhatGetsIntoThemMatter() {
        Inferred.actorOfWholeMessages("@Auxiliary int n; int k; int unread; record M(int v, List<Integer> log) {}"
            + " @Handler void on(M m) { n++; unread = m.v(); reply(new M(k++, m.log())); }")
            .verdict(Verdict.DECLARED, "A.n").auxiliary("A.unread").relevant("A.k", "A$M.v", "A$M.log");

        Inferred program = Inferred.actorOfWholeMessages("@Auxiliary int n;\nrecord M(int v) {}\n"
            + "@Handler void on(M m) {\nreply(new M(n++)); }").verdict(Verdict.CONTRADICTED, "A.n");
        assertEquals("A.n is declared @Auxiliary, but it matters: A.n: read by A.on(M) (Program.java:6), which flows into"
            + " M.v in M's constructor (Program.java:4); M.v: is part of messages, of which duplicating() takes equal ones"
            + " as one, while final conditions and liveness ask whether all are received: remove the annotation, or give duplicating() a budget",
            assertThrows(RuleException.class, program.decomposition::refuseContradictions).getMessage());
    }

    @Test
    public void whatCannotBeExcludedIsBelieved() {
        Inferred.actor("@Auxiliary final List<Integer> log = new ArrayList<>(); int n;"
            + " @Handler void on(String m) { n = log.size(); log.add(1); for (int i : log) n += i; Collections.sort(log); }")
            .verdict(Verdict.BELIEVED, "A.log").auxiliary("A.n").decomposition.refuseContradictions();
        Inferred.actor("@Auxiliary int n; @Handler void on(String m) { n++; new Random(n); }")
            .verdict(Verdict.BELIEVED, "A.n")
            .reason("A.n", "A.n: read by A.on(String) (Program.java:3), which goes to new Random, which may do anything"
                + " with it or throw");
    }

    @Test
    public void whatIsBelievedInfluencesNothingElse() {
        Inferred.actor("@Auxiliary int n; int k; @Handler void on(String m) { k++; n = k; new Random(n); }")
            .verdict(Verdict.BELIEVED, "A.n").auxiliary("A.k");
    }

    @Test
    public void withoutTheDeclarationTheSameIsRelevant() {
        Inferred.actor("int n; int k; @Handler void on(String m) { k++; n = k; new Random(n); }")
            .relevant("A.n", "A.k");
    }
}
