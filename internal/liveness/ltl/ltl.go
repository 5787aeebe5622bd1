// Package ltl has formulas of linear temporal logic without next, and automata of the runs that violate them.
//
//	Parse     text -> Formula
//	Violating Formula -> Automaton: the runs that violate it, by the states' labels (automaton.go)
//	Violates  decides for one run that ends in a loop (lasso.go)
//
// A formula without next cannot distinguish runs that differ in how often a state is repeated. Reductions rely on that, and every
// run that ends is one that repeats its last state for ever.
package ltl

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Formula is about a run, from one of its states on.
type Formula struct {
	op          op
	atom        int // of an atom: the bit of the label
	left, right *Formula
}

type op uint8

const (
	yes op = iota
	atom
	not
	and
	or
	until
	release
)

// A Label is the set of atoms that hold in a state, a bit for each.
type Label = uint32

// MaxAtoms is how many atoms a formula may have.
const MaxAtoms = 32

func negation(f *Formula) *Formula       { return &Formula{op: not, left: f} }
func both(f, g *Formula) *Formula        { return &Formula{op: and, left: f, right: g} }
func either(f, g *Formula) *Formula      { return &Formula{op: or, left: f, right: g} }
func eventually(f *Formula) *Formula     { return &Formula{op: until, left: &Formula{}, right: f} }
func always(f *Formula) *Formula         { return &Formula{op: release, left: negation(&Formula{}), right: f} }
func implication(f, g *Formula) *Formula { return either(negation(f), g) }

// Parse reads a formula: names, true and false, ! && || -> <->, [] or G, <> or F, U, W and R, and parentheses. Bit gives the bit of
// the atom with a name, or an error without one.
//
// Of binary operators U, W and R bind most, then &&, then ||, then -> and <->; all but && and || group to the right.
func Parse(text string, bit func(name string) (int, error)) (*Formula, error) {
	p := &parser{rest: text, bit: bit}
	p.next()
	f, err := p.implication()
	if err == nil && p.token != "" {
		err = fmt.Errorf("%s is not expected", p.token)
	}
	if err != nil {
		at := utf8.RuneCountInString(text[:len(text)-len(p.rest)-len(p.token)]) + 1
		return nil, fmt.Errorf("%w, at character %d of %s", err, at, text)
	}
	return f, nil
}

type parser struct {
	token, rest string
	bit         func(name string) (int, error)
}

// next reads a token: a name, an operator, or any other character.
func (p *parser) next() {
	p.rest = strings.TrimLeftFunc(p.rest, unicode.IsSpace)
	n := strings.IndexFunc(p.rest, func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if n < 0 {
		n = len(p.rest)
	}
	if n == 0 {
		_, n = utf8.DecodeRuneInString(p.rest)
		for _, operator := range []string{"<->", "->", "[]", "<>", "&&", "||", "()"} {
			if strings.HasPrefix(p.rest, operator) {
				n = len(operator)
				break
			}
		}
	}
	p.token, p.rest = p.rest[:n], p.rest[n:]
}

// took skips a token if it is the next one.
func (p *parser) took(token string) bool {
	if p.token != token {
		return false
	}
	p.next()
	return true
}

func (p *parser) implication() (*Formula, error) {
	f, err := p.disjunction()
	if err != nil {
		return nil, err
	}
	equal := p.token == "<->"
	if !equal && p.token != "->" {
		return f, nil
	}
	p.next()
	g, err := p.implication()
	if err == nil && equal {
		return both(implication(f, g), implication(g, f)), nil
	}
	return implication(f, g), err
}

func (p *parser) disjunction() (*Formula, error) {
	f, err := p.conjunction()
	for err == nil && p.took("||") {
		var g *Formula
		g, err = p.conjunction()
		f = either(f, g)
	}
	return f, err
}

func (p *parser) conjunction() (*Formula, error) {
	f, err := p.temporal()
	for err == nil && p.took("&&") {
		var g *Formula
		g, err = p.temporal()
		f = both(f, g)
	}
	return f, err
}

func (p *parser) temporal() (*Formula, error) {
	f, err := p.unary()
	if err != nil {
		return nil, err
	}
	operator := p.token
	if operator != "U" && operator != "W" && operator != "R" {
		return f, nil
	}
	p.next()
	g, err := p.temporal()
	if err != nil {
		return nil, err
	}
	switch operator {
	case "U":
		return &Formula{op: until, left: f, right: g}, nil
	case "R":
		return &Formula{op: release, left: f, right: g}, nil
	}
	return &Formula{op: release, left: g, right: either(f, g)}, nil
}

func (p *parser) unary() (*Formula, error) {
	operators := map[string]func(*Formula) *Formula{
		"!": negation, "[]": always, "G": always, "<>": eventually, "F": eventually,
	}
	if of := operators[p.token]; of != nil {
		p.next()
		f, err := p.unary()
		return of(f), err
	}
	return p.operand()
}

func (p *parser) operand() (*Formula, error) {
	switch first, _ := utf8.DecodeRuneInString(p.token); {
	case p.token == "":
		return nil, fmt.Errorf("a formula is expected")
	case p.took("("):
		f, err := p.implication()
		if err == nil && !p.took(")") {
			err = fmt.Errorf("a closing parenthesis is expected")
		}
		return f, err
	case p.token == "X", p.token == "()":
		return nil, fmt.Errorf("%s (next) cannot be asked: how many steps others take in between has no meaning", p.token)
	case p.took("true"):
		return &Formula{}, nil
	case p.took("false"):
		return negation(&Formula{}), nil
	case first == '_' || first == '$' || unicode.IsLetter(first):
		bit, err := p.bit(p.token)
		if err == nil {
			p.next()
		}
		return &Formula{op: atom, atom: bit}, err
	}
	return nil, fmt.Errorf("%s is not expected", p.token)
}
