package bridge

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"harrier/internal/process/sandbox"
	"harrier/internal/testkit/must"
)

// attack is what a process in the sandbox does: it runs testdata/Attacks.java on a folder.
func attack(classes, folder string) error {
	if err := errors.Join(sandbox.Entered(), sandbox.Filter(false)); err != nil {
		return err
	}
	jdk, err := FindJDK("")
	if err != nil {
		return err
	}
	home := Home{API: classes, Runtime: classes}
	machine, err := createVM(jdk.LibJVM, append(options(&home), "-Xrs", "-agentlib:harrier", "-Djava.awt.headless=true"), 0, "Attacks")
	if err != nil {
		return err
	}
	done, err := machine.call(&worker{}, 0, []byte(folder))
	fmt.Println(string(done))
	return err
}

// TestJavaDoesNotGetOut has Java try forbidden accesses, in the sandbox and without the rules for programs: it must hold
// by itself.
func TestJavaDoesNotGetOut(t *testing.T) {
	support := sandbox.Find()
	if support.Missing() != "" {
		t.Skipf("this kernel has %v", support)
	}
	jdk := must.Get(FindJDK(""))
	classes, folder := t.TempDir(), t.TempDir()
	compiler := exec.Command(filepath.Join(jdk.Home, "bin", "javac"), "-d", classes, "testdata/Attacks.java", "testdata/VirtualMachine.java")
	if out, err := compiler.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	secret := filepath.Join(folder, "secret")
	must.Do(os.WriteFile(secret, []byte("<secret/>"), 0o600))
	ruleset := must.Get(sandbox.Policy{Read: append(jdk.Folders(), classes)}.Ruleset(support))
	defer ruleset.Close()
	c := exec.Command(os.Args[0], "attack", classes, folder)
	c.Env = append(os.Environ(), sandbox.RulesetVariable+"=3")
	c.ExtraFiles = []*os.File{ruleset}
	out, err := c.Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n") // messages of denials go to standard error
	if err != nil || len(lines) > 1 || lines[0] != "44" {
		t.Errorf("what was done, and how much was tried: %v\n%s", err, out)
	}
	content, err := os.ReadFile(secret)
	if info, e := os.Stat(secret); e != nil || err != nil || string(content) != "<secret/>" || info.Mode() != 0o600 {
		t.Errorf("the secret has %q, %v, %v", content, info.Mode(), err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("the folder has %v", entries)
	}
}
