package bridge

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"harrier/internal/model"
)

// BenchmarkSteps asks for small batches, of which the empty one is the hand-off to Java alone.
func BenchmarkSteps(b *testing.B) {
	p, err := loadSource(b, careless)
	if err != nil {
		b.Fatal(err)
	}
	for _, goroutines := range []int{1, 2 * threads} {
		for _, steps := range []int{0, 1, 10} {
			b.Run(fmt.Sprintf("goroutines=%d/steps=%d", goroutines, steps), func(b *testing.B) {
				var questions []model.Question
				for range steps {
					questions = append(questions, firstStep(p)...)
				}
				benchmark(b, goroutines, func(ctx context.Context) error {
					_, err := p.Steps(ctx, questions)
					return err
				})
			})
		}
	}
}

// benchmark has so many goroutines ask, after Java had time to compile.
func benchmark(b *testing.B, goroutines int, ask func(context.Context) error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	run := func(n int) {
		var left atomic.Int64
		left.Store(int64(n))
		done := make(chan error, goroutines)
		for range goroutines {
			go func() {
				var err error
				for err == nil && left.Add(-1) >= 0 {
					err = ask(ctx)
				}
				done <- err
			}()
		}
		for range goroutines {
			if err := <-done; err != nil {
				b.Error(err)
			}
		}
	}
	run(2000)
	b.ResetTimer()
	run(b.N)
}
