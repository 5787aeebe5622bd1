package examples

import (
	"slices"
	"testing"

	"harrier/internal/model"
	"harrier/internal/testkit/must"
	"harrier/por/demeter"
)

// TestDemeterCounts counts local traces and complete global skeletons of examples. Of those with few global traces, a stateless search
// with dynamic partial-order reduction follows as many runs to their ends, unless it also orders what invariants read. Those with the most
// global traces are counted with -all.
func TestDemeterCounts(t *testing.T) {
	for _, want := range []struct {
		example
		demeter.Figures
	}{
		{example{"accumulator", "-"}, demeter.Figures{Components: 3, LocalTraces: 14, GlobalSkeletons: 2, GlobalTraces: 18}},
		{example{"accumulator", "sequences=1,servers=3,numbers=4"}, demeter.Figures{Components: 4, LocalTraces: 16, GlobalSkeletons: 1, GlobalTraces: 125}},
		{example{"philosophers", "-"}, demeter.Figures{Components: 2, LocalTraces: 8, GlobalSkeletons: 7, GlobalTraces: 14}},
		{example{"philosophers", "philosophers=6"}, demeter.Figures{Components: 2, LocalTraces: 128, GlobalSkeletons: 7, GlobalTraces: 4094}},
		{example{"chord", "-"}, demeter.Figures{Components: 2, LocalTraces: 15, GlobalSkeletons: 9, GlobalTraces: 12}},
		{example{"chord", "nodes=3"}, demeter.Figures{Components: 3, LocalTraces: 724, GlobalSkeletons: 1795, GlobalTraces: 2085}},
		{example{"store", "-"}, demeter.Figures{Components: 2, LocalTraces: 108, GlobalSkeletons: 6, GlobalTraces: 450}},
		{example{"paxos-replicas", "-"}, demeter.Figures{Components: 2, LocalTraces: 206, GlobalSkeletons: 1672, GlobalTraces: 3008}},
		{example{"paxos-node", "nodes=2"}, demeter.Figures{Components: 2, LocalTraces: 2586, GlobalSkeletons: 11601, GlobalTraces: 254944}},
	} {
		t.Run(want.program+" "+want.parameters, func(t *testing.T) {
			if want.GlobalTraces > 4000 && !*all {
				t.Skip("takes long: run it with -all")
			}
			o := single("dfs")
			o.Reduction = "demeter"
			c := explore(t, loadFrom(t, source(t, model.M, want.program, want.parameters)), "fields", o)
			var found struct{ Demeter demeter.Figures }
			must.Do(c.Summary.Figures(&found))
			got := found.Demeter
			want.ReductionRatio = want.GlobalTraces / float64(want.LocalTraces)
			if !c.Result.Complete || got != want.Figures {
				t.Errorf("complete %v, %+v\nwant %+v", c.Result.Complete, got, want.Figures)
			}
			if want.GlobalTraces > 4000 {
				return
			}
			o = single("stateless")
			o.POR = "dynamic"
			c = explore(t, load(t, want.program, want.parameters), "fields", o)
			if runs := float64(c.Result.Terminal); runs != want.GlobalTraces && (runs < want.GlobalTraces || !c.Actors().Program().AsksEachState()) {
				t.Errorf("%d runs are followed to their ends, want %v", c.Result.Terminal, want.GlobalTraces)
			}
		})
	}
}

// TestDemeterFinds counts the global skeletons that lead to a violation when local ones are followed first. A depth-first search of all
// meets more than 200,000 of paxos-forgetful, and loses itself in the local traces of few skeletons of kv-forgetful.
func TestDemeterFinds(t *testing.T) {
	for _, want := range []struct {
		example
		skeletons uint64
	}{
		{example{"kv-forgetful", "-"}, 1_630}, {example{"paxos-forgetful", "-"}, 30_573},
	} {
		t.Run(want.program, func(t *testing.T) {
			o := single("dfs")
			o.Reduction, o.MaxStates = "demeter", want.skeletons
			c := explore(t, loadFrom(t, source(t, model.M, want.program, want.parameters)), "fields", o)
			if c.Result.Violation == nil || c.Result.States != want.skeletons {
				t.Errorf("violation %v after %d global skeletons, want one after %d", c.Result.Violation, c.Result.States, want.skeletons)
			}
		})
	}
}

// TestDemeterAgrees holds the verdicts of small examples whose runs end to those of a search of single steps, as far as global skeletons have an end
// soon.
func TestDemeterAgrees(t *testing.T) {
	decided := 0
	for _, of := range append(slices.DeleteFunc(slices.Clone(small), func(e example) bool { return e.program == "kv" }), example{"philosophers", "circle=true"}, example{"store", "-"}, example{"register-wrong", "objects=2"}) {
		t.Run(of.program+" "+of.parameters, func(t *testing.T) {
			o := single("dfs")
			o.Reduction, o.MaxStates = "demeter", 2_000
			got := explore(t, loadFrom(t, source(t, model.M, of.program, of.parameters)), "fields", o)
			want := explore(t, load(t, of.program, of.parameters), "fields", single("dfs"))
			if got.Result.Violation == nil && !got.Result.Complete {
				t.Skip(got.Result.Reason)
			}
			decided++
			if got.Summary.Verdict != want.Summary.Verdict {
				t.Errorf("%s, want %s", got.Summary.Verdict, want.Summary.Verdict)
			}
		})
	}
	if decided < 15 {
		t.Errorf("only %d are decided", decided)
	}
}
