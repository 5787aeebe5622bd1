package property

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"harrier/internal/ds/pairs"
	"harrier/internal/model"
)

// Combinations are the states that agree with State but for the positions of which there is a choice. In all of them the same
// actors exist.
type Combinations struct {
	State   model.State
	Choices []*Choice // by position; one choice may be at several positions; nil where there is no choice
	// Origin is a state whose nodes decide which choices there are, so those of a permuted state are the permuted ones. If there may be several at
	// a position, who exists in State tells which one it is.
	Origin model.State
}

// Choose makes a choice the one at its positions.
func (of *Combinations) Choose(c *Choice) {
	for _, position := range c.positions {
		of.Choices[position] = c
	}
}

// number identifies the choice or the part of the state at a position: numbers of choices are small, those of parts large.
func (of *Combinations) number(m *memory, position uint32) uint32 {
	switch {
	case of.choice(position) != nil:
		return of.Choices[position].set.number
	case int(position) < len(of.State):
		return ^m.part(of.State, position)
	}
	return ^uint32(0)
}

func (of *Combinations) choice(position uint32) *Choice {
	if int(position) >= len(of.Choices) {
		return nil
	}
	return of.Choices[position]
}

// AllInvariants returns the first invariant that does not hold in some combination, nil if all hold in all.
func (c *Checker) AllInvariants(ctx context.Context, of Combinations) (*Violation, error) {
	return c.all(ctx, c.invariants, of)
}

// AllFinal returns the first final condition that does not hold in some combination, nil if all hold in all. No event is enabled in
// the combinations.
func (c *Checker) AllFinal(ctx context.Context, of Combinations) (*Violation, error) {
	return c.all(ctx, c.finals, of)
}

func (c *Checker) all(ctx context.Context, properties []int, of Combinations) (*Violation, error) {
	return c.first(properties, func(i int) (*Violation, error) { return c.walkAll(ctx, i, of, ending) })
}

// A walking says how combinations are gone through.
type walking struct {
	known func(m *memory) *products // in which combinations the property holds, or need not be asked again
	found func(*walk)               // is called at each violation; nil if the first is the end
	most  uint64                    // evaluations, after which a walk is given up; 0 for no bound
	// permutes says that one combination of those that permutations map to each other is enough.
	permutes bool
}

// ending is the walking that ends at the first violation.
var ending = walking{known: func(m *memory) *products { return &m.products }, permutes: true}

// walkAll evaluates a property in all combinations, as far as it can tell them apart and does not know it to hold.
func (c *Checker) walkAll(ctx context.Context, property int, of Combinations, how walking) (*Violation, error) {
	answers := int64(0)
	var before *memory
	var lacked model.State // the first combination that was asked for, and who existed
	var existed uint32
	for {
		m := c.memories[property].Load()
		p := how.known(m)
		live := c.actors.Nodes.LiveActors(of.State) // it changes once at most: when actors turn out to be created or stopped
		reads := p.reads.list()
		id := p.intern(p.rest(m, of, reads, nil), live)
		if _, ok := p.holds.Get(0, id); ok {
			return nil, nil
		}
		w := newWalk(m, of, reads, p)
		w.found = how.found
		if how.permutes && c.symmetry != nil && of.Origin != nil {
			var err error
			if w.chosen, err = newChosen(w, c, of); err != nil {
				return nil, err
			}
			defer c.canonicalizers.Put(w.chosen.canonical)
		}
		v, err := w.begin(ctx, live)
		answers += w.answered
		if v != nil || err != nil && !errors.Is(err, errAgain) {
			return v, err
		}
		if err == nil && len(w.lacks) == 0 {
			c.combined.Add(max(answers+w.answers, 1) - 1)
			p.holds.Put(0, id, 0)
			return nil, nil
		}
		if len(w.lacks) > 0 {
			if before == m && existed == live && slices.Equal(lacked, w.lacks[0]) {
				return nil, errReads
			}
			before, lacked, existed = m, w.lacks[0], live
			if how.most > 0 && c.Asked() > how.most {
				return nil, &model.LimitError{Text: fmt.Sprintf("properties were evaluated in %d combinations of local states (--max-states)", c.Asked())}
			}
			if _, err := c.ask(ctx, property, w.lacks); err != nil {
				return nil, err
			}
			w.chosen.answered(c.memories[property].Load())
		}
	}
}

