package search

import (
	"fmt"
	"testing"
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
		"search.interfaceTraces":  func(o *Options) { o.Search, o.Reduction = "dfs", "demeter" },
		"search.randomRuns":       func(o *Options) { o.Search = Random },
		"search.local":            func(o *Options) { o.Search = Local },
		"search.localBeside":      func(o *Options) { o.Search, o.Workers = Local, 2 },
		"search.Shared":           func(o *Options) { o.Share, o.Given = 2, map[string]string{"share": "2", "cluster": "nats://a"} },
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
