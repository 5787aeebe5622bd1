package symmetry

import (
	"context"
	"crypto/sha256"
	"math/rand/v2"
	"slices"
)

// An identity tells questions, or answers, apart. It is a digest, as there may be many.
type identity [sha256.Size]byte

// A point of an orbit is a question with its answer.
type point[Q, A any] struct {
	question Q
	answer   A
}

// A walk goes through the orbits of questions under some actions, and compares the answer to each image of a point with the
// image of the answer.
type walk[Q, A any] struct {
	ctx     context.Context
	actions []action
	bound   uint64 // how many questions may be asked

	image    func(g action, q Q) (Q, error)
	identity func(q Q) identity
	ask      func(questions []Q) ([]A, error)
	renamed  func(g action, a A) (A, error)
	digest   func(a A) (identity, error)                  // of what must agree
	differ   func(p point[Q, A], g action, image Q) error // asks for an image that has another answer, and gives the error

	known    map[identity]identity // the answers' digests, by the questions' identities
	queue    []point[Q, A]         // points whose images are to be compared
	asked    uint64
	compared uint64 // first questions whose images were compared
	cut      bool   // the bound was reached, and something is left
}

// chunk is how many points are gone through at once.
const chunk = 64

// run goes through the orbits of questions: first the images of all of them, then the images of these, and so on, in an order
// that is drawn. So a walk that is cut has compared points near and far from where it began.
func (w *walk[Q, A]) run(questions []Q) error {
	for some := range slices.Chunk(questions, chunk) {
		if w.cut {
			break
		}
		if err := w.begin(some); err != nil {
			return err
		}
	}
	random := rand.New(rand.NewPCG(0, 0))
	for len(w.queue) > 0 && !w.cut {
		rest := max(0, len(w.queue)-chunk)
		for i := len(w.queue) - 1; i >= rest; i-- {
			j := random.IntN(i + 1)
			w.queue[i], w.queue[j] = w.queue[j], w.queue[i]
		}
		some := slices.Clone(w.queue[rest:])
		w.queue = w.queue[:rest]
		if _, err := w.compare(some); err != nil {
			return err
		}
	}
	return nil
}

// hasRoom reports whether the bound allows a chunk of questions with their images.
func (w *walk[Q, A]) hasRoom() bool { return w.asked+chunk*uint64(1+len(w.actions)) <= w.bound }

// begin begins the orbits of a chunk of questions: it compares these with their images under each action.
func (w *walk[Q, A]) begin(questions []Q) error {
	fresh := slices.DeleteFunc(slices.Clone(questions), func(q Q) bool { _, known := w.known[w.identity(q)]; return known })
	points, err := w.answer(fresh)
	if err != nil {
		return err
	}
	whole, err := w.compare(points)
	w.compared += uint64(len(questions)-len(fresh)) + whole
	return err
}

// answer asks different questions, as far as the bound allows.
func (w *walk[Q, A]) answer(questions []Q) ([]point[Q, A], error) {
	if w.ctx.Err() != nil {
		return nil, context.Cause(w.ctx)
	}
	if room := w.bound - w.asked; uint64(len(questions)) > room {
		questions, w.cut = questions[:room], true
	}
	if len(questions) == 0 {
		return nil, nil
	}
	answers, err := w.ask(questions)
	if err != nil {
		return nil, err
	}
	w.asked += uint64(len(questions))
	points := make([]point[Q, A], len(questions))
	for i, q := range questions {
		points[i] = point[Q, A]{q, answers[i]}
		if w.known[w.identity(q)], err = w.digest(answers[i]); err != nil {
			return nil, err
		}
	}
	return points, nil
}

// An edge leads from a point to its image.
type edge[Q any] struct {
	from     int
	by       action
	image    Q
	identity identity
}

// compare compares points with their images. Images that are met for the first time wait for the same. It returns how
// many of the points were compared with all of their images.
func (w *walk[Q, A]) compare(points []point[Q, A]) (whole uint64, err error) {
	edges, fresh, err := w.edges(points)
	if err != nil {
		return 0, err
	}
	met, err := w.answer(fresh)
	if err != nil {
		return 0, err
	}
	w.queue = append(w.queue, met...)
	left := map[int]bool{}
	for _, e := range edges {
		got, known := w.known[e.identity]
		if !known {
			left[e.from] = true
			continue
		}
		p := points[e.from]
		should, err := w.renamed(e.by, p.answer)
		if err != nil {
			return 0, err
		}
		want, err := w.digest(should)
		if err != nil {
			return 0, err
		}
		if got != want {
			if err := w.differ(p, e.by, e.image); err != nil {
				return 0, err
			}
		}
	}
	return uint64(len(points) - len(left)), nil
}

// edges are those from some points, and the images that are new.
func (w *walk[Q, A]) edges(points []point[Q, A]) (edges []edge[Q], fresh []Q, err error) {
	asking := map[identity]bool{}
	for i, p := range points {
		for _, g := range w.actions {
			image, err := w.image(g, p.question)
			if err != nil {
				return nil, nil, err
			}
			e := edge[Q]{i, g, image, w.identity(image)}
			edges = append(edges, e)
			if _, known := w.known[e.identity]; !known && !asking[e.identity] {
				asking[e.identity] = true
				fresh = append(fresh, image)
			}
		}
	}
	return edges, fresh, nil
}
