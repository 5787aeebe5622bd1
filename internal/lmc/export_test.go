package lmc

import (
	"context"
	"slices"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/property"
)

// MostRegions is how many regions are kept.
const MostRegions = mostRegions

// ErrRecords is why histories are not judged.
var ErrRecords = errRecords

// A Probe shows what a check found suspicious before it searched.
type Probe struct{ c *check }

// NewProbe makes the sets of a program complete; nil if they are too large.
func NewProbe(ctx context.Context, actors *space.Actors, checker *property.Checker, most uint64) (*Probe, error) {
	c := &check{actors: actors, checker: checker}
	var err error
	if c.sets, err = newSets(actors, 0, &dbss.Progress{}); err != nil {
		return nil, err
	}
	c.sets.limit = most
	if err = c.sets.fixpoint(ctx); err != nil {
		return nil, err
	}
	c.combinations = newCombinations(c.sets, checker, c.suspect)
	if c.sets.isCut() {
		return nil, nil
	}
	c.combinations.finder.Most = most
	return &Probe{c}, c.combinations.test(ctx, true)
}

// Lacks is the name of an actor whose local state in a state is in no set, or "".
func (p *Probe) Lacks(s model.State) string {
	for position := 1; position < len(s); position++ {
		if of := p.c.sets.byPosition[uint32(position)]; s[position] != 0 && (of == nil || p.c.sets.find(of, s[position]) == nil) {
			return p.c.actors.Values.PositionName(position)
		}
	}
	return ""
}

// IsSuspicious reports whether a state is in a region of a property.
func (p *Probe) IsSuspicious(number int, s model.State) bool {
	return slices.ContainsFunc(p.c.regions, func(r property.Region) bool { return r.Property == number && p.Has(r, s) })
}

// Has reports whether a state is in a region.
func (p *Probe) Has(r property.Region, s model.State) bool {
	return !slices.ContainsFunc(p.c.sets.sets, func(of *set) bool { return !r.Has(p.c.actors, of.position, s.At(of.position)) })
}

// IsFailing reports whether a handler fails in some member.
func (p *Probe) IsFailing() bool { return p.c.sets.failing > 0 }

// LocalStates is how many members the sets have.
func (p *Probe) LocalStates() int { return len(p.c.sets.members) }

// Functions are how many tell which tokens are spent.
func (p *Probe) Functions() int { return p.c.sets.functions.Len() }

// Regions are how many there are.
func (p *Probe) Regions() int { return int(p.c.suspicious) }

// Targets are what a search is restricted by.
func (p *Probe) Targets() *targets { return newTargets(p.c.sets, p.c.regions) }

// IsOpen shows targets.isOpen.
func (t *targets) IsOpen(nodes model.State) (bool, error) { return t.isOpen(nodes) }

// Pairs are the local states of two actors that a program might be in at once, as far as the sets know; some of them, by a number.
func (p *Probe) Pairs(number int) (one, other model.Actor, ok bool) {
	var members []*member
	for _, of := range p.c.sets.sets {
		for _, m := range of.members {
			if m.local != 0 {
				members = append(members, m)
			}
		}
	}
	x, y := members[number%len(members)], members[number*31%len(members)]
	return p.c.actors.Values.Actor(x.local), p.c.actors.Values.Actor(y.local), x.set != y.set
}