// products remembers in which combinations a property holds.
type products struct {
	reads positions // that it has ever read in walks, in the order in which they were first
	lists pairs.Map // of numbers, one after another
	// holds maps a node of the trie, with the choices that remain at positions read after it, to the options with which the property
	// holds whatever is chosen there; and 0, with all choices, to those combinations of which all hold.
	holds  pairs.Map
	orbits orbits // likewise, up to permutations
}

// positions is a list of positions that grows. Several goroutines may use it at once.
type positions struct {
	known  atomic.Pointer[[]uint32]
	adding sync.Mutex
}

func (p *positions) list() []uint32 {
	if known := p.known.Load(); known != nil {
		return *known
	}
	return nil
}

// add adds a position, unless it is there.
func (p *positions) add(position uint32) {
	p.adding.Lock()
	defer p.adding.Unlock()
	if known := p.list(); !slices.Contains(known, position) {
		more := append(slices.Clone(known), position)
		p.known.Store(&more)
	}
}

// rest returns the id of the product of what there is to read at some positions. It appends the ids of the products of the last
// k positions to into, k = 1, 2, …, if into is not nil.
func (p *products) rest(m *memory, of Combinations, reads []uint32, into *[]uint32) uint32 {
	id := uint32(len(reads))
	for _, position := range slices.Backward(reads) {
		id = p.intern(id, of.number(m, position))
		if into != nil {
			*into = append(*into, id)
		}
	}
	return id
}

func (p *products) intern(id, number uint32) uint32 {
	next, _ := p.lists.GetOrPut(id, number, func() (uint32, error) { return uint32(p.lists.Len()) + firstList, nil })
	return next
}

// firstList is above all positions, so that no position is taken for a list.
const firstList = 1 << 24

// errAgain says that a walk begins again: the property reads a position that was not known to be read, or much is lacking.
var errAgain = errors.New("the walk begins again")

// A walk goes through the trie of a property, at each read by all options that are not known to hold.
//
// A node of the trie, an option there and what there is to choose from afterwards are met at most twice: when it is the only
// option, and among others. With the options that lead there, and the macro state's own nodes at the positions that are read
// afterwards, they make a state that the program reaches. So where choices are of one position each, all walks together take at
// each read at most twice as many steps as there are states.
type walk struct {
	*memory
	known    *products
	found    func(*walk)  // is called at each violation, if it is set
	path     []read       // those that led to the node at hand
	of       Combinations // the choices left; its state has an option of each
	reads    []uint32
	rest     []uint32      // identifies what there is to choose from at the last of these, at the last two, and so on
	answers  int64         // combinations answered below the node at hand
	answered int64         // those of nodes below which no answer is lacking
	lacks    []model.State // combinations that are to be asked for
	lacking  pairs.Map     // the edges that each of them is for
	missed   int           // how often such an edge was met
	chosen   *chosen       // nil if combinations that permutations map to each other are gone through all the same
}

func newWalk(m *memory, of Combinations, reads []uint32, p *products) *walk {
	w := &walk{memory: m, known: p, reads: reads, rest: []uint32{uint32(len(reads))}}
	p.rest(m, of, reads, &w.rest)
	w.of = Combinations{State: slices.Clone(of.State), Choices: slices.Clone(of.Choices)}
	for _, choice := range of.Choices {
		if choice != nil {
			choice.Put(w.of.State)
		}
	}
	return w
}

// begin walks on from the root of the trie.
func (w *walk) begin(ctx context.Context, live uint32) (*Violation, error) {
	if w.chosen != nil {
		return w.chosen.begin(ctx, live)
	}
	return w.below(ctx, 0, live, 0)
}

// take leaves only a choice, or part of it, at its positions.
func (w *walk) take(c *Choice) {
	w.of.Choose(c)
	c.Put(w.of.State)
}

