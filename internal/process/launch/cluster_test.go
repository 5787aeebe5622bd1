package launch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"harrier/internal/testkit/must"
)

// TestShipped lists the files that workers get of a program that has other files, and links that lead to them, beside it.
func TestShipped(t *testing.T) {
	home := must.Get(filepath.EvalSymlinks(t.TempDir()))
	t.Chdir(home)
	for path, text := range map[string]string{
		"in/home/app/Main.java":   "import util.*; import far.Secret; class Main { }",
		"in/home/app/Beside.java": "class Beside { }",
		"in/home/util/U.java":     "package util;",
		"in/home/app/key.pem":     "key", "in/home/passwords.txt": "password", "in/home/unused/Other.java": "package unused;",
		"outside/Secret.java": "package far;", "outside/other/Else.java": "class Other { }", "outside/key.txt": "key",
		"classes/p/A.class": "class", "classes/p/application.properties": "password", "classes/b.jar": "jar", "lib/a.jar": "jar",
	} {
		must.Do(os.MkdirAll(filepath.Dir(path), 0o700))
		must.Do(os.WriteFile(path, []byte(text), 0o600))
	}
	for link, target := range map[string]string{
		"in/home/far": "../../outside", "in/home/app/Key.java": "../../../outside/key.txt", "in/home/app/Other.java": "../../../outside/other/Else.java",
	} {
		must.Do(os.Symlink(target, link))
	}
	for program, want := range map[string][]string{
		"in/home/app/Main.java": {"in/home/app/Beside.java", "in/home/app/Main.java", "in/home/util/U.java"},
		"in/home/app":           {"in/home/app/Beside.java", "in/home/app/Main.java", "in/home/app/Other.java", "in/home/util/U.java"}, // the sandbox admits Other.java
		"in/home":               {"in/home/app/Beside.java", "in/home/app/Main.java", "in/home/app/Other.java", "in/home/unused/Other.java", "in/home/util/U.java"},
	} {
		for i, path := range want {
			want[i] = filepath.Join(home, path)
		}
		task := must.Get(NewTask(program, []string{"classes", "lib/*"}, nil))
		lists := must.Get(task.shipped())
		libs := [][]string{{filepath.Join(home, "classes/p/A.class")}, {filepath.Join(home, "lib/a.jar")}}
		if !slices.Equal(lists[0], want) || !slices.EqualFunc(lists[1:], libs, slices.Equal) {
			t.Errorf("%s: %q, want %q and %q", program, lists, want, libs)
		}
	}
}
