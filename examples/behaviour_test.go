package examples

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"harrier/internal/testkit/must"
)

var (
	javaBlock  = regexp.MustCompile("(?s)```java\n(.*?)```")
	publicName = regexp.MustCompile(`public class (\w+)`)
)

// TestProgramsOfTheGuide checks the whole programs in docs/guide.md against the verdicts that they state.
func TestProgramsOfTheGuide(t *testing.T) {
	page := must.Get(os.ReadFile("../docs/guide.md"))
	blocks := javaBlock.FindAllSubmatch(page, -1)
	programs := 0
	for _, block := range blocks {
		class := publicName.FindSubmatch(block[1])
		if class == nil {
			continue // a piece of an example
		}
		programs++
		name := string(class[1])
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), name+".java")
			must.Do(os.WriteFile(file, block[1], 0o644))
			verdict := explore(t, load(t, file, "-"), "selective", single("dfs")).Summary.Verdict
			stated := regexp.MustCompile(`Expected: (\w+)`).FindSubmatch(block[1])
			if stated == nil || string(stated[1]) != string(verdict) {
				t.Errorf("its comment says %q; it is %s", stated, verdict)
			}
		})
	}
	if programs < 5 {
		t.Errorf("the page has %d programs", programs)
	}
}
