package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"

	"github.com/spf13/cobra"

	"harrier/internal/files"
	"harrier/internal/supervisor"
)

// The profiles of harrier itself that there are, in the format of go tool pprof.
const (
	cpuProfile = iota
	memoryProfile
)

// profileFlagNames are left out of command lines that repeat a check: they would write over the profiles.
var profileFlagNames = []string{"cpuprofile", "memprofile"}

// profileFlags are the paths that the profiles are written to, "" where none is asked for.
type profileFlags [2]string

func (f *profileFlags) register(c *cobra.Command) {
	for i, what := range []string{"harrier's processor time", "what harrier allocated"} {
		c.Flags().StringVar(&f[i], profileFlagNames[i], "", "write a profile of "+what+" to a `file`, for go tool pprof")
	}
}

// profiles are the files of profiles while they are written, nil where none is asked for.
type profiles [2]*files.Whole

// create begins the files, so that one that cannot be written is reported before the work and not after it. The process that
// is profiled cannot make files: it gets these, and writes them.
func (f *profileFlags) create() (*profiles, error) {
	var p profiles
	for i, path := range f {
		if path == "" {
			continue
		}
		var err error
		if p[i], err = files.Create(path); err != nil {
			p.discard()
			return nil, fmt.Errorf("--%s: %w", profileFlagNames[i], err)
		}
	}
	return &p, nil
}

// add hands the files to a child and returns its descriptors of them, 0 for none.
func (p *profiles) add(c *supervisor.Child) (descriptors [2]uintptr) {
	for i, file := range p {
		if file != nil {
			descriptors[i] = uintptr(supervisor.FirstFile + len(c.Files))
			c.Files = append(c.Files, file.File)
		}
	}
	return descriptors
}

// keep gives the files their names.
func (p *profiles) keep() error {
	var failed error
	for i, file := range p {
		if file == nil {
			continue
		}
		if err := file.Keep(); err != nil {
			failed = errors.Join(failed, fmt.Errorf("--%s: %w", profileFlagNames[i], err))
		}
		p[i] = nil
	}
	return failed
}

// discard gives up the files that were not kept.
func (p *profiles) discard() {
	for _, file := range p {
		if file != nil {
			file.Discard()
		}
	}
}

// profile begins the profiles of this process in the files that its supervisor opened. finish writes them, whatever
// became of the work.
func profile(descriptors [2]uintptr) (finish func() error, err error) {
	if d := descriptors[cpuProfile]; d != 0 {
		if err := pprof.StartCPUProfile(os.NewFile(d, "cpuprofile")); err != nil {
			return nil, err
		}
	}
	return func() error {
		pprof.StopCPUProfile()
		d := descriptors[memoryProfile]
		if d == 0 {
			return nil
		}
		runtime.GC() // the profile is as of the last collection
		return pprof.Lookup("allocs").WriteTo(os.NewFile(d, "memprofile"), 0)
	}, nil
}
