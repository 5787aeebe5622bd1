package bridge

import (
	"errors"
	"strings"
	"testing"

	"harrier/internal/model"
	"harrier/serializer"
)

const twice = `
import java.util.*;

public class Main extends Scenario {
    static class Asker extends Actor {
        final Set<String> two = new HashSet<>(List.of("a", "b")), three = new HashSet<>(List.of("a", "b", "c"));
        final Set<Integer> other = new HashSet<>(List.of(1, 2));
        final Set<String> many = new HashSet<>(List.of("a", "b", "c", "d", "e"));
        final List<Integer> numbers = List.of(1000), again = List.of(1000);
        String kept;
        int count;

        @Handler void on(String does) {
            switch (does) {
                case "first of two" -> kept = two.iterator().next();
                case "last of three" -> { for (String s : three) kept = s; }
                case "second of three" -> { Iterator<String> i = three.iterator(); i.next(); kept = i.next(); }
                case "two in step" -> kept = two.iterator().next() + (other.iterator().next() == 1 ? "" : "!");
                case "first of many" -> kept = many.iterator().next();
                case "a stream of many" -> kept = many.stream().findFirst().get();
                case "equal values" -> count = numbers == again ? 1 : 2;
                case "identity" -> count = System.identityHashCode(new Object()) % 7;
                case "all" -> { for (String s : many) count += s.length(); }
                default -> throw new IllegalArgumentException(does);
            }
        }
    }

    @Override protected void setUp() { create("asker", new Asker()); }
    @Invariant boolean fine() { return actors(Asker.class).noneMatch(a -> "bad".equals(a.kept) || a.count < 0); }
}`

// What a second execution varies shows the step that depends on it.
func TestSecondExecutionsShowWhatStepsDependOn(t *testing.T) {
	for _, does := range []string{"first of two", "last of three", "second of three", "two in step", "first of many", "a stream of many", "equal values", "identity", "all"} {
		p, err := loadSource(t, twice)
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Steps(t.Context(), []model.Question{receiving(p, serializer.Value{Kind: serializer.String, Text: does})})
		var rule *model.RuleError
		isRefused := errors.As(err, &rule) && strings.Contains(rule.Text, "does different things when it is executed twice")
		if isRefused != (does != "all") || err != nil && !isRefused {
			t.Errorf("%s: %v", does, err)
		}
	}
}

// The second execution of a step begins with the local state and the messages of Question.Varied, and its answer is in Answer.Varied.
func TestSecondExecutionsBeginWithVariations(t *testing.T) {
	p, err := loadSource(t, twice)
	if err != nil {
		t.Fatal(err)
	}
	text := func(does string) serializer.Value { return serializer.Value{Kind: serializer.String, Text: does} }
	q, other := receiving(p, text("all")), receiving(p, text("first of one"))
	q.Varied = &model.Variation{Local: other.Local, Messages: other.Event.Messages}
	answers, err := p.Steps(t.Context(), []model.Question{q})
	if err != nil || answers[0].Varied == nil || len(answers[0].Varied.Outcomes) != 1 || answers[0].Varied.Outcomes[0].Failure == nil {
		t.Errorf("%+v, %v", answers, err)
	}
}
