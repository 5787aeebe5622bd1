package main

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"golang.org/x/sys/unix"
)

// output is standard output, and keeps the first error: nobody can believe half of a result.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.Writer.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

func isTerminal(w io.Writer) bool {
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	f, ok := w.(interface{ Fd() uintptr })
	return ok && isatty.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
}

// width gives the width of the terminal behind w whenever it is called; it is nil without a terminal.
func width(w io.Writer) func() int {
	if !isTerminal(w) {
		return nil
	}
	return func() int { return columns(w) }
}

// columns is the width of the terminal behind w, 80 if that is not known.
func columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ); err == nil && size.Col > 0 {
			return int(size.Col)
		}
	}
	return 80
}

// colours reports whether to colour output to w. See no-color.org.
func colours(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == ""
}
