package sample

import "math"

// A kind is what runs show.
type kind uint8

const (
	localStep   kind = iota // a local state with the event that is taken there
	localState              // a local state that a step leads to
	observation             // what an invariant reads of a state
	numberOfKinds
)

// unseen counts what independent runs showed, to estimate what they did not. Runs count in the order in which they began, whichever
// ended first, as short ones would count too often otherwise.
type unseen struct {
	runs        uint32 // that count
	began       uint32
	ended       map[uint32]*shown // by number: runs that wait for one that began before them
	discoveries [numberOfKinds]discoveries
}

// shown is what a run shows.
type shown [numberOfKinds][]uint64

// discoveries are what runs showed of one kind.
type discoveries struct {
	shown   map[uint64]uint32 // to the number of the only run that showed it, or several
	only    []uint32          // by the number of a run: how much it alone showed
	withOne int               // how many runs showed something that no other one did
}

// several is in the place of the number of a run.
const several = math.MaxUint32

func newUnseen() *unseen {
	u := &unseen{ended: map[uint32]*shown{}}
	for k := range u.discoveries {
		u.discoveries[k].shown = map[uint64]uint32{}
	}
	return u
}

// begin returns the number of a run that begins.
func (u *unseen) begin() uint32 {
	u.began++
	return u.began - 1
}

// end notes what a run showed that ended.
func (u *unseen) end(run uint32, of *shown) {
	for u.ended[run] = of; u.ended[u.runs] != nil; u.runs++ {
		for k, all := range u.ended[u.runs] {
			for _, what := range all {
				u.discoveries[k].note(what, u.runs)
			}
		}
		delete(u.ended, u.runs)
	}
}

// note notes what a run shows, or several do.
func (d *discoveries) note(what uint64, run uint32) {
	before, ok := d.shown[what]
	switch {
	case ok && (before == several || before == run):
		return
	case ok:
		run = several
		if d.only[before]--; d.only[before] == 0 {
			d.withOne--
		}
	case run != several:
		for int(run) >= len(d.only) {
			d.only = append(d.only, 0)
		}
		if d.only[run]++; d.only[run] == 1 {
			d.withOne++
		}
	}
	d.shown[what] = run
}

// Figures are those of a sampling.
type Figures struct {
	Seed   uint64   `json:"seed"`
	Runs   uint64   `json:"runs"` // that began
	Steps  uint64   `json:"steps"`
	Unseen []Unseen `json:"unseen"`
}

// Unseen is the chance that one more independent run shows something new of a kind, with an interval that is to hold it in 95 of 100
// samplings, estimated from some runs. It says nothing of how much is unseen, nor of runs that are not drawn like these.
type Unseen struct {
	What   string  `json:"what"`
	Runs   uint64  `json:"runs"` // independent ones
	Chance float64 `json:"chance"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// whats are the kinds in words.
var whats = [numberOfKinds]string{"local step", "state of an actor", "observation of a property"}

// Together are the figures of samplers that share actors and a checker, with the seed of the first.
func Together(samplers []*Sampler) Figures {
	f := Figures{Seed: samplers[0].Seed, Unseen: []Unseen{}}
	all := newUnseen()
	for _, s := range samplers {
		f.Runs += s.began
		f.Steps += s.Counts.Transitions
		all.add(s.unseen)
	}
	for k, d := range all.discoveries {
		if len(d.shown) > 0 {
			f.Unseen = append(f.Unseen, estimate(whats[k], d.withOne, all.runs))
		}
	}
	return f
}

// add adds what other runs showed.
func (u *unseen) add(o *unseen) {
	for k := range o.discoveries {
		for what, run := range o.discoveries[k].shown {
			if run != several {
				run += u.runs
			}
			u.discoveries[k].note(what, run)
		}
	}
	u.runs += o.runs
}

// estimate is that of Good and Turing (Good: The Population Frequencies of Species and the Estimation of Population Parameters,
// Biometrika 1953; Böhme: STADS, TOSEM 2018, for runs): a run shows something new as often as a run of the sample showed what no other
// one did.
//
// What is estimated varies with the sample too, by as much as the estimate does where there are twice as many rare discoveries of one run
// as of two (Esty: A Normal Limit Law for a Nonparametric Estimator of the Coverage of a Random Sample, Annals of Statistics 1983). So
// the interval has twice the variance of a proportion. It is the normal one together with Wilson's, which is right near 0 and 1, where
// the other one is too short.
func estimate(what string, withOne int, runs uint32) Unseen {
	const z2 = 2 * 1.96 * 1.96
	n, p := float64(runs), float64(withOne)/float64(runs)
	normal := math.Sqrt(z2 * p * (1 - p) / n)
	middle, half := p+z2/(2*n), math.Sqrt(z2*(p*(1-p)/n+z2/(4*n*n)))
	low, high := min(p-normal, (middle-half)/(1+z2/n)), max(p+normal, (middle+half)/(1+z2/n))
	return Unseen{What: what, Runs: uint64(runs), Chance: p, Low: max(0, low), High: min(1, high)}
}
