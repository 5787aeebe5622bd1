package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"harrier/bridge"
	"harrier/internal/process/sandbox"
	"harrier/internal/testkit/must"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"harrier": main, "harrier-fake": fakeHarrier, "harrier-dying": dyingHarrier, "harrier-session": answerSession})
}

var long = flag.Bool("long", false, "run the scripts of testdata/long: checks of published libraries, and those that start many processes")

// TestScripts runs the command line as a user would: every file in testdata/script is a session.
func TestScripts(t *testing.T) {
	folder := "testdata/script"
	if *long {
		folder = "testdata/long"
	}
	t.Cleanup(endSessions) // when all have ended
	t.Cleanup(endCompiler)
	root := must.Get(filepath.Abs("../.."))
	testscript.Run(t, testscript.Params{
		Dir: folder,
		Setup: func(e *testscript.Env) error {
			e.Setenv("EXAMPLES", filepath.Join(root, "examples"))
			e.Setenv("LOGGERS", filepath.Join(root, "cmd", "harrier", "testdata", "loggers"))
			e.Setenv("API", filepath.Join(root, "bridge", "jar", "harrier-api.jar"))
			e.Setenv("PATH", os.Getenv("PATH"))
			// The unpacked jars are shared between the sessions.
			cache, err := os.UserCacheDir()
			e.Setenv("XDG_CACHE_HOME", cache)
			return err
		},
		Condition: func(condition string) (bool, error) {
			switch condition {
			case "sandbox":
				return sandbox.Find().Missing() == "", nil
			case "virtual": // the JDK has virtual threads
				jdk, err := bridge.FindJDK("")
				if err != nil {
					return false, err
				}
				feature, _, _ := strings.Cut(jdk.Version, ".")
				n, err := strconv.Atoi(feature)
				return n >= 21, err
			}
			return false, fmt.Errorf("there is no condition %q", condition)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"await":       await,
			"exits":       exits,
			"gone":        gone,
			"interruptAt": interruptAt,
			"jar":         jar,
			"javac":       javac,
			"jdb":         jdb,
			"join":        join,
			"json":        jsonKeys,
			"port":        port,
			"post":        post,
			"servers":     servers,
			"session":     begin,
			"page":        page,
		},
	})
}
