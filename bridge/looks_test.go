package bridge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"harrier/internal/model"
	"harrier/internal/testkit/must"
	"harrier/serializer"
)

const looking = `
import java.util.*;

public class Main extends Scenario {
    record Pair(ActorName name, int n) {}

    static class Keeps {
        final ActorName name;
        int code;
        Keeps(ActorName name) { this.name = name; }
        @Override public int hashCode() { return code = name.hashCode(); }
    }

    static class Compares {
        @Override public int hashCode() { return 1; }
        @Override public boolean equals(Object o) { return this == o; }
    }

    static class Orders implements Comparable<Orders> {
        @Override public int compareTo(Orders o) { return 0; }
    }

    static List<ActorName> seen;

    static class Asker extends Actor {
        final List<ActorName> all;
        final ActorName first;
        final Set<ActorName> set;
        Asker(List<ActorName> all) { this.all = all; first = all.get(0); set = new HashSet<>(all); }

        @Handler void on(String does) {
            switch (does) {
                case "text" -> first.toString();
                case "text in text" -> String.valueOf(List.of(first));
                case "hash code" -> first.hashCode();
                case "hash code of a record" -> new Pair(first, 1).hashCode();
                case "own hash code in a look-up" -> new HashMap<>().put(new Keeps(first), 1);
                case "own equals in a look-up" -> new HashSet<>(Set.of(new Compares())).contains(new Compares());
                case "own compareTo in a tree" -> new TreeSet<>(Set.of(new Orders())).contains(new Orders());
                case "identity" -> System.identityHashCode(new Object());
                case "number" -> all.get(0);
                case "number of a name" -> all.indexOf(first);
                case "loop" -> { for (ActorName name : all) set.contains(name); }
                case "stream" -> all.stream().forEach(n -> { });
                case "equality" -> first.equals(self());
                case "own equals by itself" -> new Compares().equals(new Compares());
                case "look-up" -> new HashMap<>(Map.of(first, 1)).get(first);
                case "look-up of a record" -> new HashSet<>().add(new Pair(first, 1));
                case "send to all" -> send(all, "m");
                case "member" -> all.contains(first);
                case "set" -> set.forEach(n -> { });
                default -> throw new IllegalArgumentException(does);
            }
        }
        @Handler(quorum = "2") void on(Set<Integer> two) {}
    }

    static class Other extends Actor {}

    boolean inStatic;

    @Override protected void setUp() {
        List<ActorName> all = create("other", 3, i -> new Other());
        if (inStatic) seen = List.of(all.get(2));
        create("asker", new Asker(all));
    }
    @Invariant boolean fine() { return actors(Other.class).count() < 9; }
}`

// What a step notes of the names that it finds out more of than which are equal.
func TestLooksOfSteps(t *testing.T) {
	none, one, all := model.Looks{Known: true}, model.Looks{Known: true, Names: []string{"other1"}}, model.Looks{}
	each, third := model.Looks{Known: true, Names: []string{"other1", "other2", "other3"}}, model.Looks{Known: true, Names: []string{"other3"}}
	expect := func(p *Program, want model.Looks, of ...string) {
		for _, does := range of {
			answer := taken(p, serializer.Value{Kind: serializer.String, Text: does})
			if got := answer.Looks; got.Known != want.Known || got.Known && !slices.Equal(got.Names, want.Names) || answer.Outcomes[0].Failure != nil {
				t.Errorf("%s: %+v, want %+v; it fails by %v", does, got, want, answer.Outcomes[0].Failure)
			}
		}
	}
	p := must.Get(loadSource(t, looking))
	expect(p, none, "equality", "own equals by itself", "look-up", "look-up of a record", "send to all", "member", "set")
	expect(p, one, "text", "text in text", "hash code", "hash code of a record", "own hash code in a look-up", "number", "number of a name")
	expect(p, each, "loop", "stream")
	expect(p, all, "own equals in a look-up", "own compareTo in a tree", "identity")
	two := taken(p, serializer.Value{Kind: serializer.Int, Int: 1}, serializer.Value{Kind: serializer.Int, Int: 2})
	if two.Looks.Known || len(two.Outcomes) != 1 {
		t.Errorf("two messages: %+v", two)
	}
	expect(must.Get(loadSource(t, strings.Replace(looking, "boolean inStatic", "boolean inStatic = true", 1))), third, "equality")
}

// taken returns the answer for the step in which the asker takes messages.
func taken(p *Program, contents ...serializer.Value) model.Answer {
	return must.Get(p.Steps(context.Background(), []model.Question{receiving(p, contents...)}))[0]
}

// receiving asks for the step in which the asker takes messages.
func receiving(p *Program, contents ...serializer.Value) model.Question {
	actors := p.Program().Initial.Actors
	to := actors[slices.IndexFunc(actors, func(a model.Actor) bool { return a.Name == "asker" })]
	q := model.Question{Local: to.Local, Event: model.Event{Kind: model.Receive}}
	for i, c := range contents {
		q.Event.Messages = append(q.Event.Messages, model.Message{Sender: fmt.Sprint("other", i+1), Receiver: to.Name, Payload: serializer.Encode(c)})
	}
	return q
}