// mostLacking is how many combinations are asked for at once: so many that asking costs no more than answering.
const mostLacking = 256

// answersMask is one less than how many answers pass between looks at the context: a power of two.
const answersMask = 1<<16 - 1

// below walks on below a node of the trie, by the edge with a label, when so many of the first reads were read. It notes
// the answers lacking there.
func (w *walk) below(ctx context.Context, parent, label uint32, read int) (*Violation, error) {
	n, ok := w.edges.Get(parent, label)
	if !ok {
		return nil, w.lack(ctx, parent, label)
	}
	node := w.nodes.At(n)
	if node.leaf {
		return w.answer(ctx, node.violation)
	}
	if !slices.Contains(w.reads, node.read) {
		w.known.reads.add(node.read)
		return nil, errAgain
	}
	if read < len(w.reads) && w.reads[read] == node.read {
		read++
	}
	if c := w.of.choice(node.read); c != nil && c.Len() > 1 {
		return w.options(ctx, n, node.read, c, read)
	}
	return w.after(ctx, n, node.read, w.part(w.of.State, node.read), read)
}

// lack notes that the combination at hand is to be asked for, once for each edge. The error is as that of request.
func (w *walk) lack(ctx context.Context, parent, label uint32) error {
	if w.chosen != nil && parent != 0 {
		return w.chosen.lack(ctx)
	}
	w.missed++
	if _, ok := w.lacking.Get(parent, label); ok {
		return nil
	}
	w.lacking.Put(parent, label, 0)
	return w.request()
}

// request notes that the combination at hand is to be asked for. The error is errAgain if many are.
func (w *walk) request() error {
	if w.lacks = append(w.lacks, slices.Clone(w.of.State)); len(w.lacks) < mostLacking {
		return nil
	}
	return errAgain
}

// answer counts a combination with a known answer, and returns or announces its violation if there is one.
func (w *walk) answer(ctx context.Context, violation *Violation) (*Violation, error) {
	if w.answers++; w.answers&answersMask == 0 && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if violation == nil {
		return nil, nil
	}
	if w.found != nil {
		w.found(w)
		return nil, nil
	}
	v := *violation
	v.State = slices.Clone(w.of.State)
	return &v, nil
}

// options walks on from a node of the trie by all options of the choice at the position that is read there, but those with which
// the property is known to hold. If nothing is lacking below, it remembers that it holds with all.
func (w *walk) options(ctx context.Context, n, position uint32, c *Choice, read int) (*Violation, error) {
	rest := w.rest[len(w.reads)-read]
	known, ok := w.known.holds.Get(n, rest)
	if !ok {
		known = noOptions
	}
	all := c.set.with(known)
	if all == known {
		return nil, nil
	}
	answers, missed := w.answers, w.missed
	w.answers = 0
	var below []uint32
	for part := range c.parts(position, known) {
		w.take(part)
		label := w.part(w.of.State, position)
		if len(c.positions) == 1 && slices.Contains(below, label) {
			continue // nothing of the choice is left to read
		}
		below = append(below, label)
		walkOn := w.after
		if w.chosen != nil {
			walkOn = w.chosen.after
		}
		if v, err := walkOn(ctx, n, position, label, read); v != nil || err != nil {
			return v, err
		}
	}
	w.take(c)
	if w.missed == missed {
		w.known.holds.Put(n, rest, all)
		w.answered += w.answers
	}
	w.answers = answers
	return nil, nil
}

// after is below, when a part was read at a position.
func (w *walk) after(ctx context.Context, parent, position, part uint32, reads int) (*Violation, error) {
	w.path = append(w.path, read{position, part})
	defer func() { w.path = w.path[:len(w.path)-1] }()
	return w.below(ctx, parent, part, reads)
}

// Reads are the positions that invariants have read so far, a list for each invariant; 0 is the history.
func (c *Checker) Reads() [][]uint32 {
	var reads [][]uint32
	for _, i := range c.invariants {
		reads = append(reads, c.visible[i].list())
	}
	return reads
}
