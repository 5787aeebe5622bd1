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

// profileFlags are the flags that make profiles of harrier itself, in the format of go tool pprof.
type profileFlags struct {
	cpu, memory string
}

// profileFlagNames are left out of command lines that repeat a check: they would write over the profiles.
var profileFlagNames = []string{"cpuprofile", "memprofile"}

func (f *profileFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.cpu, "cpuprofile", "", "write a profile of harrier's processor time to a `file`, for go tool pprof")
	c.Flags().StringVar(&f.memory, "memprofile", "", "write a profile of what harrier allocated to a `file`, for go tool pprof")
}

// profiles are the files of profiles while they are written, nil where none is asked for.
type profiles struct{ cpu, memory *files.Whole }

// create begins the files, so that one that cannot be written is told before the work and not after it. The process that
// is profiled cannot make files: it gets these, and writes them.
func (f *profileFlags) create() (*profiles, error) {
	cpu, err := createProfile("--cpuprofile", f.cpu)
	if err != nil {
		return nil, err
	}
	memory, err := createProfile("--memprofile", f.memory)
	p := &profiles{cpu, memory}
	if err != nil {
		p.discard()
		return nil, err
	}
	return p, nil
}

func createProfile(flag, path string) (*files.Whole, error) {
	if path == "" {
		return nil, nil
	}
	file, err := files.Create(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return file, nil
}

// add hands the files to a child and returns its descriptors of them, 0 for none.
func (p *profiles) add(c *supervisor.Child) (cpu, memory uintptr) {
	hand := func(file *files.Whole) uintptr {
		if file == nil {
			return 0
		}
		c.Files = append(c.Files, file.File)
		return uintptr(supervisor.FirstFile + len(c.Files) - 1)
	}
	return hand(p.cpu), hand(p.memory)
}

// keep gives the files their names.
func (p *profiles) keep() error {
	var failed error
	for flag, file := range map[string]*files.Whole{"--cpuprofile": p.cpu, "--memprofile": p.memory} {
		if file == nil {
			continue
		}
		if err := file.Keep(); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", flag, err))
		}
	}
	p.cpu, p.memory = nil, nil
	return failed
}

// discard gives up the files that were not kept.
func (p *profiles) discard() {
	for _, file := range []*files.Whole{p.cpu, p.memory} {
		if file != nil {
			file.Discard()
		}
	}
}

// profile begins the profiles of this process in the files that its supervisor opened. finish writes them, whatever
// became of the work.
func profile(s setup) (finish func() error, err error) {
	if s.CPUProfile != 0 {
		if err := pprof.StartCPUProfile(os.NewFile(s.CPUProfile, "cpuprofile")); err != nil {
			return nil, err
		}
	}
	return func() error {
		pprof.StopCPUProfile()
		if s.MemoryProfile == 0 {
			return nil
		}
		runtime.GC() // the profile is as of the last collection
		return pprof.Lookup("allocs").WriteTo(os.NewFile(s.MemoryProfile, "memprofile"), 0)
	}, nil
}
