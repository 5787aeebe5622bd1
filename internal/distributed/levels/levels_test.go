package levels

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"pgregory.net/rapid"

	"harrier/internal/testkit/must"
)

// A process has states of up to six components, the first four of them at fixed positions, and numbers what it meets as it comes.
type process struct {
	contents, halves []string
	ids              map[string]uint32
	late             []string // the names of positions after the fixed ones
	collide          bool     // hashes are equal
}

const (
	fixed = 4
	split = 2
)

func newProcess() *process { return &process{ids: map[string]uint32{}} }

func (p *process) number(kind, text string, all *[]string) uint32 {
	id, known := p.ids[kind+text]
	if !known {
		*all = append(*all, text)
		id = uint32(len(*all))
		p.ids[kind+text] = id
	}
	return id
}

// position is that of a name: a digit for the fixed ones.
func (p *process) position(name string) uint32 {
	if at := strings.Index("0123", name); at >= 0 {
		return uint32(at)
	}
	return fixed - 1 + p.number("late ", name, &p.late)
}

func (p *process) Fixed() uint32 { return fixed }

func (p *process) Write(_, id uint32) ([]byte, error) { return []byte(p.contents[id-1]), nil }

func (p *process) Read(content []byte) (position, id uint32, err error) {
	name, _, ok := strings.Cut(string(content), "=")
	if !ok || len(name) != 1 {
		return 0, 0, errors.New("it has no name")
	}
	return p.position(name), p.number("content ", string(content), &p.contents), nil
}

func (p *process) Hash(_, id uint32) (uint64, error) {
	if p.collide {
		return uint64(len(p.contents[id-1])), nil
	}
	return xxhash.Sum64String(p.contents[id-1]), nil
}

func (p *process) Take(half uint32, _ int, into []Component) []Component {
	if half == 0 {
		return into
	}
	for _, content := range strings.Fields(p.halves[half-1]) {
		position, id, _ := p.Read([]byte(content))
		into = append(into, Component{position, id})
	}
	return into
}

func (p *process) Make(side int, of []Component) (uint32, error) {
	var texts []string
	for _, c := range of {
		if (c.Position < split) != (side == 0) {
			return 0, errors.New("it is of the other half")
		}
		texts = append(texts, p.contents[c.ID-1])
	}
	if len(texts) == 0 {
		return 0, nil
	}
	return p.number("half ", strings.Join(texts, " "), &p.halves), nil
}

// state returns the state of some components: their contents, which begin with the names of their positions.
func (p *process) state(text string) (s State) {
	var of [2][]Component
	for _, content := range strings.Fields(text) {
		position, id, err := p.Read([]byte(content))
		must.Do(err)
		side := 0
		if position >= split {
			side = 1
		}
		of[side] = append(of[side], Component{position, id})
	}
	for side := range of {
		slices.SortFunc(of[side], func(a, b Component) int { return cmp.Compare(a.Position, b.Position) })
		s[side] = must.Get(p.Make(side, of[side]))
	}
	return s
}

