package bridge_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"harrier/bridge"
	"harrier/internal/check"
	"harrier/internal/plan"
	"harrier/internal/process/files"
	"harrier/internal/testkit/must"
)

const ring = `import harrier.*;
public class Ring extends Scenario {
    record Token(int hops, String text) {}
    static class Node extends Actor {
        ActorName next;
        int seen;
        boolean isLate;
        @Handler void on(Token t) {
            seen += t.hops();
            if (t.hops() < 2) send(next, new Token(t.hops() + 1, t.text() + "."));
        }
        @Internal(when = "isEarly") void wait_() { isLate = true; }
        boolean isEarly() { return !isLate; }
    }
    @Override protected void setUp() {
        var a = new Node();
        var b = new Node();
        ActorName x = create("a", a), y = create("b", b);
        a.next = y;
        b.next = x;
        send(x, new Token(0, "t"));
    }
    @Invariant boolean few() { return actors(Node.class).allMatch(n -> n.seen < 5); }
    @Eventually boolean late() { return actors(Node.class).allMatch(n -> n.isLate); }
}`

// FuzzAnswers has a virtual machine give a wrong answer in the middle of a check, which must end with an error or a verdict: it must not
// panic, nor go on without end. The wrong answer is the one with a number; from some byte on it is cut, or has another number
// or other bytes.
func FuzzAnswers(f *testing.F) {
	for number := range uint8(6) {
		f.Add(number, uint16(4), uint8(0), uint32(0x7fffffff))
		f.Add(number, uint16(4), uint8(0), uint32(0xffffffff))
		f.Add(number, uint16(number)*200, uint8(1), uint32(0x7f))
		f.Add(number, uint16(number)*13, uint8(2), uint32(0))
	}
	folder := must.Get(os.MkdirTemp("", "hostile-"))
	f.Cleanup(func() { os.RemoveAll(folder) })
	path := filepath.Join(folder, "Ring.java")
	must.Do(os.WriteFile(path, []byte(ring), 0o644))
	f.Fuzz(func(t *testing.T, number uint8, at uint16, kind uint8, value uint32) {
		var answers atomic.Uint32
		j, end := bridge.Hostile(func(answer []byte) []byte {
			if answers.Add(1) != uint32(number)+1 || len(answer) == 0 {
				return answer
			}
			at := int(at) % len(answer)
			switch kind % 3 {
			case 0:
				binary.BigEndian.PutUint32(append(answer[:at:len(answer)], make([]byte, 4)...)[at:], value)
			case 1:
				answer[at] ^= byte(value) | 1
			case 2:
				answer = answer[:at]
			}
			return answer
		})
		defer end()
		o := plan.Default()
		o.Source = bridge.Source{Path: path}
		o.Memory.Bytes, o.Timeout = 2<<30, time.Minute
		c := check.New(must.Get(plan.Resolve(o)), check.Environment{Keep: files.KeepIn(folder)})
		c.JVM = j
		summary, err := c.Run(context.Background())
		if summary == nil && err == nil {
			t.Error("there is neither a verdict nor an error")
		}
	})
}
