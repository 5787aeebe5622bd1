package supervisor

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
)

// FuzzReports has a program write anything to the pipe of reports, after some of the child's: there is a result only if all lines are
// the child's.
func FuzzReports(f *testing.F) {
	f.Add("word exit 0\n")
	f.Add("word exit zero\nword keep {}\nword figures {}\nword syncs\nword syncs\n")
	f.Add("\n")
	f.Add("VERIFIED\nword exit 0")
	f.Add(" exit 0\n")
	f.Add("word\n")
	ended := exec.Command(os.Args[0], "-test.run", "^$")
	must.Do(ended.Run())
	f.Fuzz(func(t *testing.T, written string) {
		e := &End{}
		e.listen(strings.NewReader("word working\n"+written), "word", ended.Process, make(chan struct{}, 1))
		isOwn := true
		for line := range strings.Lines(written) {
			first, _, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
			isOwn = isOwn && first == "word"
		}
		if e.Foreign == isOwn {
			t.Errorf("%q: %+v", written, *e)
		}
	})
}
