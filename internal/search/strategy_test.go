package search

import (
	"errors"
	"fmt"
	"testing"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/network"
	"harrier/internal/model/space"
	"harrier/internal/testkit/must"
	"harrier/internal/testkit/toy"
)

func TestStrategyOfOptions(t *testing.T) {
	of := func(change func(o *Options)) string {
		o := Options{Search: "bfs", Hashing: "selective", Store: "exact", Reduction: "macro", Symmetry: "auto", POR: "off", Workers: 1}
		change(&o)
		s := Of(o)
		if _, err := s.Fits(o); err != nil {
			return "error: " + err.Error()
		}
		return fmt.Sprintf("%T", s)
	}
	for want, change := range map[string]func(o *Options){
		"search.MacroSteps":       func(*Options) {},
		"search.SingleSteps":      func(o *Options) { o.MaxDepth = 3 },
		"search.dynamicReduction": func(o *Options) { o.Search, o.POR = "stateless", "dynamic" },
		"search.staticReduction":  func(o *Options) { o.POR = "static" },
		"search.interfaceTraces":  func(o *Options) { o.Search, o.Reduction = "dfs", "demeter" },
		"search.randomRuns":       func(o *Options) { o.Search = Random },
		"search.local":            func(o *Options) { o.Search = Local },
		"search.localBeside":      func(o *Options) { o.Search, o.Workers = Local, 2 },
		"search.Shared": func(o *Options) {
			o.Share, o.Given = "servers", map[string]string{"share": "servers", "cluster": "nats://a"}
		},
		"error: --reduction macro does not go together with --max-depth, which counts single steps: leave one of them out": func(o *Options) {
			o.MaxDepth, o.Given = 3, map[string]string{"reduction": "macro"}
		},
		"error: --por dynamic is for --search stateless; searches that remember states take static": func(o *Options) { o.POR = "dynamic" },
	} {
		if got := of(change); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestDisplacingChannels has each strategy that puts steps off past arrivals refuse a channel in which what arrives displaces messages.
func TestDisplacingChannels(t *testing.T) {
	const reason = " is for channels in which messages stay when others arrive, and a channel of this program displaces them: take "
	for _, c := range []struct {
		Strategy
		refused string // "" if it is not
	}{
		{MacroSteps{}, "--reduction macro" + reason + "--reduction off"},
		{interfaceTraces{}, "--reduction demeter" + reason + "--reduction off"},
		{local{}, "--search local" + reason + "--search bfs --reduction off"},
		{localBeside{}, "--reduction macro" + reason + "--reduction off"},
		{dynamicReduction{}, "--por dynamic" + reason + "--por off"},
		{staticReduction{}, ""},
		{SingleSteps{}, ""},
	} {
		p := &toy.Protocol{
			Classes: []toy.Class{{Name: "Node", Handlers: []toy.Handler{{Label: "Node.on"}}}},
			Actors:  []toy.Actor{{Name: "ann"}, {Name: "bob"}}, Mail: []toy.Mail{{From: "ann", To: "bob"}},
		}
		p.Program().Channels = toy.Displacing
		actors := must.Get(space.NewActors(p, space.Decomposition{}))
		f, err := c.Search(t.Context(), NewProblem(actors, dbss.Options{Workers: 2}))
		refused, usage := "", new(model.UsageError)
		if errors.As(err, &usage) {
			refused = usage.Text
		} else if err != nil || !f.Result.Complete {
			t.Errorf("%T: %+v, %v", c.Strategy, f.Result, err)
		}
		if refused != c.refused {
			t.Errorf("%T: refused with %q, want %q", c.Strategy, refused, c.refused)
		}
	}
	if n := (&model.Program{Network: network.Network{Channels: toy.Displacing}}); n.NeedsSenders("ann") == "" {
		t.Error("who sent a message is left out where messages displace others")
	}
}
