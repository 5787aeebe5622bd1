package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"harrier/internal/live"
	"harrier/internal/plan"
	"harrier/internal/process/launch"
	"harrier/internal/report"
)

// running is one run of the run command.
type running struct {
	jvmFlags
	programFlags
	actors   []string
	peers    []string
	control  string
	drop     string
	seed     uint64
	delay    time.Duration
	duration time.Duration
}

func runCommand() *cobra.Command {
	r := &running{}
	c := &cobra.Command{
		Use:   "run PROGRAM",
		Short: "Run a program's actors for real, over UDP",
		Long: `Runs a program's actors for real. Each has a UDP socket, on a loopback address unless --peers says otherwise, and all are
in this process unless --actors names some. What handlers choose, what gets lost and how long things wait comes from the seed.
Timers take as long as the program says if it has timers().inOrder(), and else up to --delay.

The control port answers harrier watch, which looks ahead of the run for violations.

Exit codes: 0 the time is over, 1 a handler failed, 2 wrong use, 4 the program broke a rule, 5 internal error, 130 Ctrl-C.`,
		Example: `  harrier run examples/paxos-node --delay 2s --drop 30% --for 1m
  harrier run examples/paxos-node --actors node1 --peers node1=127.0.0.1:7001,node2=127.0.0.1:7002,node3=127.0.0.1:7003`,
		Args: exactly(1, programArgument),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := r.options()
			if err != nil {
				return usageError{err}
			}
			return r.supervised(c, job{
				plan: func() (*launch.Task, error) { return r.plan(args[0]) },
				run:  func(c *cobra.Command) error { return r.run(c, args[0], o) },
			})
		},
	}
	r.jvmFlags.register(c)
	r.programFlags.register(c)
	f := c.Flags()
	f.StringSliceVar(&r.actors, "actors", nil, "the actors of this process, by `names` (default: all)")
	f.StringSliceVar(&r.peers, "peers", nil, "where actors are, each as `NAME=HOST:PORT` (default: ports of 127.0.0.1)")
	f.StringVar(&r.control, "control", "127.0.0.1:0", "the `address` of the control port")
	f.StringVar(&r.drop, "drop", "0%", "the `share` of messages to other actors that are lost, such as 30%")
	f.Uint64Var(&r.seed, "seed", 1, "seed of what is drawn")
	f.DurationVar(&r.delay, "delay", 0, "delay messages and internal events by up to this long")
	f.DurationVar(&r.duration, "for", 0, "end after this long; 0 for not before Ctrl-C")
	return c
}

// options returns the options of the process.
func (r *running) options() (live.Options, error) {
	share, ok := strings.CutSuffix(r.drop, "%")
	percent, err := strconv.ParseFloat(share, 64)
	if !ok || err != nil || !(percent >= 0 && percent <= 100) {
		return live.Options{}, fmt.Errorf("--drop is a share from 0%% to 100%%, not %q", r.drop)
	}
	return live.Options{Seed: r.seed, Drop: percent / 100, Delay: r.delay}, r.parse()
}

// plan starts the relay: the process that runs Java may open no sockets.
func (r *running) plan(program string) (*launch.Task, error) {
	relay := &live.Relay{Here: r.actors, Control: r.control}
	for _, p := range r.peers {
		name, address, ok := strings.Cut(p, "=")
		if !ok {
			return nil, usageError{fmt.Errorf("--peers takes NAME=HOST:PORT, not %q", p)}
		}
		if relay.Peers == nil {
			relay.Peers = map[string]string{}
		}
		relay.Peers[name] = address
	}
	t, err := launch.NewTask(program, r.classPath, r.allow)
	if err != nil {
		return nil, err
	}
	t.Prints = true
	from, to, err := t.Connect()
	if err == nil {
		go func() { _ = relay.Serve(from, to) }() // it ends with this process
	}
	return t, err
}

// run runs the actors, in the process that runs Java.
func (r *running) run(c *cobra.Command, path string, o live.Options) error {
	source, err := r.source(path)
	if err != nil {
		return usageError{err}
	}
	source.Output = true
	jvm, err := r.open(c.Context(), plan.MemoryLimit{}, 1)
	if err != nil {
		return err
	}
	program, err := jvm.Load(c.Context(), source)
	if err != nil {
		return err
	}
	child := childOf(c.Context())
	from, to := child.Connection()
	frames, relay := live.Frames(from), json.NewEncoder(to)
	send := func(f live.Frame) error { return relay.Encode(f) }
	all := []string{}
	for _, a := range program.Program().Initial.Actors {
		all = append(all, a.Name)
	}
	if err := send(live.Frame{Names: all}); err != nil {
		return err
	}
	opened := <-frames
	if opened.Error != "" {
		return usageError{errors.New(opened.Error)}
	}
	names := slices.Sorted(maps.Keys(opened.Addresses))
	for _, name := range names {
		fmt.Fprintf(c.OutOrStdout(), "%s\tudp %s\n", name, opened.Addresses[name])
	}
	fmt.Fprintf(c.OutOrStdout(), "control\ttcp %s\n", opened.Control)
	o.Tell = tellOn(c.ErrOrStderr())
	child.Link.Doing("running the program")
	p, err := live.NewProcess(program, names, send, o)
	if err != nil {
		return err
	}
	ctx, cancel := withTimeout(c.Context(), r.duration)
	defer cancel()
	if err := p.Run(ctx, frames); err != nil && ctx.Err() == nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "%d steps, %d messages sent, %d lost, %d refused\n", p.Steps, p.Sent, p.Dropped, p.Refused)
	if p.Failed > 0 {
		return reportedError{report.ExitViolated}
	}
	return c.Context().Err()
}
