package checkpoint

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"harrier/dbss"
	"harrier/internal/model"
)

// A Log is the log of one variant of a search: first a record with the variant, then one for each level. Beside the logs of all
// variants is a file of what the search numbered (model.Numbering), to which each record adds.
type Log struct {
	folder *Folder
	values model.Values
	levels records

	mu      sync.Mutex
	pending []dbss.Level
	last    time.Time // when levels were written last

	write chan struct{} // has something when the pending levels are to be written
	done  chan struct{}
}

const numbersFile = "numbers"

// Log opens the log of a variant of the search, or makes it. The values are those of the system that is searched.
func (f *Folder) Log(variant string, values model.Values) (dbss.Log, error) {
	if err := f.number(values); err != nil {
		return nil, err
	}
	levels, err := f.open(fmt.Sprintf("levels-%016x", xxhash.Sum64String(variant)))
	if err != nil {
		return nil, opening(err)
	}
	l := &Log{folder: f, values: values, levels: levels, last: time.Now(), write: make(chan struct{}, 1), done: make(chan struct{})}
	if was, ok := l.levels.read(); ok && string(was) != variant {
		return nil, refused(f.path, "two variants of the search have one log")
	} else if !ok {
		l.levels.append([]byte(variant))
	}
	go l.run()
	return l, nil
}

func opening(err error) error {
	return &model.UsageError{Text: fmt.Sprintf("opening the checkpoint: %v", err)}
}

// number has values numbered as the checkpoint says, before the first search.
func (f *Folder) number(values model.Values) error {
	if f.numbers.file != nil {
		return nil
	}
	var err error
	if f.numbers, err = f.open(numbersFile); err != nil {
		return opening(err)
	}
	for {
		record, ok := f.numbers.read()
		var more model.Numbering
		if !ok || json.Unmarshal(record, &more) != nil {
			break
		}
		f.numbered.Positions = append(f.numbered.Positions, more.Positions...)
		f.numbered.Handlers = append(f.numbered.Handlers, more.Handlers...)
	}
	if !f.numbered.Restore(values) {
		return refused(f.path, "actors or handlers have other numbers than they had")
	}
	return nil
}

// A level is a record: what comes before its links, as JSON.
type level struct {
	Positions, Handlers int // how many the search had numbered
	Links               int
	Counts              dbss.Counts
	Reduced             uint64
	HandlerRuns         []uint64
	FaultsTaken         []uint64
	Leftover            uint64
}

// Read implements dbss.Log.
func (l *Log) Read() (found dbss.Level, ok bool) {
	before := l.levels
	sum := *before.sum
	if found, ok = l.next(); !ok {
		l.levels, *l.levels.sum = before, sum // it is written anew
	}
	return found, ok
}

func (l *Log) next() (found dbss.Level, ok bool) {
	record, ok := l.levels.read()
	if !ok {
		return found, false
	}
	size, n := binary.Uvarint(record)
	if n <= 0 || size > uint64(len(record)-n) {
		return found, false
	}
	var head level
	if json.Unmarshal(record[n:n+int(size)], &head) != nil ||
		head.Positions > len(l.folder.numbered.Positions) || head.Handlers > len(l.folder.numbered.Handlers) {
		return found, false
	}
	found.Counts = head.Counts
	found.Counts.Reduced, found.Counts.Leftover = head.Reduced, head.Leftover
	found.Counts.HandlerRuns, found.Counts.FaultsTaken = head.HandlerRuns, head.FaultsTaken
	found.Links, ok = decode(record[n+int(size):], head.Links)
	return found, ok
}

// Write implements dbss.Log.
func (l *Log) Write(of dbss.Level) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = append(l.pending, of)
	if time.Since(l.last) < l.folder.Every {
		return
	}
	select {
	case l.write <- struct{}{}:
	default: // what is pending will be written anyway
	}
}

// Close implements dbss.Log.
func (l *Log) Close() {
	close(l.write)
	<-l.done
	l.levels.file.Close()
}

// run writes levels until the log is closed.
func (l *Log) run() {
	for range l.write {
		l.writePending()
	}
	l.writePending()
	close(l.done)
}

// writePending writes the levels that are not written yet, and has them come to the disk.
func (l *Log) writePending() {
	l.mu.Lock()
	pending := l.pending
	l.pending, l.last = nil, time.Now()
	l.mu.Unlock()
	if l.folder.Flush != nil {
		l.folder.Flush()
	}
	if len(pending) == 0 {
		return
	}
	l.folder.writeNumbers(l.values)
	for _, of := range pending {
		l.levels.append(encode(of, l.folder.numbered))
	}
	l.levels.sync()
}

// writeNumbers writes what was numbered since it was called last.
func (f *Folder) writeNumbers(values model.Values) {
	now, before := model.NumberingOf(values), f.numbered
	positions, handlers := len(before.Positions), len(before.Handlers)
	if len(now.Positions) == positions && len(now.Handlers) == handlers {
		return
	}
	record, err := json.Marshal(model.Numbering{Positions: now.Positions[positions:], Handlers: now.Handlers[handlers:]})
	if err != nil {
		f.fail(err)
		return
	}
	f.numbers.append(record)
	f.numbers.sync()
	f.numbered = now
}

// encode writes the head of a level behind its length, and then for each link how much further the parent is than the one before,
// and the transition.
func encode(of dbss.Level, numbered model.Numbering) []byte {
	c := of.Counts
	head, _ := json.Marshal(level{ // numbers can always be written
		len(numbered.Positions), len(numbered.Handlers), len(of.Links), c, c.Reduced, c.HandlerRuns, c.FaultsTaken, c.Leftover,
	})
	b := binary.AppendUvarint(make([]byte, 0, len(head)+3*len(of.Links)+binary.MaxVarintLen64), uint64(len(head)))
	b = append(b, head...)
	parent := uint32(0)
	for _, k := range of.Links {
		b = binary.AppendUvarint(b, uint64(k.Parent-parent))
		b = binary.AppendUvarint(b, uint64(k.Transition))
		parent = k.Parent
	}
	return b
}

// decode reads the links that encode wrote.
func decode(b []byte, count int) ([]dbss.Link, bool) {
	if count < 0 || count > len(b) {
		return nil, false
	}
	whole := true
	number := func() uint32 {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			whole = false
			return 0
		}
		b = b[size:]
		return uint32(n)
	}
	links := make([]dbss.Link, 0, count)
	for parent := uint32(0); whole && len(b) > 0; {
		parent += number()
		links = append(links, dbss.Link{Parent: parent, Transition: number()})
	}
	return links, whole && len(links) == count
}
