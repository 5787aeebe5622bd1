package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"harrier/internal/cluster"
)

// timeline prints how many questions workers had answered after each second of a check, with one worker, with two, and so on: what
// Figure 7 of Guo et al. (DEMETER, SOSP 2011) has of local traces. The process on the check's own machine answers as well.
func (s *settings) timeline(ctx context.Context, engine *cluster.Engine, to io.Writer) error {
	fmt.Fprintln(to, "workers,seconds,answers")
	most := s.workers
	for s.workers = 1; s.workers <= most; s.workers++ {
		before := answers(ctx, engine) // workers that have ended are listed for some time
		end, err := s.startWorkers(ctx)
		if err == nil {
			err = s.follow(ctx, engine, before, to)
		}
		end()
		if err != nil {
			return err
		}
	}
	return nil
}

// answers is how many questions each worker has answered, by its id.
func answers(ctx context.Context, engine *cluster.Engine) map[string]uint64 {
	all := map[string]uint64{}
	_, workers, _ := engine.Members(ctx) // without them there are none
	for _, w := range workers {
		all[w.ID] = w.Answered
	}
	return all
}

// follow prints the part of a timeline of one check, without the workers that were there before.
func (s *settings) follow(ctx context.Context, engine *cluster.Engine, before map[string]uint64, to io.Writer) error {
	ended := make(chan error, 1)
	began := time.Now()
	go func() {
		_, err := s.run(ctx, engine, "--cluster="+s.url)
		ended <- err
	}()
	seconds := time.NewTicker(time.Second)
	defer seconds.Stop()
	for {
		select {
		case err := <-ended:
			return err
		case now := <-seconds.C:
			sum := uint64(0)
			for id, n := range answers(ctx, engine) {
				if _, was := before[id]; !was {
					sum += n
				}
			}
			fmt.Fprintf(to, "%d,%.0f,%d\n", s.workers, now.Sub(began).Seconds(), sum)
		}
	}
}
