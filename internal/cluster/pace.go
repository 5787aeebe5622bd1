package cluster

import (
	"sync"
	"time"
)

// busy measures for how long at least one question was being asked.
type busy struct {
	mu    sync.Mutex
	now   int
	since time.Time
	sum   time.Duration
}

func (b *busy) begin() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.now++; b.now == 1 {
		b.since = time.Now()
	}
}

func (b *busy) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.now--; b.now == 0 {
		b.sum += time.Since(b.since)
	}
}

func (b *busy) total() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sum
}

// pace estimates how long answers take as TCP does (RFC 6298): their mean, and their mean deviation from it.
type pace struct {
	mu              sync.Mutex
	mean, deviation time.Duration
}

// firstPatience is how long the first answer may take, as in RFC 6298.
const firstPatience = time.Second

func (p *pace) take(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mean == 0 {
		p.mean, p.deviation = d, d/2
		return
	}
	p.deviation += ((d - p.mean).Abs() - p.deviation) / 4
	p.mean += (d - p.mean) / 8
}

// patience is how long to wait for an answer before another answerer is asked. Whoever asks again doubles it.
func (p *pace) patience() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mean == 0 {
		return firstPatience
	}
	return p.mean + 4*p.deviation
}
