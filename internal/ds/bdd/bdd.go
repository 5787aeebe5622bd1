// Package bdd has binary decision diagrams (Bryant, "Graph-Based Algorithms for Boolean Function Manipulation", 1986): functions of
// variables that are false or true, each of which is represented once, so that equal functions are equal numbers.
package bdd

// A Func is a function, by its number in a Store.
type Func uint32

// False and True are the constant functions.
const (
	False Func = iota
	True
)

// A Store has functions. Variables are numbers, tested from the smallest on. The zero value is ready.
type Store struct {
	nodes   []node
	table   []Func   // of nodes, each at its hash or after it; False where there is none
	answers []answer // each at its hash, until another one comes there
}

// A node stands for its high function where the variable is true, for its low one elsewhere.
type node struct {
	variable  uint32
	low, high Func
}

const constant = ^uint32(0) // in the place of a variable; after all others

type operation uint32

const (
	or operation = iota + 1
	and
	add
)

// A question is about a function, and another one or a variable.
type question struct {
	operation
	f     Func
	other uint32
}

type answer struct {
	question
	is Func
}

// Or is true where one of two functions is.
func (s *Store) Or(f, g Func) Func {
	switch {
	case f > g:
		return s.Or(g, f)
	case f == g, f == False:
		return g
	case f == True:
		return True
	}
	return s.answer(question{or, f, uint32(g)}, func() Func {
		x := min(s.at(f).variable, s.at(g).variable)
		fl, fh := s.split(f, x)
		gl, gh := s.split(g, x)
		return s.node(x, s.Or(fl, gl), s.Or(fh, gh))
	})
}

// And is true where a function and a variable are.
func (s *Store) And(f Func, x int) Func { return s.with(and, f, uint32(x)) }

// Add is true where a variable is, and a function is once the variable is made false.
func (s *Store) Add(f Func, x int) Func { return s.with(add, f, uint32(x)) }

func (s *Store) with(o operation, f Func, x uint32) Func {
	if f == False {
		return False
	}
	of := s.at(f)
	switch {
	case of.variable > x:
		return s.node(x, False, f)
	case of.variable == x && o == and:
		return s.node(x, False, of.high)
	case of.variable == x:
		return s.node(x, False, of.low)
	}
	return s.answer(question{o, f, x}, func() Func {
		return s.node(of.variable, s.with(o, of.low, x), s.with(o, of.high, x))
	})
}

// DependsOn reports whether a variable makes a difference to a function.
func (s *Store) DependsOn(f Func, x int) bool {
	seen := map[Func]bool{}
	var visit func(Func) bool
	visit = func(f Func) bool {
		of := s.at(f)
		if of.variable >= uint32(x) || seen[f] {
			return of.variable == uint32(x)
		}
		seen[f] = true
		return visit(of.low) || visit(of.high)
	}
	return visit(f)
}

// Len is how many functions there are.
func (s *Store) Len() int { return len(s.nodes) }

func (s *Store) at(f Func) node {
	if f <= True {
		return node{variable: constant}
	}
	return s.nodes[f-2]
}

// split gives what a function is where a variable is false, and where it is true. It tests no smaller variable.
func (s *Store) split(f Func, x uint32) (low, high Func) {
	if of := s.at(f); of.variable == x {
		return of.low, of.high
	}
	return f, f
}

func (s *Store) node(x uint32, low, high Func) Func {
	if low == high {
		return low
	}
	if 2*len(s.nodes) >= len(s.table) {
		s.grow()
	}
	n := node{x, low, high}
	slot := s.slot(n)
	if *slot == False {
		s.nodes = append(s.nodes, n)
		*slot = Func(len(s.nodes) + 1)
	}
	return *slot
}

// slot is where a node is in the table, or is to be.
func (s *Store) slot(n node) *Func {
	mask := len(s.table) - 1
	for i := hash(n.variable, uint32(n.low), uint32(n.high)) & mask; ; i = (i + 1) & mask {
		if f := s.table[i]; f == False || s.nodes[f-2] == n {
			return &s.table[i]
		}
	}
}

// grow doubles the room for nodes and answers. Answers that were there are found again when they are asked for.
func (s *Store) grow() {
	s.table = make([]Func, max(1<<10, 2*len(s.table)))
	s.answers = make([]answer, len(s.table)/2)
	for i, n := range s.nodes {
		*s.slot(n) = Func(i + 2)
	}
}

// answer is what find gives, or gave before.
func (s *Store) answer(q question, find func() Func) Func {
	if a := s.answers[s.place(q)]; a.question == q {
		return a.is
	}
	is := find()
	s.answers[s.place(q)] = answer{q, is} // there may be more room for them now
	return is
}

func (s *Store) place(q question) int {
	return hash(uint32(q.operation), uint32(q.f), q.other) & (len(s.answers) - 1)
}

// hash mixes three numbers by multiplication.
func hash(x, y, z uint32) int {
	const odd = 0x9e3779b97f4a7c15
	h := (uint64(x)<<32 | uint64(y)) * odd
	return int((h ^ h>>29 ^ uint64(z)) * odd >> 20)
}
