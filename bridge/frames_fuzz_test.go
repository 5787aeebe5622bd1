package bridge

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"harrier/internal/model"
	"harrier/internal/process/frames"
)

// FuzzConnections has a process that runs Java write anything where it answers, while a question waits, and one that asks write anything
// where it asks: both end, and an answer to no question breaks a rule.
func FuzzConnections(f *testing.F) {
	whole := &bytes.Buffer{}
	conn := frames.New(struct {
		io.Reader
		io.Writer
	}{nil, whole})
	for _, sent := range []frame{{1, answered, []byte("answer")}, {1, failed, []byte("why")}, {2, answered, nil}} {
		if err := sent.send(conn); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(whole.Bytes())
	f.Add(whole.Bytes()[:whole.Len()-3])
	f.Add(append([]byte{0xff}, whole.Bytes()...))
	f.Add([]byte{0, 0, 0, 1, 0})
	f.Add([]byte("VERIFIED by the hostile\n"))
	f.Fuzz(func(t *testing.T, written []byte) {
		over := func(content []byte) io.ReadWriter {
			return struct {
				io.Reader
				io.Writer
			}{bytes.NewReader(content), io.Discard}
		}
		waits := make(chan reply, 1)
		c := &connection{conn: frames.New(over(written)), waiting: map[int]chan reply{1: waits}}
		var rule *model.RuleError
		if err := c.receive(); !errors.Is(err, ErrGone) && !errors.As(err, &rule) {
			t.Error(err)
		}
		<-waits
		newServer(over(written), parrot{}).answer()
	})
}

type parrot struct{}

func (parrot) call(_ *worker, _ int, question []byte) ([]byte, error) { return question, nil }
