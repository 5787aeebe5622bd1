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
