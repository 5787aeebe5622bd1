package bridge

import "sync"

// workers are the threads that answer questions, up to a number. The last to become idle answers next, so there
// are no more of them than questions were ever asked at once: each costs memory and a start in Java.
type workers struct {
	places chan struct{} // one is filled for each question that is being answered

	mu   sync.Mutex
	idle []*worker
	made int
}

func newWorkers(most int) *workers {
	return &workers{places: make(chan struct{}, most)}
}

// take gives an idle worker. A place was filled for it before.
func (p *workers) take() *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		w := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return w
	}
	p.made++
	return &worker{number: p.made}
}

// putBack makes a worker idle, and its place free.
func (p *workers) putBack(w *worker) {
	p.mu.Lock()
	p.idle = append(p.idle, w)
	p.mu.Unlock()
	<-p.places
}
