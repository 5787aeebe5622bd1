// Package frame is what the commands in bench share: signals, flags, exit codes, tables in documents.
package frame

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"harrier/internal/process/files"
)

// Exit codes of the commands.
const (
	OK          = 0
	Different   = 1 // results are not those that they should be
	Usage       = 2
	Impossible  = 3 // what could not be run
	interrupted = 130
)

// Main runs a command and ends the process with its exit code, which is that of an interruption if run fails after one.
// run may return flag.ErrHelp.
func Main(name string, run func(ctx context.Context, arguments []string, stdout, stderr io.Writer) (int, error)) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	code, err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if ctx.Err() != nil && err != nil {
		code = interrupted
	}
	stop()
	if errors.Is(err, flag.ErrHelp) {
		code, err = OK, nil
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	}
	os.Exit(code)
}

// Flags makes the set of flags of a command.
func Flags(name string, stderr io.Writer) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(stderr)
	return f
}

// Parse reads the flags of a command that takes nothing else.
func Parse(f *flag.FlagSet, arguments []string) error {
	if err := f.Parse(arguments); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("there are no arguments, only flags: %q", f.Args())
	}
	return nil
}

// Replace puts text into a file in place of what is there between the marks of a name, which are comments in Markdown:
//
//	<!-- NAME: begin -->
//	<!-- NAME: end -->
func Replace(path, name string, text []byte) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	begin, end := fmt.Appendf(nil, "<!-- %s: begin -->\n", name), fmt.Appendf(nil, "<!-- %s: end -->", name)
	before, rest, found := bytes.Cut(content, begin)
	_, after, closed := bytes.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s has no place for the table: put %s before it and %s behind it, each on a line", path,
			bytes.TrimSpace(begin), end)
	}
	return files.WriteWhole(path, bytes.Join([][]byte{before, begin, text, end, after}, nil))
}
