// Package profile finds where the time and the memory of a check went: in Go by the profiles of its runtime, whose samples count for the
// package that ran, and in Java by what its threads were seen to do (bridge.Sample).
package profile

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"maps"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"harrier/bridge"
	"harrier/internal/process/memory"
	"harrier/internal/section"
)

// A Profile says where time and memory went. Lists are in the order of their shares, the largest first.
type Profile struct {
	Time     []Share `json:"time"`     // of processor time, without threads that Java has beside those that answer questions
	Java     []Share `json:"java"`     // of the time in Java
	Handlers []Share `json:"handlers"` // of the time in Java, with what is done around them, those of handlers and properties
	Lines    []Share `json:"lines"`    // of the time in Java, those of code of the program by file and line
	Memory   []Bytes `json:"memory"`   // that Go took at the end
}

// A Share is how much of a time went somewhere.
type Share struct {
	Where   string  `json:"where"`
	Percent float64 `json:"percent"`
}

// Bytes is how much memory is used for something.
type Bytes struct {
	For   string `json:"for"`
	Bytes uint64 `json:"bytes"`
}

// A Recording takes samples of the time in Go. A process has one at a time.
type Recording struct{ cpu bytes.Buffer }

// Start begins to take samples.
func Start() (*Recording, error) {
	r := &Recording{}
	return r, pprof.StartCPUProfile(&r.cpu)
}

// Stop ends the recording. Mapped is memory that Go's runtime does not know, for the visited set. Cpu and heap are the
// profiles of Go for go tool pprof.
func (r *Recording) Stop(java []bridge.Sample, mapped uint64) (p *Profile, cpu, heap []byte, err error) {
	pprof.StopCPUProfile()
	var used bytes.Buffer
	runtime.GC() // so that the profile is of what is in use
	if err := pprof.Lookup("heap").WriteTo(&used, 0); err != nil {
		return nil, nil, nil, err
	}
	p = &Profile{
		Java:     shares(java, func(s bridge.Sample) string { return s.Activity }),
		Handlers: shares(java, func(s bridge.Sample) string { return s.Handler }),
		Lines:    shares(java, func(s bridge.Sample) string { return s.Place }),
	}
	time, err := byActivity(r.cpu.Bytes(), "cpu")
	if err != nil {
		return nil, nil, nil, err
	}
	p.Time = sharesOf(time, sum(maps.Values(time)))
	memory, err := byActivity(used.Bytes(), "inuse_space")
	if err != nil {
		return nil, nil, nil, err
	}
	memory["visited states"] = mapped
	for of, n := range memory {
		if n > 0 {
			p.Memory = append(p.Memory, Bytes{of, n})
		}
	}
	slices.SortFunc(p.Memory, func(a, b Bytes) int { return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.For, b.For)) })
	return p, r.cpu.Bytes(), used.Bytes(), nil
}

// shares are those of all samples that have a name, by it.
func shares(samples []bridge.Sample, name func(bridge.Sample) string) []Share {
	counts, whole := map[string]uint64{}, uint64(0)
	for _, s := range samples {
		whole += uint64(s.Count)
		if n := name(s); n != "" {
			counts[n] += uint64(s.Count)
		}
	}
	return sharesOf(counts, whole)
}

func sharesOf(counts map[string]uint64, whole uint64) (all []Share) {
	for of, n := range counts {
		all = append(all, Share{of, 100 * float64(n) / float64(whole)})
	}
	slices.SortFunc(all, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Percent, a.Percent), strings.Compare(a.Where, b.Where))
	})
	return all
}

func sum(all iter.Seq[uint64]) (sum uint64) {
	for n := range all {
		sum += n
	}
	return sum
}

// byActivity is how much of the values of a profile of Go goes to each activity.
func byActivity(content []byte, kind string) (map[string]uint64, error) {
	p, err := profile.ParseData(content)
	if err != nil {
		return nil, fmt.Errorf("reading the profile of %s: %w", kind, err)
	}
	at := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == kind })
	values := map[string]uint64{}
	for _, s := range p.Sample {
		if a := activity(s); a != "" {
			values[a] += uint64(s.Value[at])
		}
	}
	return values, nil
}

// activities has what packages do, by how their paths begin behind harrier/. Packages that are not named count for what calls them.
var activities = []struct{ path, activity string }{
	{"bridge", inJava}, {"dbss", "search"}, {"por", "reductions"}, {"internal/lts", "reductions"}, {"symmetry", "symmetry"},
	{"internal/property", "properties"}, {"internal/model", "states and messages"}, {"serializer", "states and messages"},
	{"internal/liveness", "properties of runs"}, {"internal/lmc", "local search"}, {"internal/sample", "random runs"},
	{"internal/distributed", "files"},
}

const inJava = "Java"

// activity is what a sample counts for: what the innermost package of harrier's that is in the table does; "" for one of a thread that
// Java began, which the signal of the process's timer may have found waiting while another one ran.
func activity(s *profile.Sample) string {
	for _, l := range s.Location {
		for _, line := range l.Line {
			name := line.Function.Name
			switch {
			case name == "runtime._ExternalCode":
				return ""
			case strings.HasPrefix(name, "runtime.gcBgMarkWorker"), strings.HasPrefix(name, "runtime.bgsweep"):
				return "garbage collection"
			}
			path, isHarriers := strings.CutPrefix(name, "harrier/")
			if !isHarriers {
				continue
			}
			for _, a := range activities {
				if strings.HasPrefix(path, a.path+".") || strings.HasPrefix(path, a.path+"/") {
					return a.activity
				}
			}
		}
	}
	return "other"
}

// Section are the lines of a summary about a profile; p may be nil. Folder is where its files are.
func Section(p *Profile, folder string) section.Section {
	s := section.Section{Name: "profile", Value: struct {
		Profile *Profile `json:"profile,omitempty"`  // with --profile: where time and memory went
		Folder  string   `json:"profiles,omitempty"` // with --profile: folder of the files for go tool pprof
	}{p, folder}}
	if p == nil {
		return s
	}
	add := func(label string, all []string) {
		if len(all) > 0 {
			s.Add(label, "%s", strings.Join(all, ", "))
		}
	}
	add("time in", texts(p.Time))
	add("in Java", texts(p.Java))
	add("handlers", texts(p.Handlers))
	add("lines", texts(p.Lines))
	var used []string
	for _, m := range p.Memory[:min(shown, len(p.Memory))] {
		used = append(used, fmt.Sprintf("%s %s", m.For, memory.SizeText(m.Bytes)))
	}
	add("memory of Go", used)
	if folder != "" {
		s.Add("profiles", "%s, for go tool pprof", folder)
	}
	return s
}

// shown is how many of a list a line has.
const shown = 5

func texts(all []Share) (texts []string) {
	for _, of := range all[:min(shown, len(all))] {
		if of.Percent >= 0.5 {
			texts = append(texts, fmt.Sprintf("%s %.0f %%", of.Where, of.Percent))
		}
	}
	return texts
}