const judging = `
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Main extends Scenario {
    record Value(int n) {}

    static class Node extends Actor {
        int n = 1;
        ActorName next;
        List<Integer> list = new ArrayList<>(List.of(1));
        final Set<Value> values = Set.of(new Value(1), new Value(2));
        final int number;
        Node(ActorName next, int number) { this.next = next; this.number = number; }
        int n() { return n; }
    }
    static class Single extends Actor {
        final ActorName of;
        int k = 1;
        Single(ActorName of) { this.of = of; }
    }
    static class Own { @Override public int hashCode() { return 1; } @Override public boolean equals(Object o) { return o instanceof Own; } }
    static final class Counts implements Predicate<Node> {
        int calls;
        public boolean test(Node n) { return calls++ < 9; }
    }
    record Least(int n, Predicate<Node> and) implements Predicate<Node> {
        public boolean test(Node node) { return node.n >= n && and.test(node); }
    }

    @Parameter int least = 0;

    @Override protected void setUp() {
        List<ActorName> all = names("node", 3);
        create("node", 3, i -> new Node(all.get((i + 1) % 3), i));
        create("single", new Single(all.get(1)));
    }

    private Stream<Node> nodes() { return actors(Node.class); }

    // Where no order shows.
    @Invariant("none all") boolean a1() { return nodes().allMatch(n -> n.n >= least); }
    @Invariant("none reference") boolean a2() { return nodes().map(Node::n).distinct().count() == 1; }
    @Invariant("none sums") boolean a3() { return nodes().mapToInt(n -> n.n).sum() == 3 && nodes().mapToLong(n -> n.n).max().getAsLong() == 1; }
    @Invariant("none pairs") boolean a4() { return nodes().noneMatch(a -> nodes().filter(b -> b != a).anyMatch(b -> a.n > b.n)); }
    @Invariant("none pairs of a list") boolean a5() {
        List<Node> all = nodes().filter(n -> n.n > 0).toList();
        return all.size() == 3 && all.stream().allMatch(a -> all.stream().allMatch(b -> a.n == b.n));
    }
    @Invariant("none sets") boolean a6() { return nodes().flatMap(n -> n.values.stream()).collect(Collectors.toSet()).size() == 2; }
    @Invariant("none by name") boolean a7() { return nodes().allMatch(n -> actor(n.next, Node.class).n == 1); }
    @Invariant("none captured") boolean a8() { int k = 1; Value v = new Value(1); return nodes().allMatch(n -> n.n == k && n.values.contains(v)); }
    @Invariant("none functions") boolean a9() { return nodes().allMatch(new Least(0, new Least(1, n -> true))); }
    @Invariant("none nested") boolean b1() { return nodes().flatMap(n -> nodes().filter(m -> m != n)).count() == 6; }
    @Invariant("none one actor") boolean b2() { return actors(Single.class).findFirst().isPresent(); }
    @Invariant("none numbers") boolean b3() { return nodes().mapToInt(Node::n).boxed().mapToInt(i -> i).summaryStatistics().getMax() == 1; }

    @Invariant("none cut short") boolean b4() { return nodes().anyMatch(n -> n.n == 1) && !nodes().allMatch(n -> n.n == 2) && !nodes().noneMatch(n -> n.n == 1); }
    @Invariant("none cut short of numbers") boolean b5() { return nodes().mapToInt(n -> n.n).anyMatch(i -> i == 1) && !nodes().mapToLong(n -> n.n).allMatch(i -> i == 2); }

    // Where it may.
    @Invariant("each first") boolean c1() { return nodes().findFirst().get().n == 1; }
    @Invariant("each loop") boolean c2() { for (Node n : nodes().toList()) { if (n.n > 1) return false; } return true; }
    @Invariant("each place") boolean c3() { return nodes().toList().get(0).n == 1; }
    @Invariant("each cut short before one fails") boolean c4() { return nodes().anyMatch(n -> n.number == 0 || 1 / (n.number - 2) > 5); }
    @Invariant("each cut short of several") boolean c0() { return nodes().flatMap(n -> n.list.stream()).anyMatch(i -> i == 1); }
    @Invariant("each count of calls") boolean c5() { return nodes().allMatch(new Counts()); }
    @Invariant("each captured set") boolean c6() { Set<Node> met = new HashSet<>(); return nodes().allMatch(met::add); }
    @Invariant("each captured array") boolean c7() { int[] k = {0}; return nodes().filter(n -> k[0]++ > 0).count() == 2; }
    @Invariant("each within") boolean c8() { return nodes().allMatch(new Least(0, new Counts())); }
    @Invariant("each collected") boolean c9() { return nodes().map(Node::n).collect(Collectors.toList()).size() == 3; }
    @Invariant("each doubles") boolean d1() { return nodes().mapToDouble(n -> 0.1 * n.n).sum() > 0; }
    @Invariant("each compared") boolean d2() { return nodes().max(Comparator.comparingInt(Node::n)).get().n == 1; }
    @Invariant("each limited") boolean d3() { return nodes().limit(2).allMatch(n -> n.n == 1); }
    @Invariant("each concatenated") boolean d4() { return Stream.concat(nodes(), nodes()).allMatch(n -> n.n == 1); }
    @Invariant("each nested in one") boolean d5() { return actors(Single.class).flatMap(s -> nodes()).count() == 3; }
    @Invariant("each failing") boolean d6() { return nodes().map(n -> 1 / (n.n - 1)).count() == 3 || nodes().allMatch(n -> 1 / (n.n - 1) > 0); }
    @Invariant("each of the JDK") boolean d7() { return nodes().filter(Predicate.not(n -> n.n > 1)).count() == 3; }
    @Invariant("one text") boolean d8() { return actors(Single.class).allMatch(s -> s.of.toString().equals("node2")); }

    // Of which the second evaluation is of other states.
    @Invariant("none aside") boolean d9() {
        return nodes().anyMatch(n -> n.number == 0 || n.n == 7) && actors(Single.class).allMatch(s -> s.k == 1);
    }

    // Where everything may.
    @Invariant("all changed") boolean e1() { return nodes().allMatch(n -> { actor(n.next, Node.class).n++; return n.n < 9; }); }
    @Invariant("all changed inside") boolean e2() { return nodes().allMatch(n -> n.list.add(2)); }
    @Invariant("all own equals") boolean e3() { return nodes().map(n -> new Own()).distinct().count() == 1; }
    @Invariant("all operations aside") boolean e6() { return nodes().anyMatch(n -> n.number == 0 || history().operations().isEmpty()); }
    @Invariant("all operations") boolean e5() { return history().operations().isEmpty(); }
    @Invariant("all identity") boolean e4() { return nodes().allMatch(n -> System.identityHashCode(n) != 7 || n.n == 1); }
}`

