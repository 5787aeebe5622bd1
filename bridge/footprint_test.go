package bridge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"harrier/model"
)

// footprints says in words what handlers do.
func footprints(p *model.Program) string {
	var b strings.Builder
	fields := func(what string, touches []model.Touch) {
		for _, t := range touches {
			what += " " + t.Field[strings.LastIndexByte(t.Field, '.')+1:]
		}
		if len(touches) > 0 {
			fmt.Fprintf(&b, "  %s\n", what)
		}
	}
	for _, f := range p.Footprints {
		fmt.Fprintln(&b, f.Handler)
		fields("asks", f.GuardReads)
		fields("reads", f.Reads)
		fields("writes", f.Writes)
		for _, s := range f.Sends {
			to := []string{"anybody", "the sender", "itself", s.Field}[s.To]
			fmt.Fprintf(&b, "  sends %s to %s\n", s.Type, to)
		}
		for what, does := range map[string]bool{"creates": f.Creates, "stops": f.Stops, "records": f.Records} {
			if does {
				fmt.Fprintf(&b, "  %s\n", what)
			}
		}
	}
	return b.String()
}

func TestFootprintsOfExamples(t *testing.T) {
	for example, want := range map[string]string{
		"paxos": `Acceptor.on(Prepare)
  reads promised accepted value refused
  writes promised refused
  sends paxos.Messages$Promise to the sender
Acceptor.on(Accept)
  reads promised accepted learners refused
  writes accepted value refused
  sends paxos.Messages$Accepted to paxos.Acceptor.learners
Learner.on(Accepted, ActorName)
  reads heard votes acceptors learned
  writes heard votes learned
Proposer.on(Promise)
  reads promises acceptors highest ballot value
  writes promises highest value
  sends paxos.Messages$Accept to paxos.Proposer.acceptors
`,
		"register": `BaseObject.on(Store, ActorName)
  reads current log served
  writes current log served lastClient
  sends register.Messages$Stored to the sender
BaseObject.on(Fetch, ActorName)
  reads current served
  writes served lastClient
  sends register.Messages$Fetched to the sender
Reader.on(Begin)
  reads request objects
  writes request isReading
  sends register.Messages$Fetch to register.Reader.objects
  records
Reader.on(Fetched, ActorName)
  reads answers isReading request fetched objects reads
  writes answers fetched isReading
  sends register.Messages$Begin to itself
  records
Writer.on(Begin)
  reads timestamp objects
  writes timestamp isWriting
  sends register.Messages$Store to register.Writer.objects
  records
Writer.on(Stored, ActorName)
  reads retained isWriting timestamp lateAnswers stored objects writes
  writes retained lateAnswers stored isWriting
  sends register.Messages$Begin to itself
  records
`,
		"paxos-quorum": `Acceptor.on(Accept)
  reads promised alwaysAccepts learners accepted
  writes promised accepted
  sends paxosquorum.Messages$Accepted to paxosquorum.Acceptor.learners
Acceptor.on(Prepare)
  reads promised accepted
  writes promised
  sends paxosquorum.Messages$Promise to the sender
Leader.begin()
  asks ballot again proposed numbers
  reads numbers acceptors ballot
  writes ballot
  sends paxosquorum.Messages$Prepare to paxosquorum.Leader.acceptors
Leader.on(Set<Promise>)
  asks proposed ballot
  reads acceptors ballot
  writes proposed
  sends paxosquorum.Messages$Accept to paxosquorum.Leader.acceptors
Learner.on(Set<Accepted>)
  reads learned
  writes learned
`,
		"two-phase-commit": `Coordinator.on(Vote, ActorName)
  reads prepared decision needed
  writes prepared decision
  sends twophasecommit.TwoPhaseCommit$Decide to anybody
Manager.on(Prepare)
  reads stage
  writes stage
  sends twophasecommit.TwoPhaseCommit$Vote to the sender
Manager.on(Decide)
  writes stage
Manager.abort()
  asks stage
  writes stage
`,
	} {
		t.Run(example, func(t *testing.T) {
			p, err := jvm.Load(context.Background(), Source{Path: "../examples/" + example})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(sorted(want), sorted(footprints(p.Program()))); diff != "" {
				t.Errorf("footprints (-want +got):\n%s", diff)
			}
			for _, f := range p.Program().Footprints {
				for _, h := range p.Program().Handlers {
					if h.Label == f.Handler {
						f.Handler = ""
					}
				}
				if f.Handler != "" {
					t.Errorf("%s is the label of no handler", f.Handler)
				}
			}
		})
	}
}

// sorted is the same text with its handlers in another order.
func sorted(text string) string {
	var blocks []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, " ") {
			blocks[len(blocks)-1] += line
		} else {
			blocks = append(blocks, line)
		}
	}
	slices.Sort(blocks)
	return strings.Join(blocks, "")
}
