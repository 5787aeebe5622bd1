package bridge

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// TestARunGoesOnWithoutAStepThatDoesNotReturn ends a run's context, and then a JVM, while it is in Java.
func TestARunGoesOnWithoutAStepThatDoesNotReturn(t *testing.T) {
	for _, ends := range []string{"context", "JVM"} {
		t.Run(ends, func(t *testing.T) {
			other := &JVM{asker: jvm.asker, workers: newWorkers(2)}
			other.workers.made = 2000
			other.life, other.giveUp = context.WithCancelCause(context.Background())
			ctx, end := context.WithCancelCause(context.Background())
			if ends == "JVM" {
				end = other.giveUp
			}
			p, wait, echo, finish := loadWaiting(t, other)
			asked := 0
			other.Run(ctx, func(ctx context.Context) {
				for range 3 {
					if _, err := p.Steps(ctx, echo); err == nil {
						asked++
					}
				}
				go func() {
					untilItWaits(other, "")
					end(errors.New("enough"))
				}()
				for range 2 {
					if _, err := p.Steps(ctx, wait); err == nil || !strings.Contains(err.Error(), "enough") {
						t.Errorf("a step that does not return: %v", err)
					}
				}
			})
			if asked != 3 {
				t.Errorf("%d of 3 questions were answered", asked)
			}
			if n := len(other.workers.places); n != 1 {
				t.Errorf("%d workers are busy, want the one in Java", n)
			}
			finish()
			for len(other.workers.places) > 0 {
				time.Sleep(time.Millisecond)
			}
		})
	}
}

func TestTwoRunsAskAtOnce(t *testing.T) {
	p, _, echo, _ := loadWaiting(t, jvm)
	over := make(chan bool)
	for range 2 {
		go func() {
			jvm.Run(context.Background(), func(ctx context.Context) {
				for range 100 {
					if a, err := p.Steps(ctx, echo); err != nil || len(a) != 1 {
						t.Errorf("answers %v, error %v", a, err)
					}
				}
			})
			over <- true
		}()
	}
	<-over
	<-over
}
