package symmetry

import (
	"context"
	"crypto/sha256"
	"math/rand/v2"
	"slices"

	"harrier/internal/property"
)

// An identity tells evaluations apart. It is a digest, as there may be many.
type identity [sha256.Size]byte

// A point of an orbit is an evaluation with its answer.
type point struct {
	evaluation
	property.Answer
}

// A walk goes through the orbits of evaluations under the generators, and compares the answer to each point with those to its
// images.
type walk struct {
	*Checking
	bound uint64 // how many may be asked for

	known    map[identity]property.Answer
	queue    []point // points whose images are to be compared
	asked    uint64
	compared uint64 // first evaluations whose images were compared
	cut      bool   // the bound was reached, and something is left
}

// run goes through the orbits of evaluations: first the images of all of them, then the images of these, and so on, in an order
// that is drawn. So a walk that is cut has compared points near and far from where it began.
func (w *walk) run(evaluations []evaluation) error {
	for some := range slices.Chunk(evaluations, chunk) {
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

// begin begins the orbits of a chunk of evaluations: it compares these with their images under each generator.
func (w *walk) begin(evaluations []evaluation) error {
	fresh := slices.DeleteFunc(slices.Clone(evaluations), func(e evaluation) bool {
		_, known := w.known[w.identityOfEvaluation(e)]
		return known
	})
	points, err := w.answer(fresh)
	if err != nil {
		return err
	}
	whole, err := w.compare(points)
	w.compared += uint64(len(evaluations)-len(fresh)) + whole
	return err
}

// answer asks for different evaluations, as far as the bound allows.
func (w *walk) answer(evaluations []evaluation) ([]point, error) {
	if w.ctx.Err() != nil {
		return nil, context.Cause(w.ctx)
	}
	if room := w.bound - w.asked; uint64(len(evaluations)) > room {
		evaluations, w.cut = evaluations[:room], true
	}
	if len(evaluations) == 0 {
		return nil, nil
	}
	judgements, err := w.askEvaluations(evaluations)
	if err != nil {
		return nil, err
	}
	w.asked += uint64(len(evaluations))
	points := make([]point, len(evaluations))
	for i, e := range evaluations {
		points[i] = point{e, property.AnswerOf(judgements[i])}
		w.known[w.identityOfEvaluation(e)] = points[i].Answer
	}
	return points, nil
}

// An edge leads from a point to its image.
type edge struct {
	from     int
	by       action
	image    evaluation
	identity identity
}

// compare compares points with their images. Images that are new are asked for, and wait for the same. It returns how many of the
// points were compared with all of their images.
func (w *walk) compare(points []point) (whole uint64, err error) {
	edges, fresh, err := w.edges(points)
	if err != nil {
		return 0, err
	}
	answered, err := w.answer(fresh)
	if err != nil {
		return 0, err
	}
	w.queue = append(w.queue, answered...)
	left := map[int]bool{}
	for _, e := range edges {
		got, known := w.known[e.identity]
		switch {
		case !known:
			left[e.from] = true
		case got != points[e.from].Answer:
			if err := w.differentJudgement(points[e.from], e.by, e.image); err != nil {
				return 0, err
			}
		}
	}
	return uint64(len(points) - len(left)), nil
}

// edges are those from some points, and the images that are new.
func (w *walk) edges(points []point) (edges []edge, fresh []evaluation, err error) {
	asking := map[identity]bool{}
	for i, p := range points {
		for _, g := range w.actions {
			image, err := g.evaluation(p.evaluation)
			if err != nil {
				return nil, nil, err
			}
			e := edge{i, g, image, w.identityOfEvaluation(image)}
			edges = append(edges, e)
			if _, known := w.known[e.identity]; !known && !asking[e.identity] {
				asking[e.identity] = true
				fresh = append(fresh, image)
			}
		}
	}
	return edges, fresh, nil
}
