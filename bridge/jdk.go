package bridge

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// oldestJava is the oldest version of Java that harrier runs on.
const oldestJava = 17

// JDK is a Java installation.
type JDK struct {
	Home    string
	Version string // such as 17.0.15
	Source  string // where it was named: --java-home, JAVA_HOME or PATH
	LibJVM  string // path of the library to load
	// Compiler reports whether it can compile sources.
	Compiler bool
}

// FindJDK picks the Java installation: the one in home if that is not empty, else that of
// JAVA_HOME, else that of the java command on PATH. The error says why there is none, and how to mend that.
func FindJDK(home string) (*JDK, error) {
	switch {
	case home != "":
		return openJDK(home, "--java-home")
	case os.Getenv("JAVA_HOME") != "":
		return openJDK(os.Getenv("JAVA_HOME"), "JAVA_HOME")
	}
	command, err := exec.LookPath("java")
	if err != nil {
		return nil, fmt.Errorf("no Java found: install a JDK %d or later (apt-get install openjdk-17-jdk), or name one with --java-home", oldestJava)
	}
	if command, err = filepath.EvalSymlinks(command); err != nil {
		return nil, fmt.Errorf("following the java command on PATH: %w", err)
	}
	return openJDK(filepath.Dir(filepath.Dir(command)), "PATH")
}

// optionVariables are taken by Java's virtual machine for further options. They could undo those that are harrier's.
var optionVariables = []string{"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"}

// locale has Java's default encoding be the same everywhere: before Java 18 it is that of the machine's locale, which no cache has in
// its keys.
const locale = "LC_ALL=C.UTF-8"

// Environment is the process's environment for Java: without the variables that change its options, and the names of those, without
// those that admit to a cluster, and with one locale.
func Environment() (environment, ignored []string) {
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "NATS_") {
			continue // they admit to a cluster
		}
		if !slices.Contains(optionVariables, name) {
			environment = append(environment, v)
		} else if value != "" {
			ignored = append(ignored, name)
		}
	}
	return append(environment, locale), ignored
}

var versionLine = regexp.MustCompile(`(?m)^JAVA_VERSION="((\d+)[^"]*)"`)

func openJDK(home, source string) (*JDK, error) {
	jdk := &JDK{Home: home, Source: source, LibJVM: filepath.Join(home, "lib", "server", libraryName())}
	if _, err := os.Stat(jdk.LibJVM); err != nil {
		return nil, fmt.Errorf("%s (from %s) is no Java installation that can be used: it has no lib/server/%s; name another with --java-home",
			home, source, libraryName())
	}
	release, err := os.ReadFile(filepath.Join(home, "release"))
	if err != nil {
		return nil, fmt.Errorf("finding the version of the Java installation in %s: %w", home, err)
	}
	match := versionLine.FindSubmatch(release)
	if match == nil {
		return nil, fmt.Errorf("the file %s names no JAVA_VERSION", filepath.Join(home, "release"))
	}
	jdk.Version = string(match[1])
	if major, _ := strconv.Atoi(string(match[2])); major < oldestJava {
		return nil, fmt.Errorf("the Java installation in %s (from %s) is version %s, which is too old: harrier needs %d or later; name one with --java-home",
			home, source, jdk.Version, oldestJava)
	}
	_, err = os.Stat(filepath.Join(home, "bin", "javac"))
	jdk.Compiler = err == nil
	return jdk, nil
}

// Identity identifies the installation: its version, vendor and build, and how large its parts are.
func (j *JDK) Identity() (string, error) {
	release, err := os.ReadFile(filepath.Join(j.Home, "release"))
	identity := string(release)
	for _, part := range []string{j.LibJVM, filepath.Join(j.Home, "lib", "modules")} {
		if info, e := os.Stat(part); e == nil {
			identity += fmt.Sprintf("%d\n", info.Size())
		}
	}
	return identity, err
}

// Folders are where the installation's files are: its own folder, and those that links in it lead to, as where its
// configuration is below /etc.
func (j *JDK) Folders() []string {
	folders := []string{j.Home}
	for _, part := range []string{"conf", "lib"} {
		_ = filepath.WalkDir(filepath.Join(j.Home, part), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.Type()&fs.ModeSymlink == 0 {
				return nil
			}
			if target, err := filepath.EvalSymlinks(path); err == nil && !slices.Contains(folders, filepath.Dir(target)) {
				folders = append(folders, filepath.Dir(target))
			}
			return nil
		})
	}
	return folders
}

// libraryName is the name of libjvm. Only Linux is tested.
func libraryName() string {
	if runtime.GOOS == "darwin" {
		return "libjvm.dylib"
	}
	return "libjvm.so"
}
