package checkpoint

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"harrier/dbss"
	"harrier/internal/model"
	"harrier/internal/model/space"
	"harrier/internal/process/files"
)

// A Log is the log of one variant of a search: first a record with the variant, then, for each level, any number of records with links
// and one that ends it. Beside the logs of all variants is a file of what the search numbered (space.Numbering), to which each record
// adds.
type Log struct {
	folder *Folder
	values *space.Values
	levels records
	next   int64       // where the record is from which links are read next
	links  []dbss.Link // that were read last

	mu      sync.Mutex
	pending []part
	linked  int       // links in pending
	written sync.Cond // when there are none any more
	last    time.Time // when levels were written last

	levelLinks int // that were written of the level that is not ended; of the one who writes

	write chan struct{} // has something when what is pending is to be written
	done  chan struct{}
}

// A part of a level is links, or its end with the counts.
type part struct {
	links  []dbss.Link
	counts *dbss.Counts
}

// mostLinks is how many links may be pending before they are written, whatever Every says.
const mostLinks = 1 << 18

const numbersFile = "numbers"

// Log opens the log of a variant of the search, or makes it. The values are those of the system that is searched.
func (f *Folder) Log(variant string, values *space.Values) (dbss.Log, error) {
	if err := f.number(values); err != nil {
		return nil, err
	}
	levels, err := f.openVariant("levels", variant)
	if err != nil {
		return nil, err
	}
	l := &Log{folder: f, values: values, levels: levels, last: time.Now(), write: make(chan struct{}, 1), done: make(chan struct{})}
	l.written.L = &l.mu
	go l.run()
	return l, nil
}

// openVariant opens a file of records of a variant of the search, or makes it, and reads the first record, which is the variant.
func (f *Folder) openVariant(kind, variant string) (records, error) {
	r, err := f.open(fmt.Sprintf("%s-%016x", kind, xxhash.Sum64String(variant)))
	if err != nil {
		return r, opening(err)
	}
	if was, ok := r.read(); ok && string(was) != variant {
		return r, f.refused("two variants of the search have one log")
	} else if !ok {
		r.append([]byte(variant))
	}
	return r, nil
}

func opening(err error) error {
	return &model.UsageError{Text: fmt.Sprintf("opening the checkpoint: %v", err)}
}

// number has values numbered as the checkpoint says, before the first search.
func (f *Folder) number(values *space.Values) error {
	if f.numbers.file != nil {
		return nil
	}
	var err error
	if f.numbers, err = f.open(numbersFile); err != nil {
		return opening(err)
	}
	for {
		record, ok := f.numbers.read()
		var more space.Numbering
		if !ok || json.Unmarshal(record, &more) != nil {
			break
		}
		f.numbered.Positions = append(f.numbered.Positions, more.Positions...)
		f.numbered.Handlers = append(f.numbered.Handlers, more.Handlers...)
	}
	if !f.numbered.Restore(values) {
		return f.refused("actors or handlers have other numbers than they had")
	}
	return nil
}

// A level is the head of the record that ends it, as JSON.
type level struct {
	Positions, Handlers int // how many the search had numbered
	Links               int // in all its records
	Counts              dbss.Counts
	Reduced             uint64
	HandlerRuns         []uint64
	FaultsTaken         []uint64
	Leftover            uint64
}

// Read implements dbss.Log.
func (l *Log) Read() (counts dbss.Counts, ok bool) {
	before := l.levels.clone()
	l.next = before.end
	head, ok := l.readLevel()
	if !ok {
		l.levels = before // it is written anew
		return counts, false
	}
	counts = head.Counts
	counts.Reduced, counts.Leftover = head.Reduced, head.Leftover
	counts.HandlerRuns, counts.FaultsTaken = head.HandlerRuns, head.FaultsTaken
	return counts, true
}

// readLevel reads the records of a level, and returns the head of the last one.
func (l *Log) readLevel() (head level, ok bool) {
	for links := 0; ; {
		record, ok := l.levels.read()
		if !ok {
			return head, false
		}
		beginning, rest, ok := divide(record)
		if ok {
			l.links, ok = decode(rest, l.links[:0])
		}
		if links += len(l.links); !ok || len(beginning) == 0 {
			if !ok {
				return head, false
			}
			continue
		}
		ok = json.Unmarshal(beginning, &head) == nil && head.Positions <= len(l.folder.numbered.Positions) &&
			head.Handlers <= len(l.folder.numbered.Handlers) && head.Links == links
		return head, ok
	}
}

