package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"harrier/internal/testkit/must"
)

// compiler is the process that compiles for all scripts, one at a time: see testdata/Javac.java. It starts when it is first asked.
var compiler struct {
	sync.Mutex
	process *exec.Cmd
	in      io.WriteCloser
	answers *bufio.Reader
}

// javac does what the command does, with arguments that name files of the script's folder: javac ARGUMENT... .
func javac(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: javac ARGUMENT...")
	}
	compiler.Lock()
	defer compiler.Unlock()
	if compiler.process == nil {
		startCompiler()
	}
	_, err := io.WriteString(compiler.in, strings.Join(absolute(ts, args), "\t")+"\n")
	ts.Check(err)
	answer, err := compiler.answers.ReadString(0)
	ts.Check(err)
	if code, said, _ := strings.Cut(strings.TrimSuffix(answer, "\x00"), "\n"); code != "0" {
		ts.Fatalf("javac: exit code %s\n%s", code, said)
	}
}

// absolute gives the names of files among the arguments of javac, and those of paths, from the root on.
func absolute(ts *testscript.TestScript, args []string) []string {
	var all []string
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") && !strings.Contains(arg, "=") {
			names := filepath.SplitList(arg)
			for i, name := range names {
				names[i] = ts.MkAbs(name)
			}
			arg = strings.Join(names, string(filepath.ListSeparator))
		}
		all = append(all, arg)
	}
	return all
}

func startCompiler() {
	// It compiles little, for which optimizing takes longer than it saves.
	c := exec.Command("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", filepath.Join("testdata", "Javac.java"))
	c.Stderr = os.Stderr
	compiler.in = must.Get(c.StdinPipe())
	compiler.answers = bufio.NewReader(must.Get(c.StdoutPipe()))
	must.Do(c.Start())
	compiler.process = c
}

// endCompiler ends it if it was started.
func endCompiler() {
	if compiler.process != nil {
		compiler.in.Close()
		compiler.process.Wait()
	}
}
