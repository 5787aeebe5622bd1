package symmetry

import (
	"fmt"
	"slices"
)

// A finder finds generators of the group by backtracking, as in computing the automorphisms of a graph. The points, in their
// order, are a base: for each of them and each place that it may come to while all before it stay, one permutation is
// looked for, unless those that were found lead there. So nothing is enumerated.
type finder struct {
	*start
	apart      []string // actors that must not be moved
	points     []string
	color      map[string]string // of a point: the initial state with all names hidden but its own
	images     map[int]string    // by length: the image in which that many of the first points are marked
	attempts   int
	generators []Permutation
	chain      []*transversal // of the points that may come to others while those before them stay
}

// maxAttempts bounds how many partial permutations are tried. Where names hide nothing from each other, as many are
// tried as there are pairs of points, or a few times that.
const maxAttempts = 20_000

func (f *finder) isCut() bool { return f.attempts >= maxAttempts }

func (f *finder) find() error {
	for level := len(f.points) - 1; level >= 0; level-- {
		t := newTransversal(f.points[level])
		t.close(f.generators)
		for _, to := range f.points[level+1:] {
			if t.by[to] != nil || f.color[t.base] != f.color[to] {
				continue
			}
			p, err := f.extend(append(slices.Clone(f.points[:level]), to))
			if err != nil {
				return err
			}
			if p != nil {
				f.generators = append(f.generators, p)
				t.add(to, p)
				t.close(f.generators)
			}
		}
		if len(t.points) > 1 {
			f.chain = slices.Insert(f.chain, 0, t)
		}
	}
	return nil
}

// choosePoints leaves out actors that look like no other.
func (f *finder) choosePoints() error {
	f.color = map[string]string{}
	ofColor := map[string]int{}
	size := map[string]int{}
	for _, name := range f.names {
		size[f.role[name]]++
	}
	for _, name := range f.names {
		if size[f.role[name]] == 1 || slices.Contains(f.apart, name) {
			continue
		}
		image, err := f.image(f.placeholders(map[string]string{name: mark}), false)
		if err != nil {
			return err
		}
		f.color[name] = f.role[name] + image
		ofColor[f.color[name]]++
	}
	for _, name := range f.names {
		if ofColor[f.color[name]] > 1 {
			f.points = append(f.points, name)
		}
	}
	return nil
}

// extend completes a partial permutation that maps the first points to images; nil if there is no such permutation.
func (f *finder) extend(images []string) (Permutation, error) {
	if fits, err := f.fits(images); !fits || err != nil {
		return nil, err
	}
	if len(images) == len(f.points) {
		p := Permutation{}
		for i, to := range images {
			if f.points[i] != to {
				p[f.points[i]] = to
			}
		}
		kept, err := f.isKept(p)
		if !kept || err != nil {
			return nil, err
		}
		return p, nil
	}
	for _, to := range f.candidates(images) {
		if p, err := f.extend(append(slices.Clip(images), to)); p != nil || err != nil {
			return p, err
		}
	}
	return nil, nil
}

// candidates are the places for the next point. To stay, or to go where another one came from, is tried first, since such
// permutations are easily understood.
func (f *finder) candidates(images []string) []string {
	next := f.points[len(images)]
	var places []string
	for _, to := range f.points {
		if f.color[to] == f.color[next] && !slices.Contains(images, to) {
			places = append(places, to)
		}
	}
	wanted := next
	if i := slices.Index(images, next); i >= 0 {
		wanted = f.points[i]
	}
	if i := slices.Index(places, wanted); i > 0 {
		places = slices.Insert(slices.Delete(places, i, i+1), 0, wanted)
	}
	return places
}

// fits reports whether the initial state looks the same with the images marked as with the points that they are the images of.
func (f *finder) fits(images []string) (bool, error) {
	if f.attempts++; f.isCut() {
		return false, nil
	}
	n := len(images)
	if _, known := f.images[n]; !known {
		image, err := f.image(f.placeholders(numbered(f.points[:n])), false)
		if err != nil {
			return false, err
		}
		f.images[n] = image
	}
	image, err := f.image(f.placeholders(numbered(images)), false)
	return image == f.images[n], err
}

// numbered marks names by their places.
func numbered(names []string) map[string]string {
	marks := map[string]string{}
	for i, name := range names {
		marks[name] = fmt.Sprint(mark, i)
	}
	return marks
}
