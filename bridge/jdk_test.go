package bridge

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"harrier/internal/testkit/must"
)

// installation makes a folder that looks like a Java installation.
func installation(t *testing.T, release string, files ...string) string {
	t.Helper()
	home := t.TempDir()
	for _, f := range append(files, "release") {
		path := filepath.Join(home, f)
		must.Do(os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(os.WriteFile(path, []byte(release), 0o755))
	}
	return home
}

func TestFindJDK(t *testing.T) {
	libjvm := filepath.Join("lib", "server", libraryName())
	full := installation(t, "JAVA_VERSION=\"21.0.4\"\n", libjvm, "bin/javac", "bin/java")
	bare := installation(t, "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17\"\n", libjvm)
	t.Setenv("JAVA_HOME", full)

	jdk, err := FindJDK("")
	if err != nil || jdk.Version != "21.0.4" || jdk.Source != "JAVA_HOME" || !jdk.Compiler {
		t.Errorf("JAVA_HOME: %+v, %v", jdk, err)
	}
	jdk, err = FindJDK(bare)
	if err != nil || jdk.Version != "17" || jdk.Source != "--java-home" || jdk.Compiler {
		t.Errorf("--java-home: %+v, %v", jdk, err)
	}
	t.Setenv("JAVA_HOME", "")
	t.Setenv("PATH", filepath.Join(full, "bin"))
	if jdk, err = FindJDK(""); err != nil || jdk.Source != "PATH" {
		t.Errorf("PATH: %+v, %v", jdk, err)
	}
	t.Setenv("PATH", "")
	if _, err = FindJDK(""); err == nil || !strings.Contains(err.Error(), "no Java found: install") {
		t.Errorf("nothing: %v", err)
	}
}

func TestFindJDKRefuses(t *testing.T) {
	libjvm := filepath.Join("lib", "server", libraryName())
	for want, home := range map[string]string{
		"is no Java installation that can be used": t.TempDir(),
		"version 11.0.2, which is too old":         installation(t, "JAVA_VERSION=\"11.0.2\"", libjvm),
		"names no JAVA_VERSION":                    installation(t, "nothing", libjvm),
	} {
		if _, err := FindJDK(home); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestEnvironmentHasNoOptionsForJava(t *testing.T) {
	t.Setenv("_JAVA_OPTIONS", "-Xint")
	t.Setenv("JDK_JAVA_OPTIONS", "")
	t.Setenv("HARRIER_TEST", "kept")
	environment, ignored := Environment()
	if !slices.Equal(ignored, []string{"_JAVA_OPTIONS"}) || !slices.Contains(environment, "HARRIER_TEST=kept") {
		t.Errorf("ignored %q, left %q", ignored, environment)
	}
	for _, v := range environment {
		if strings.HasPrefix(v, "_JAVA_OPTIONS=") || strings.HasPrefix(v, "JDK_JAVA_OPTIONS=") {
			t.Errorf("%s is left", v)
		}
	}
}
