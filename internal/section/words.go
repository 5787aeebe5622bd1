package section

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// Count writes a number for people: 12,345.
func Count(n uint64) string { return humanize.Comma(int64(n)) }

// Plural writes a number of things: 1 state, 2 states.
func Plural(n uint64, word string) string {
	return Count(n) + " " + english.PluralWord(int(n), word, "")
}

// Seconds writes a time: 0.21 s, 1m30s.
func Seconds(s float64) string {
	if s < 60 {
		return fmt.Sprintf("%.2f s", s)
	}
	return time.Duration(s * float64(time.Second)).Round(time.Second).String()
}

// Rate writes how many there were in a second.
func Rate(n uint64, seconds float64) string {
	if seconds <= 0 {
		return "too fast to measure"
	}
	perSecond := float64(n) / seconds
	if perSecond >= 1e6 {
		return fmt.Sprintf("%.1f million a second", perSecond/1e6)
	}
	return humanize.Comma(int64(perSecond)) + " a second"
}

// Few names the first of many.
func Few(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + ", …"
}
