package symmetry

import (
	"context"
	"crypto/sha256"
	"slices"

	"harrier/internal/property"
)

// An identity tells evaluations apart. It is a digest, as there may be many.
type identity [sha256.Size]byte

// A point of an orbit is an evaluation with its answer.
type point struct {
	evaluation
	property.Answer
	looks bool // at a name that some generator moves, so that its images may do something else
}

// A walk goes through the orbits of evaluations under the generators, and compares the answer to each point with those to its
// images.
type walk struct {
	*Checking
	known    map[identity]property.Answer
	queue    []point // points whose images are to be compared
	compared uint64  // first evaluations whose images were compared
}

// run goes through the orbits of evaluations of the search: first the images of all of them, then the images of these, and so on.
func (w *walk) run(ctx context.Context, evaluations []point) error {
	for some := range slices.Chunk(evaluations, chunk) {
		if err := w.compare(ctx, some); err != nil {
			return err
		}
		w.compared += uint64(len(some))
	}
	for len(w.queue) > 0 {
		rest := max(0, len(w.queue)-chunk)
		some := slices.Clone(w.queue[rest:])
		w.queue = w.queue[:rest]
		if err := w.compare(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// answer asks for different evaluations.
func (w *walk) answer(ctx context.Context, evaluations []evaluation) ([]point, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(evaluations) == 0 {
		return nil, nil
	}
	judgements, err := w.askEvaluations(ctx, evaluations)
	if err != nil {
		return nil, err
	}
	points := make([]point, len(evaluations))
	for i, e := range evaluations {
		points[i] = point{e, property.AnswerOf(judgements[i]), w.looks(judgements[i].Looks)}
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

// compare compares points with their images. Images that are new are asked for, and those that look at names wait for the same.
func (w *walk) compare(ctx context.Context, points []point) error {
	edges, fresh, err := w.edges(points)
	if err != nil {
		return err
	}
	answered, err := w.answer(ctx, fresh)
	if err != nil {
		return err
	}
	w.queue = append(w.queue, slices.DeleteFunc(answered, func(p point) bool { return !p.looks })...)
	for _, e := range edges {
		if w.known[e.identity] != points[e.from].Answer {
			if err := w.differentJudgement(ctx, points[e.from], e.by, e.image); err != nil {
				return err
			}
		}
	}
	return nil
}

// tried are the generators under which a point is compared with its image: all, or one that it draws if it looks at no name.
func (w *walk) tried(p point) []action {
	if p.looks || len(w.actions) == 0 {
		return w.actions
	}
	id := w.identityOfEvaluation(p.evaluation)
	drawn := int(id[0]) % len(w.actions)
	return w.actions[drawn : drawn+1]
}

// edges are those from some points, and the images that are new.
func (w *walk) edges(points []point) (edges []edge, fresh []evaluation, err error) {
	asking := map[identity]bool{}
	for i, p := range points {
		for _, g := range w.tried(p) {
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