// Next implements dbss.Log.
func (l *Log) Next() ([]dbss.Link, error) {
	for l.next < l.levels.end {
		record, err := l.levels.at(&l.next)
		if err != nil {
			return nil, opening(err)
		}
		_, rest, _ := divide(record)
		if l.links, _ = decode(rest, l.links[:0]); len(l.links) > 0 {
			return l.links, nil
		}
	}
	return nil, nil
}

// Write implements dbss.Log. It waits where links are written more slowly than they come.
func (l *Log) Write(links []dbss.Link) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.linked > mostLinks {
		l.written.Wait()
	}
	l.pending = append(l.pending, part{links: links})
	if l.linked += len(links); l.linked > mostLinks {
		l.startWriting()
	}
}

// End implements dbss.Log.
func (l *Log) End(counts dbss.Counts) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = append(l.pending, part{counts: &counts})
	if time.Since(l.last) >= l.folder.Every {
		l.startWriting()
	}
}

func (l *Log) startWriting() {
	select {
	case l.write <- struct{}{}:
	default: // what is pending will be written anyway
	}
}

// Scratch implements dbss.Log. The file has no name from the beginning.
func (l *Log) Scratch() (*os.File, error) {
	return files.Scratch(l.folder.path, scratchName)
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

// writePending writes what is not written yet, and has it come to the disk.
func (l *Log) writePending() {
	l.mu.Lock()
	pending := l.pending
	l.pending, l.linked, l.last = nil, 0, time.Now()
	l.mu.Unlock()
	l.written.Broadcast()
	if l.folder.Flush != nil {
		l.folder.Flush()
	}
	if len(pending) == 0 {
		return
	}
	l.folder.writeNumbers(l.values)
	for _, p := range pending {
		if l.levelLinks += len(p.links); p.counts == nil {
			l.levels.append(encode(nil, p.links))
			continue
		}
		c := *p.counts
		head, _ := json.Marshal(level{ // numbers can always be written
			len(l.folder.numbered.Positions), len(l.folder.numbered.Handlers), l.levelLinks,
			c, c.Reduced, c.HandlerRuns, c.FaultsTaken, c.Leftover,
		})
		l.levels.append(encode(head, nil))
		l.levelLinks = 0
	}
	l.levels.sync()
}

// writeNumbers writes what was numbered since it was called last.
func (f *Folder) writeNumbers(values *space.Values) {
	now, before := space.NumberingOf(values), f.numbered
	positions, handlers := len(before.Positions), len(before.Handlers)
	if len(now.Positions) == positions && len(now.Handlers) == handlers {
		return
	}
	record, err := json.Marshal(space.Numbering{Positions: now.Positions[positions:], Handlers: now.Handlers[handlers:]})
	if err != nil {
		f.fail(err)
		return
	}
	f.numbers.append(record)
	f.numbers.sync()
	f.numbered = now
}

// encode writes a head, which may be empty, behind its length, and then for each link how much further the parent is than the one
// before, and the transition.
func encode(head []byte, links []dbss.Link) []byte {
	b := binary.AppendUvarint(make([]byte, 0, len(head)+3*len(links)+binary.MaxVarintLen64), uint64(len(head)))
	b = append(b, head...)
	parent := uint32(0)
	for _, k := range links {
		b = binary.AppendUvarint(b, uint64(k.Parent-parent))
		b = binary.AppendUvarint(b, uint64(k.Transition))
		parent = k.Parent
	}
	return b
}

// divide returns the head of a record, and what encodes its links.
func divide(record []byte) (head, rest []byte, ok bool) {
	size, n := binary.Uvarint(record)
	if n <= 0 || size > uint64(len(record)-n) {
		return nil, nil, false
	}
	return record[n : n+int(size)], record[n+int(size):], true
}

// decode appends the links that encode wrote.
func decode(b []byte, into []dbss.Link) ([]dbss.Link, bool) {
	whole := true
	number := func() uint32 {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			whole, b = false, nil
			return 0
		}
		b = b[size:]
		return uint32(n)
	}
	for parent := uint32(0); len(b) > 0; {
		parent += number()
		into = append(into, dbss.Link{Parent: parent, Transition: number()})
	}
	return into, whole
}
