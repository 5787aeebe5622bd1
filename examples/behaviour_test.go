package examples

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"harrier/dbss"
)

var (
	javaBlock  = regexp.MustCompile("(?s)```java\n(.*?)```")
	publicName = regexp.MustCompile(`public class (\w+)`)
)

// TestProgramsOfThePageOnBehaviour checks the programs in docs/behaviour.md against the verdicts that they state.
func TestProgramsOfThePageOnBehaviour(t *testing.T) { checkPrograms(t, "../docs/behaviour.md", 5) }

// TestProgramsOfThePageOnQuorums does the same with docs/quorums.md.
func TestProgramsOfThePageOnQuorums(t *testing.T) { checkPrograms(t, "../docs/quorums.md", 2) }

func checkPrograms(t *testing.T, path string, atLeast int) {
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	blocks := javaBlock.FindAllSubmatch(page, -1)
	if len(blocks) < atLeast {
		t.Fatalf("the page has %d programs", len(blocks))
	}
	for _, block := range blocks {
		name := string(publicName.FindSubmatch(block[1])[1])
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), name+".java")
			if err := os.WriteFile(file, block[1], 0o644); err != nil {
				t.Fatal(err)
			}
			e := explore(t, load(t, file, "-"), "selective", dbss.Options{})
			verdict := "violated"
			if e.Violation == nil && e.Complete {
				verdict = "verified"
			}
			stated := regexp.MustCompile(`Expected: (\w+)`).FindSubmatch(block[1])
			if stated == nil || string(stated[1]) != verdict {
				t.Errorf("its comment says %q; it is %s", stated, verdict)
			}
		})
	}
}
