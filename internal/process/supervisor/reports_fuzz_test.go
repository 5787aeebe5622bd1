package supervisor

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
)

// FuzzReports has a program write anything to the pipe of reports, after some of the child's: they are foreign if a line that ends is
// not the child's.
func FuzzReports(f *testing.F) {
	f.Add("word exit 0\n")
	f.Add("word exit zero\nword keep {}\nword figures {}\nword syncs\nword syncs\n")
	f.Add("\n")
	f.Add("VERIFIED\nword exit 0")
	f.Add(" exit 0\n")
	f.Add("word\n")
	f.Add("word working\r\nwo")
	ended := exec.Command(os.Args[0], "-test.run", "^$")
	must.Do(ended.Run())
	f.Fuzz(func(t *testing.T, written string) {
		e := &End{}
		e.listen(strings.NewReader("word working\n"+written), "word", ended.Process, make(chan struct{}, 1))
		isOwn := true
		for line := range strings.Lines(written) {
			line, ends := strings.CutSuffix(line, "\n")
			first, _, _ := strings.Cut(line, " ")
			isOwn = isOwn && (first == "word" || !ends)
		}
		if e.Foreign == isOwn {
			t.Errorf("%q: %+v", written, *e)
		}
	})
}
