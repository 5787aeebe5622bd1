package frames

import (
	"bytes"
	"io"
	"testing"

	"harrier/internal/testkit/must"
)

func TestMessagesArrive(t *testing.T) {
	c := New(&bytes.Buffer{})
	must.Do(c.Send([]byte("in "), []byte("parts")))
	must.Do(c.Send())
	for _, want := range []string{"in parts", ""} {
		if got := string(must.Get(c.Receive())); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if _, err := c.Receive(); err != io.EOF {
		t.Error(err)
	}
}

func TestWhatIsNoMessageIsAnError(t *testing.T) {
	for _, sent := range []string{"\x00", "\x00\x00\x00\x02a", "\x7f\xff\xff\xffa", "\xff\xff\xff\xffa"} {
		if got, err := New(bytes.NewBufferString(sent)).Receive(); err == nil || err == io.EOF {
			t.Errorf("%q gives %q, %v", sent, got, err)
		}
	}
}
