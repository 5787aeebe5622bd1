package main

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"harrier/internal/checkpoint"
	"harrier/internal/cluster"
	"harrier/internal/report"
)

// keeping is where a check writes a checkpoint, or goes on from one. The command is read and written by the supervisor, which hands it to
// the process that runs Java: what is run, and what confines it, nothing decides that the program can write.
type keeping struct {
	checkpoint, resume string
	every              time.Duration
	command            checkpoint.Command // that began the search
}

// perRun are the flags that may differ when a search goes on: they change no state and no figure. Those in limits may differ as well, and
// are not taken over, since one of them may have ended the search.
var (
	perRun = []string{"workers", "json", "html", "out", "strict", "every", "cache", "java-home", "java-heap", "step-timeout", "sandbox", "cluster", "answers", "metrics"}
	limits = []string{"timeout", "max-memory", "max-states"}
)

func (k *keeping) register(c *cobra.Command) {
	c.Flags().StringVar(&k.checkpoint, "checkpoint", "", "write what a killed search goes on from into this `folder`")
	c.Flags().DurationVar(&k.every, "every", 0, "write a checkpoint at most so often, such as 10m; 0 after each level")
	c.Flags().StringVar(&k.resume, "resume", "", "go on with the search whose checkpoint is in this `folder`")
}

// folder is the absolute path of the checkpoint; "" if there is none.
func (k *keeping) folder() (string, error) {
	given := cmp.Or(k.checkpoint, k.resume)
	if given == "" {
		return "", nil
	}
	path, err := filepath.Abs(given)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	return path, err
}

// goOn is the command line that goes on with the search.
func (k *checking) goOn() string {
	line := []string{os.Args[0], "check", "--resume", cmp.Or(k.checkpoint, k.resume)}
	if k.Share > 0 {
		line = append(line, "--cluster", cluster.Hidden(k.cluster))
	}
	return report.CommandLine(line...)
}

// begin returns the program of a check, and with --resume takes over the flags.
func (k *keeping) begin(c *cobra.Command, args []string) (program string, err error) {
	if k.resume == "" {
		return args[0], nil
	}
	if k.checkpoint != "" {
		return "", errors.New("--resume writes to its own checkpoint: leave out --checkpoint")
	}
	if child := childOf(c.Context()); child != nil {
		k.command = child.setup.Command
	} else if k.command, err = checkpoint.Read(k.resume, version()); err != nil {
		return "", fmt.Errorf("--resume: %w", err)
	}
	return k.command.Program, takeOver(c, k.command.Flags)
}

// takeOver sets the flags of the command that began a search, and refuses others.
func takeOver(c *cobra.Command, flags []checkpoint.Flag) (err error) {
	isFixed := func(name string) bool {
		return name != "resume" && !slices.Contains(perRun, name) && !slices.Contains(limits, name)
	}
	before := func(name string) []string {
		i := slices.IndexFunc(flags, func(f checkpoint.Flag) bool { return f.Name == name })
		if i < 0 {
			return nil
		}
		return flags[i].Values
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		if was := before(f.Name); isFixed(f.Name) && !slices.Equal(was, valuesOf(f)) {
			began := "without it"
			if was != nil {
				began = fmt.Sprintf("with --%s %s", f.Name, strings.Join(was, " "))
			}
			err = fmt.Errorf("--%s %s: the search began %s, and goes on as it began: leave it out",
				f.Name, strings.Join(valuesOf(f), " "), began)
		}
	})
	for _, f := range flags {
		if err != nil || c.Flags().Changed(f.Name) {
			continue
		}
		for _, v := range f.Values {
			err = errors.Join(err, c.Flags().Set(f.Name, v))
		}
	}
	return err
}

// settle makes the folder of a new checkpoint, or holds the search that goes on to the libraries that it began with, given by a hash:
// they can write to the folder, so what others left there must not count. isShared is whether workers explore states.
func (k *keeping) settle(c *cobra.Command, program, libs string, isShared bool) error {
	if k.resume != "" && libs != k.command.Libs {
		return usageError{fmt.Errorf("--resume: the search of %s cannot go on: what is on the class path changed; --checkpoint with a new folder begins anew", k.resume)}
	}
	if k.checkpoint == "" {
		return nil
	}
	k.command = checkpoint.Command{Version: version(), Program: program, Flags: []checkpoint.Flag{}, Libs: libs, Key: rand.Text()}
	if isShared {
		k.command.Kept = rand.Text()
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "checkpoint" && f.Name != "cluster" && !slices.Contains(limits, f.Name) {
			k.command.Flags = append(k.command.Flags, checkpoint.Flag{Name: f.Name, Values: valuesOf(f)})
		}
	})
	if err := checkpoint.Create(k.checkpoint, k.command); err != nil {
		return usageError{fmt.Errorf("--checkpoint: %w", err)}
	}
	return nil
}

// version is that of harrier, with the commit that it was built from, if that is known.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return Version + " " + s.Value[:min(len(s.Value), 12)]
			}
		}
	}
	return Version
}
