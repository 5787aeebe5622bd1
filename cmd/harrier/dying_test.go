package main

import (
	"os"
	"os/exec"
	"strings"
	"syscall"

	"harrier/internal/process/launch"
	"harrier/internal/report"
)

// dyingHarrier is harrier whose child does what the file dying says: exit or kill, without a result, or escape from the sandbox,
// where the exit code is 1 if anything of it succeeds.
func dyingHarrier() {
	how, _ := os.ReadFile("dying") // it is beside the program, and so can be read
	c, err := launch.Attach()
	switch {
	case err != nil:
		panic(err)
	case c == nil:
		main()
	case strings.TrimSpace(string(how)) == "kill":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case strings.TrimSpace(string(how)) == "escape":
		_, read := os.ReadFile("/etc/passwd")
		_, needed := os.ReadFile("P.java")
		code := report.ExitVerified
		_, made := os.Stat("harrier-out")
		if read == nil || needed != nil || made != nil || os.WriteFile("written", nil, 0o644) == nil ||
			os.WriteFile("harrier-out/written", nil, 0o644) == nil || exec.Command("true").Run() == nil {
			code = report.ExitViolated
		}
		c.Link.Exit(code)
		os.Exit(code)
	}
	os.Exit(0)
}
