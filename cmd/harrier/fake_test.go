package main

import (
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"harrier/internal/report"
	"harrier/internal/testkit/must"
)

// fakeHarrier is harrier with a check command that does what the file answers says. Each line is
//
//	PART OF THE COMMAND LINE | EXIT CODE | FILE FOR STANDARD OUTPUT | ERROR
//
// and the first that fits counts. Instead of a code, waits answers only when it is terminated, hang never, both say so in the file
// hanging, and real is harrier's own check.
func fakeHarrier() {
	if len(os.Args) < 2 || os.Args[1] != "check" {
		main()
		return
	}
	answers := must.Get(os.ReadFile("answers"))
	for line := range strings.Lines(string(answers)) {
		field := strings.Split(line, "|")
		for i := range field {
			field[i] = strings.TrimSpace(field[i])
		}
		if strings.Contains(strings.Join(os.Args, " "), field[0]) {
			if field[1] == "real" {
				main()
				return
			}
			os.Exit(fakeAnswer(field[1], field[2], field[3]))
		}
	}
	panic("no answer to " + strings.Join(os.Args, " "))
}

func fakeAnswer(code, stdout, text string) int {
	terminated := make(chan os.Signal, 1)
	if code == "waits" {
		signal.Notify(terminated, syscall.SIGTERM)
	}
	if code == "waits" || code == "hang" {
		// Renamed, so that nobody sees half of it.
		os.WriteFile("hanging.tmp", []byte(strconv.Itoa(os.Getpid())), 0o644)
		os.Rename("hanging.tmp", "hanging")
		<-terminated
		code = strconv.Itoa(report.ExitSignal + int(syscall.SIGTERM))
	}
	if stdout != "" {
		content := must.Get(os.ReadFile(stdout))
		os.Stdout.Write(content)
	}
	n := must.Get(strconv.Atoi(code))
	if text != "" {
		kinds := map[int]report.ErrorKind{2: report.UsageKind, 3: report.LimitKind, 4: report.RuleKind, 5: report.InternalKind}
		report.WriteJSON(os.Stdout, report.NewErrorDocument(report.Error{Kind: kinds[n], Text: text}))
	}
	return n
}
