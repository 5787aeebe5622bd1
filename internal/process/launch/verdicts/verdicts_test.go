package verdicts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"harrier/internal/report"
	"harrier/internal/testkit/must"
)

// TestVerdictsOfUnchangedProgramsAreFound keeps the verdict of a check with a page of tables, changes one thing, and looks for it.
func TestVerdictsOfUnchangedProgramsAreFound(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(folder string, c *Check)
		found  bool
	}{
		{"nothing", func(string, *Check) {}, true},
		{"the program", func(folder string, _ *Check) { write(folder, "P.java", "class P { }") }, false},
		{"the page", func(folder string, _ *Check) { write(folder, "out/tables.html", "other") }, false},
		{"a file that the program read beside its classes", func(folder string, _ *Check) { write(folder, "most", "2") }, false},
		{"the command line", func(_ string, c *Check) { c.Line += " --search dfs" }, false},
		{"harrier", func(_ string, c *Check) { c.Identity = "another" }, false},
	} {
		folder := t.TempDir()
		check, summary := begin(folder)
		if check.Find(folder) != nil {
			t.Fatal("a verdict is there before it is kept")
		}
		check.Keep(must.Get(json.Marshal(summary)))
		again, _ := begin(folder)
		c.change(folder, again)
		if s := again.Find(folder); (s != nil) != c.found || s != nil && (!s.VerdictKept || s.Verdict != report.Verified) {
			t.Errorf("%s changed: %+v", c.what, s)
		}
	}
}

// TestVerdictsThatAreNotKept changes a program while it is checked, and names a file that is no result.
func TestVerdictsThatAreNotKept(t *testing.T) {
	for what, change := range map[string]func(folder string, s *report.Summary){
		"the program changed meanwhile": func(folder string, _ *report.Summary) { write(folder, "P.java", "class P { }") },
		"its page is no result":         func(folder string, s *report.Summary) { s.Tables = filepath.Join(folder, "P.java") },
		"its page is not there":         func(_ string, s *report.Summary) { s.Tables += ".gone" },
	} {
		folder := t.TempDir()
		check, summary := begin(folder)
		check.Find(folder)
		change(folder, summary)
		check.Keep(must.Get(json.Marshal(summary)))
		if kept := must.Get(filepath.Glob(filepath.Join(folder, "*.json"))); kept != nil {
			t.Errorf("%s: %q", what, kept)
		}
	}
}

// begin makes a program, with a check of it and what that comes to.
func begin(folder string) (*Check, *report.Summary) {
	write(folder, "P.java", "class P")
	write(folder, "most", "1")
	write(folder, "out/tables.html", "tables")
	check := &Check{
		Disk: Disk{Identity: "build 1", Program: filepath.Join(folder, "P.java")},
		Line: "harrier check P.java", Results: filepath.Join(folder, "out"),
	}
	summary := &report.Summary{}
	summary.Verdict, summary.Beside, summary.Tables = report.Verified, []string{"most"}, filepath.Join(folder, "out", "tables.html")
	return check, summary
}

func write(folder, name, text string) {
	path := filepath.Join(folder, name)
	must.Do(os.MkdirAll(filepath.Dir(path), 0o700))
	must.Do(os.WriteFile(path, []byte(text), 0o600))
}