// text is the inverse of state, whatever the order of late positions.
func (p *process) text(s State) string {
	var all []string
	for side, half := range s {
		for _, c := range p.Take(half, side, nil) {
			all = append(all, p.contents[c.ID-1])
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// A met state is one with the number of its orbit and the place from which it was met.
type met struct {
	text  string
	orbit uint64
	from  uint32
}

var states = rapid.Custom(func(t *rapid.T) string {
	var all []string
	for _, name := range []string{"0", "1", "2", "3", "x", "y"} {
		if v := rapid.IntRange(0, 3).Draw(t, name); v > 0 {
			all = append(all, fmt.Sprintf("%s=%d", name, v))
		}
	}
	return strings.Join(all, " ")
})

const before = 300 // states in the level before

// texts is a file of texts that a process has written; nil if it has written none.
type texts []byte

// in has an order read the file.
func (t texts) in(o *Order) *Order {
	if t != nil {
		must.Do(o.ReadTexts(InMemory(t), nameOfFile(t)))
	}
	return o
}

// nameOfFile is the name of a file that is what it was when it was written.
func nameOfFile(content []byte) string {
	blocks := (len(content) + blockBytes + hashBytes - 1) / (blockBytes + hashBytes)
	return nameOf(content[len(content)-blocks*hashBytes:], int64(len(content)))
}

// written is the file of some different states, written by a process that meets them in a random order, its name, and the file of texts.
func written(p *process, kind Kind, all []met, random *rand.Rand) (file []byte, name string, told texts) {
	o := NewOrder(p)
	sorter := NewSorter(o, scratch, uint64(random.IntN(200)))
	defer sorter.Close()
	for _, at := range random.Perm(len(all)) {
		m := all[at]
		if kind&Orbits == 0 {
			m.orbit = 0
		}
		must.Do(sorter.Add(Record{m.orbit, p.state(m.text), m.from}))
		must.Do(sorter.Add(Record{m.orbit, p.state(m.text), min(m.from+uint32(random.IntN(9)), before-1)}))
	}
	must.Do(sorter.Sort())
	c := Contents{Kind: kind, States: len(all), Before: before, Halves: &Halves{}}
	for _, m := range all {
		c.Halves.Add(p.state(m.text))
	}
	c.Each = func(yield func(Record) error) error {
		m := must.Get(Merge(o, sorter))
		for {
			r, ok, err := m.Next()
			if !ok || err != nil {
				return err
			}
			if err := yield(r); err != nil {
				return err
			}
		}
	}
	var to bytes.Buffer
	name = must.Get(Write(&to, o, c))
	var of bytes.Buffer
	if fresh := o.Untold(); len(fresh) > 0 {
		must.Get(o.WriteTexts(&of, fresh))
		told = of.Bytes()
	}
	return to.Bytes(), name, told
}

func scratch() (*os.File, error) {
	f, err := os.CreateTemp("", "levels-")
	if err == nil {
		err = os.Remove(f.Name())
	}
	return f, err
}

func onDisk(content []byte) *os.File {
	f := must.Get(scratch())
	must.Get(f.Write(content))
	return f
}

// read returns the states of a file, as a process reads them that has read texts.
func read(p *process, content []byte, name string, told texts) (all []met, err error) {
	f := onDisk(content)
	defer f.Close()
	r, err := Open(f, name, told.in(NewOrder(p)))
	if err != nil {
		return nil, err
	}
	if l := r.lookup(); r.Kind&Orbits == 0 {
		for rank := range uint32(9) { // whatever is found, nothing is out of range
			if _, err := l.has([2]uint32{rank, rank % 3}); err != nil {
				return nil, err
			}
		}
	}
	for c := r.Cursor(true); ; {
		k, ok, err := c.Next()
		if !ok || err != nil {
			return all, err
		}
		all = append(all, met{p.text(k.State), k.Orbit, k.From})
	}
}

func drawn(t *rapid.T) (kind Kind, all []met) {
	kind = Kind(rapid.IntRange(0, 3).Draw(t, "kind"))
	for _, text := range rapid.SliceOfNDistinct(states, 0, 60, rapid.ID[string]).Draw(t, "states") {
		m := met{text: text}
		if kind&Orbits != 0 {
			m.orbit = 1 + xxhash.Sum64String(text)%7
		}
		if kind&Links != 0 {
			m.from = uint32(len(text) * 7)
		}
		all = append(all, m)
	}
	return kind, all
}

// TestFilesDependOnStatesAlone has two processes, which number everything in orders of their own, write the same states, and a third one
// read them.
func TestFilesDependOnStatesAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind, all := drawn(t)
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		one, other := newProcess(), newProcess()
		other.position("y")
		file, name, told := written(one, kind, all, random)
		again, sameName, sameTexts := written(other, kind, all, random)
		if !bytes.Equal(file, again) || name != sameName || !bytes.Equal(told, sameTexts) {
			t.Fatalf("%d states in files of %d and %d bytes, %s and %s", len(all), len(file), len(again), name, sameName)
		}
		got, err := read(newProcess(), file, name, told)
		must.Do(err)
		slices.SortFunc(got, func(a, b met) int { return cmp.Compare(a.text, b.text) })
		slices.SortFunc(all, func(a, b met) int { return cmp.Compare(a.text, b.text) })
		if !slices.Equal(got, all) {
			t.Fatalf("%v is read as %v", all, got)
		}
	})
}

// TestSubtractIsSetDifference subtracts files from candidates, states as they are or up to the sums of their digits, and holds it to maps.
func TestSubtractIsSetDifference(t *testing.T) {
	sum := func(text string) (n uint32) {
		for _, content := range strings.Fields(text) {
			n += uint32(content[2] - '0')
		}
		return n
	}
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		isPermuted := rapid.Bool().Draw(t, "classes")
		kind, class := Kind(0), func(text string) string { return text }
		if isPermuted {
			kind, class = Orbits, func(text string) string { return fmt.Sprint(sum(text)) }
		}
		here, o := newProcess(), (*Order)(nil)
		o = NewOrder(here)
		known := map[string]bool{}
		var visited []*Run
		for _, texts := range rapid.SliceOfN(rapid.SliceOfNDistinct(states, 0, 30, rapid.ID[string]), 0, 4).Draw(t, "visited") {
			var all []met
			for _, text := range texts {
				if known[class(text)] {
					continue // a state is in one file
				}
				known[class(text)] = true
				all = append(all, met{text, 1 + uint64(sum(text))/2, 0})
			}
			file, name, told := written(newProcess(), kind, all, random)
			visited = append(visited, must.Get(Open(onDisk(file), name, told.in(o))))
		}
		if len(visited) > 1 {
			union := must.Get(Union(must.Get(scratch()), o, visited[:2]))
			for _, r := range visited[:2] {
				must.Do(r.Close())
			}
			visited = append(visited[2:], union)
		}
		want := map[string]uint32{} // by class: the least place from which a new state of it was met
		sorter := NewSorter(o, scratch, uint64(random.IntN(300)))
		defer sorter.Close()
		for _, text := range rapid.SliceOfN(states, 0, 60).Draw(t, "candidates") {
			from := random.Uint32N(before)
			r := Record{State: here.state(text), From: from}
			if isPermuted {
				r.Orbit = 1 + uint64(sum(text))/2
			}
			must.Do(sorter.Add(r))
			if least, is := want[class(text)]; !known[class(text)] && (!is || from < least) {
				want[class(text)] = from
			}
		}
		must.Do(sorter.Sort())
		var ofClass func(State) (State, error)
		if isPermuted {
			ofClass = func(s State) (State, error) { return State{sum(here.text(s))}, nil }
		}
		must.Do(Subtract(must.Get(Merge(o, sorter)), visited, ofClass, func(r Record, _ RecordAt) error {
			c := class(here.text(r.State))
			if from, is := want[c]; !is || from != r.From {
				t.Fatalf("%s from %d, want %d, %v", here.text(r.State), r.From, from, is)
			}
			delete(want, c)
			return nil
		}))
		if len(want) > 0 {
			t.Fatalf("%v are missing", want)
		}
		for _, r := range visited {
			must.Do(r.Close())
		}
	})
}

