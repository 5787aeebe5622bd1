package main

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
)

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
}

// colours says whether to colour what goes to w. See no-color.org.
func colours(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == ""
}
