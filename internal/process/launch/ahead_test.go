package launch

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"harrier/internal/testkit/must"
)

// TestWhatAChildCannotRead changes a program while a child that was started ahead waits to read it.
func TestWhatAChildCannotRead(t *testing.T) {
	for what, c := range map[string]struct {
		change func(folder string)
		can    bool
	}{
		"nothing":        {func(string) {}, true},
		"its text":       {func(folder string) { must.Do(os.WriteFile(folder+"/a/app/P.java", []byte("class P { }"), 0o600)) }, true},
		"the class path": {func(folder string) { must.Do(os.WriteFile(folder+"/lib/A.class", []byte("other"), 0o600)) }, false},
		"the folder around it": {func(folder string) {
			must.Do(os.Rename(folder+"/a", folder+"/old"))
			must.Do(os.Rename(folder+"/b", folder+"/a"))
		}, false},
	} {
		folder := must.Get(filepath.EvalSymlinks(t.TempDir()))
		for _, file := range []string{"a/app/P.java", "b/app/P.java", "lib/A.class"} {
			must.Do(os.MkdirAll(filepath.Dir(filepath.Join(folder, file)), 0o700))
			must.Do(os.WriteFile(filepath.Join(folder, file), nil, 0o600))
		}
		program, classPath := filepath.Join(folder, "a", "app"), []string{filepath.Join(folder, "lib")}
		task := must.Get(NewTask(program, classPath, nil))
		n := Next{grants: task.Reach.Grants(), libs: task.Libs}
		if c.change(folder); n.CanRead(program, classPath, nil) != c.can {
			t.Errorf("%s changed: it can read the program: %t", what, !c.can)
		}
	}
}

func TestChangesAreAwaited(t *testing.T) {
	program := filepath.Join(t.TempDir(), "P.java")
	before := Stamp(program, nil)
	must.Do(os.WriteFile(program, nil, 0o600))
	if !AwaitChange(context.Background(), program, nil, before) {
		t.Error("a new file is no change")
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if AwaitChange(ended, program, nil, Stamp(program, nil)) {
		t.Error("a file changed that did not")
	}
}