// TestComponentsOfOneHashAreRefused writes and reads components whose hashes are equal, which files would confuse.
func TestComponentsOfOneHashAreRefused(t *testing.T) {
	p := newProcess()
	p.collide = true
	o := NewOrder(p)
	c := Contents{States: 1, Halves: &Halves{}}
	c.Halves.Add(p.state("0=1 1=1 2=1"))
	var damaged *DamagedError
	if _, err := Write(&bytes.Buffer{}, o, c); !errors.As(err, &damaged) {
		t.Errorf("components of one hash are written: %v", err)
	}
	_, _, told := written(newProcess(), 0, []met{{text: "0=1 1=1"}}, rand.New(rand.NewPCG(1, 0)))
	other := newProcess()
	other.collide = true
	if err := NewOrder(other).ReadTexts(InMemory(told), nameOfFile(told)); !errors.As(err, &damaged) {
		t.Errorf("components of one hash are read: %v", err)
	}
}

// TestComponentsWithoutTextsAreRefused reads a file without the texts of its components.
func TestComponentsWithoutTextsAreRefused(t *testing.T) {
	file, name, _ := written(newProcess(), 0, []met{{text: "0=1 1=1"}}, rand.New(rand.NewPCG(1, 0)))
	var damaged *DamagedError
	if _, err := read(newProcess(), file, name, nil); !errors.As(err, &damaged) {
		t.Errorf("the error is %v", err)
	}
}

// TestRecordsAreSorted sorts records with and without orbits, many of which are the same.
func TestRecordsAreSorted(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	for n := range 300 {
		all := make([]keyed, random.IntN(3000))
		for i := range all {
			all[i].key = random.Uint64() >> (random.IntN(64) / (1 + n%3))
			if n%2 == 0 {
				all[i].Orbit = random.Uint64N(1<<(1+n/5)) + 1
			}
			all[i].From = random.Uint32N(5)
		}
		want := slices.Clone(all)
		slices.SortFunc(want, func(a, b keyed) int {
			return cmp.Or(cmp.Compare(a.Orbit, b.Orbit), cmp.Compare(a.key, b.key), cmp.Compare(a.From, b.From))
		})
		if sortRecords(all); !slices.Equal(all, want) {
			t.Fatalf("%d records of round %d are in another order", len(all), n)
		}
	}
}

// named is a file with some blocks, under the name that it has.
func named(content []byte) (file []byte, name string) {
	var to bytes.Buffer
	name = must.Get(WriteBytes(&to, content))
	return to.Bytes(), name
}

// FuzzRun reads files that were made up by somebody who gives them the right names: an error, or states of the process.
func FuzzRun(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 0))
	all := []met{{"0=1 1=2 3=1", 3, 0}, {"0=1 1=3 3=1", 3, 299}, {"0=1 2=2 x=1 y=3", 9, 17}, {"", 12, 5}}
	var told texts
	for kind := range Kind(4) {
		var file []byte
		file, _, told = written(newProcess(), kind, all, random)
		f.Add(file[:len(file)-hashBytes])
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		file, name := named(content)
		_, err := read(newProcess(), file, name, told)
		var damaged *DamagedError
		if err != nil && !errors.As(err, &damaged) {
			t.Errorf("the error is %v", err)
		}
		if len(file) > 0 {
			if _, err := read(newProcess(), file[:len(file)-1], name, told); !errors.As(err, &damaged) {
				t.Errorf("of a torn file, the error is %v", err)
			}
		}
	})
}

// FuzzTexts reads files of texts that were made up likewise.
func FuzzTexts(f *testing.F) {
	_, _, told := written(newProcess(), 0, []met{{text: "0=1 1=2 3=1"}, {text: "0=1 2=2 x=1 y=3"}}, rand.New(rand.NewPCG(1, 0)))
	f.Add([]byte(told[:len(told)-hashBytes]))
	f.Fuzz(func(t *testing.T, content []byte) {
		file, name := named(content)
		var damaged *DamagedError
		if err := NewOrder(newProcess()).ReadTexts(InMemory(file), name); err != nil && !errors.As(err, &damaged) {
			t.Errorf("the error is %v", err)
		}
	})
}
