package live

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"harrier/internal/model"
	"harrier/internal/process/files"
	"harrier/serializer"
)

// checkpoints are the checkpoints of a process, by increasing numbers, as in CrystalBall (Yabandeh and others, NSDI 2009). A process
// takes one when it is asked for one with a higher number than its last, and when it gets a message whose sender has a
// higher one, before it sees the message. So of two processes, neither's first checkpoint from a number on has received what
// the other sent after its own: together they are a consistent cut. (Markers, as Chandy and Lamport have them, would have to
// stay behind the messages before them; datagrams keep no order, and get lost.) Messages in flight across the cut are not in it,
// as if they were lost, or came late.
type checkpoints struct {
	number uint64
	kept   []checkpoint
	gone   uint64 // the number of the last one that was dropped
}

type checkpoint struct {
	number uint64
	state  model.Initial
}

// mostNumber is the highest number that a checkpoint may have now: the time in nanoseconds. Who takes snapshots counts them, so nobody
// comes near it but by mistake or malice. Where somebody did, the next snapshot may have a higher number all the same, as it is later.
func mostNumber() uint64 { return uint64(time.Now().UnixNano()) }

// checkNumber reports that nobody can have counted to a number, nil if somebody can.
func checkNumber(number uint64) error {
	if number > mostNumber() {
		return fmt.Errorf("nobody has taken as many snapshots as its number %d says", number)
	}
	return nil
}

// mostKept is how many are kept, for snapshots that several ask for at once.
const mostKept = 8

// reach takes a checkpoint with a number, unless the process has come so far already.
func (c *checkpoints) reach(number uint64, now func() model.Initial) {
	if number <= c.number {
		return
	}
	c.number = number
	c.kept = append(c.kept, checkpoint{number, now()})
	if len(c.kept) > mostKept {
		c.gone, c.kept = c.kept[0].number, slices.Delete(c.kept, 0, 1)
	}
}

// answer is the first checkpoint from a number on.
func (c *checkpoints) answer(number uint64, now func() model.Initial) *Snapshot {
	c.reach(number, now)
	if c.gone >= number {
		return &Snapshot{Number: c.number, Late: true}
	}
	i := slices.IndexFunc(c.kept, func(k checkpoint) bool { return k.number >= number })
	return &Snapshot{Number: c.number, Initial: c.kept[i].state}
}

// Snapshot is a state of a program, or of some of its actors.
type Snapshot struct {
	Version    int               `json:"version"`
	Scenario   string            `json:"scenario"`
	Parameters []model.Parameter `json:"parameters"`
	Number     uint64            `json:"number"`         // how far the process has come with its checkpoints
	Late       bool              `json:"late,omitempty"` // the checkpoint is gone: one with a number above Number is to be asked for
	model.Initial
}

// snapshotVersion is the version of the form of snapshots.
const snapshotVersion = 1

const mostSnapshotBytes = 64 << 20

// readSnapshot reads a snapshot, which may come from anywhere.
func readSnapshot(in io.Reader) (*Snapshot, error) {
	s := &Snapshot{}
	if err := json.NewDecoder(io.LimitReader(in, mostSnapshotBytes)).Decode(s); err != nil {
		return nil, fmt.Errorf("it is no snapshot: %w", err)
	}
	if s.Version != snapshotVersion {
		return nil, fmt.Errorf("it is a snapshot of version %d: this harrier reads version %d", s.Version, snapshotVersion)
	}
	if err := checkNumber(s.Number); err != nil {
		return nil, err
	}
	for _, a := range s.Actors {
		v, err := serializer.Decode(a.Local)
		if err != nil {
			return nil, fmt.Errorf("the state of %s: %w", a.Name, err)
		}
		if v.Kind != serializer.Actor || v.Text != a.Name || v.ClassName != a.Class {
			return nil, fmt.Errorf("the state of %s is that of another actor", a.Name)
		}
	}
	for _, m := range s.Messages {
		if _, err := serializer.Decode(m.Payload); err != nil {
			return nil, fmt.Errorf("a message to %s: %w", m.Receiver, err)
		}
	}
	return s, nil
}

// ReadSnapshotFile reads a snapshot from a file.
func ReadSnapshotFile(path string) (*Snapshot, error) {
	f, err := files.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := readSnapshot(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return s, err
}

// Of reports why a snapshot is not one of a program, nil if it is.
func (s *Snapshot) Of(p *model.Program) error {
	if s.Scenario != p.Scenario || !slices.Equal(s.Parameters, p.Parameters) {
		return fmt.Errorf("the snapshot is of %s %v, the program is %s %v", s.Scenario, s.Parameters, p.Scenario, p.Parameters)
	}
	met := map[string]bool{}
	for _, a := range s.Actors {
		at := slices.IndexFunc(p.Initial.Actors, func(b model.Actor) bool { return b.Name == a.Name })
		known := at >= 0 && p.Initial.Actors[at].Class == a.Class || at < 0 && strings.Contains(a.Name, "/")
		if !known || met[a.Name] {
			return fmt.Errorf("the snapshot has an actor %s of class %s, which the program has not", a.Name, a.Class)
		}
		met[a.Name] = true
	}
	return nil
}

// join makes one snapshot of several processes' snapshots.
func join(parts []*Snapshot) *Snapshot {
	whole := *parts[0]
	for _, p := range parts[1:] {
		whole.Number = max(whole.Number, p.Number)
		whole.Actors = append(slices.Clip(whole.Actors), p.Actors...)
		whole.Messages = append(slices.Clip(whole.Messages), p.Messages...)
	}
	slices.SortFunc(whole.Actors, func(a, b model.Actor) int { return strings.Compare(a.Name, b.Name) })
	return &whole
}
