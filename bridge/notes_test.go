package bridge

import (
	"context"
	"testing"

	"harrier/internal/testkit/must"

	"github.com/google/go-cmp/cmp"
)

func TestNotesAreThoseOfAllWorkers(t *testing.T) {
	p, err := loadSource(t, `
@Allow("randomness=seed:4")
public class Main extends Scenario {
    static class Late extends Actor {
        long at;
        @Handler void on(String text) { at = System.nanoTime() + later(); }
        long later() { return System.currentTimeMillis(); }
    }
    @Override protected void setUp() {
        clock().startsAt(java.time.Instant.parse("2024-05-01T12:00:00Z"));
        send(create("late", new Late()), "go");
    }
}`, "threads=ignore-sleep")
	if err != nil {
		t.Fatal(err)
	}
	wantNotes := func(want Notes) {
		t.Helper()
		got := must.Get(p.Notes(context.Background()))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	allowed := []string{"randomness=seed:4", "threads=ignore-sleep"}
	wantNotes(Notes{Allowed: allowed})
	done := make(chan error)
	for range threads {
		go func() {
			_, err := p.Steps(context.Background(), firstStep(p))
			done <- err
		}()
	}
	for range threads {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	wantNotes(Notes{Allowed: allowed, Seen: []string{
		"the time is read in Main.Late.later (Main.java:8) and 1 other: it stands still at 2024-05-01T12:00:00Z"}})
}