// What a property notes of the names that it finds out more of than which are equal, and of the order of actors, which follows from them.
func TestLooksOfEvaluations(t *testing.T) {
	p := must.Get(loadSource(t, judging))
	met := map[string]int{}
	for i, property := range p.Program().Properties {
		j := judged(p, i)
		want, _, _ := strings.Cut(property.Name, " ")
		got := "none"
		switch {
		case !j.Looks.Known:
			got = "all"
		case slices.Equal(j.Looks.Names, []string{"node1", "node2", "node3"}):
			got = "each"
		case len(j.Looks.Names) > 0:
			got = "one"
		}
		met[want]++
		if got != want || (j.Failure == nil) == strings.HasSuffix(property.Name, "failing") || j.Failure == nil && !j.Holds {
			t.Errorf("%s: %s of %+v", property.Name, got, j)
		}
	}
	if t.Log(met); met["none"] != 15 || met["each"] != 17 || met["all"] != 6 {
		t.Error("properties are missing")
	}
	for _, field := range []string{"List<ActorName> kept", "static List<ActorName> kept"} {
		keeps := must.Get(loadSource(t, strings.NewReplacer("int least = 0;", "int least = 0; "+field+";",
			"create(\"single\"", "kept = List.of(all.get(2)); create(\"single\"").Replace(judging)))
		if looks := judged(keeps, 0).Looks; !looks.Known || !slices.Equal(looks.Names, []string{"node3"}) {
			t.Errorf("%s: %+v", field, looks)
		}
	}
}

// judged evaluates a property in the initial state.
func judged(p *Program, property int) model.Judgement {
	initial := p.Program().Initial
	of := model.Evaluation{Property: property, History: initial.History, Actors: initial.Actors}
	return must.Get(p.Evaluate(context.Background(), []model.Evaluation{of}))[0]
}

// Elements behind one that ends a match are tried in second evaluations. These read what they read otherwise.
func TestWhatIsTriedAsideIsNotRead(t *testing.T) {
	p := must.Get(loadSource(t, judging))
	i := slices.IndexFunc(p.Program().Properties, func(p model.Property) bool { return p.Name == "none aside" })
	e := model.Evaluation{Property: i, History: p.Program().Initial.History, Actors: p.Program().Initial.Actors}
	single := slices.IndexFunc(e.Actors, func(a model.Actor) bool { return a.Name == "single" })
	v := must.Get(serializer.Decode(e.Actors[single].Local))
	v.Fields[slices.IndexFunc(v.Fields, func(f serializer.Field) bool { return f.Name == "k" })].Value.Int = 2
	e.Varied = []model.VariedActor{{Actor: single, Local: serializer.Encode(v)}}
	j := must.Get(p.Evaluate(context.Background(), []model.Evaluation{e}))[0]
	if j.Varied == nil || j.Varied.Holds || !slices.Equal(j.Reads, []int{0, single}) || !slices.Equal(j.Varied.Reads, j.Reads) ||
		!slices.Equal(j.Varied.Fields, j.Fields) {
		t.Errorf("%+v, the second evaluation %+v", j, j.Varied)
	}
}
