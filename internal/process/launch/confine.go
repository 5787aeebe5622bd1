package launch

import (
	"fmt"
	"os"
	"slices"

	"harrier/internal/process/sandbox"
	"harrier/internal/process/supervisor"
)

// confine has a process be started in a sandbox, by the value of --sandbox, and notes in its setup what that does not keep from it.
func confine(mode string, s *Setup, p *supervisor.Child, reach sandbox.Policy) error {
	ruleset, err := makeRuleset(mode, s, reach)
	if ruleset != nil {
		// Environment may belong to another process, too.
		p.Environment = append(slices.Clip(p.Environment), fmt.Sprintf("%s=%d", sandbox.RulesetVariable, supervisor.FirstFile+len(p.Files)))
		p.Files = append(p.Files, ruleset)
	}
	p.Setup = *s
	return err
}

// makeRuleset makes the ruleset of the sandbox, nil without one.
func makeRuleset(mode string, s *Setup, reach sandbox.Policy) (*os.File, error) {
	support := sandbox.Find()
	missing := support.Missing()
	switch {
	case mode == "off":
		s.Remark = "the program runs without a sandbox (--sandbox off): it may do whatever its user may"
		return nil, nil
	case missing != "" && mode == "on":
		return nil, usage(fmt.Errorf("--sandbox on: on this machine programs can %s", missing))
	case missing != "":
		s.Remark = "the sandbox has gaps on this machine: the program can " + missing
	}
	s.Filter = support.Seccomp
	if support.Landlock == 0 {
		return nil, nil
	}
	p := reach
	p.Read = append(slices.Clip(p.Read), s.Home.API, s.Home.Runtime, s.Home.Archive, s.Home.Rewritten, s.Home.Classes)
	p.Read = append(p.Read, s.JDK.Folders()...)
	p.Write = slices.Clip(p.Write)
	// Where Go writes what tests cover is for tests of harrier.
	for _, folder := range []string{s.Crashes, os.Getenv("GOCOVERDIR")} {
		if folder != "" {
			p.Write = append(p.Write, folder)
		}
	}
	return p.Ruleset(support)
}
