package main

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/pprof"

	"github.com/spf13/cobra"

	"harrier/internal/files"
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

// start begins the profiles. The files are begun too, so that one that cannot be written is told before
// the work and not after it. finish writes them, whatever became of the work.
func (f *profileFlags) start() (finish func() error, err error) {
	cpu, err := createProfile("--cpuprofile", f.cpu)
	if err != nil {
		return nil, err
	}
	memory, err := createProfile("--memprofile", f.memory)
	if err == nil && cpu != nil {
		err = pprof.StartCPUProfile(cpu)
	}
	if err != nil {
		discard(cpu, memory)
		return nil, err
	}
	return func() error { return errors.Join(finishCPU(cpu), finishMemory(memory)) }, nil
}

func finishCPU(file *files.Whole) error {
	if file == nil {
		return nil
	}
	pprof.StopCPUProfile()
	return keepProfile("--cpuprofile", file, nil)
}

func finishMemory(file *files.Whole) error {
	if file == nil {
		return nil
	}
	runtime.GC() // the profile is as of the last collection
	return keepProfile("--memprofile", file, pprof.Lookup("allocs").WriteTo(file, 0))
}

// createProfile begins the file of a flag, if the flag is set.
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

func keepProfile(flag string, file *files.Whole, err error) error {
	if err != nil {
		file.Discard()
	} else {
		err = file.Keep()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}

func discard(all ...*files.Whole) {
	for _, file := range all {
		if file != nil {
			file.Discard()
		}
	}
}
