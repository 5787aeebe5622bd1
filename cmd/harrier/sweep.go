package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"harrier/internal/compare"
	"harrier/internal/plan"
	"harrier/internal/process/launch"
	"harrier/internal/report"
	"harrier/internal/search"
)

// sweep checks with each of several settings of the program's parameters, and prints the result of each, and of all.
func (k *checking) sweep(c *cobra.Command, settings []plan.Set) error {
	if k.onChange {
		return usageError{errors.New("--on-change checks one setting: give each parameter one value (--set)")}
	}
	if k.cluster == search.OwnCluster {
		return usageError{errors.New("--cluster starts a server for one check, and --set asks for several: name servers, --cluster nats://…")}
	}
	k.set = settings[0]
	if err := k.parse(c); err != nil {
		return usageError{err}
	}
	executable, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding harrier's own file: %w", err)
	}
	w, begin := c.ErrOrStderr(), time.Now()
	s := compare.Sweep{
		Executable: executable, Name: os.Args[0], Settings: settings, Timeout: k.Timeout,
		Arguments: append([]string{"check", k.program, "--in-sweep"}, setFlags(c, "set", "timeout", "json")...),
		Ended:     func(checked compare.Checked) error { return k.printChecked(c, checked) },
	}
	s.Starting = func(number int) func() {
		return report.StartLine(w, width(w), func(elapsed time.Duration) string {
			line := fmt.Sprintf("%s  check %d of %d: %s", elapsed.Round(time.Second), number+1, len(s.Settings), strings.Join(s.Settings[number], " "))
			return line + leftText(k.Timeout, time.Since(begin))
		}).Stop
	}
	checks, err := s.Run(c.Context())
	var refused *compare.RefusedError
	if errors.As(err, &refused) {
		return &launch.Failure{Document: refused.Why, Code: report.ExitUsage}
	}
	if err != nil && c.Context().Err() == nil {
		return err
	}
	write := compare.WriteChecks
	if k.json {
		write = compare.WriteChecksJSON
	}
	if e := write(c.OutOrStdout(), checks, s.Settings); e != nil {
		return e
	}
	if code, _ := compare.Worst(checks, len(s.Settings)); err == nil && code != report.ExitVerified {
		return reportedError{code}
	}
	return err
}

// leftText says how much is left of the time of all checks, after some of it; nothing if there is no limit.
func leftText(timeout, passed time.Duration) string {
	if timeout == 0 {
		return ""
	}
	return fmt.Sprintf("  %s of %s left for all", max(0, timeout-passed).Round(time.Second), timeout)
}

// printChecked prints a line on a check of a sweep, and all of one that found a violation or broke down.
func (k *checking) printChecked(c *cobra.Command, checked compare.Checked) error {
	if e := checked.Error; e != nil {
		complain(c.ErrOrStderr(), checked.Setting+": "+e.String(), e.Detail)
	}
	if k.json {
		return nil
	}
	w := c.OutOrStdout()
	text := bytes.NewBufferString(checked.Line() + "\n")
	if s := checked.Summary; s != nil && s.Verdict == report.Violated {
		fmt.Fprintln(text)
		s.Text(text, report.NewPainter(colours(w)))
		fmt.Fprintln(text)
	}
	_, err := text.WriteTo(w)
	return err
}
