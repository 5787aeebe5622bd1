package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// A site is what a shared search runs on: a server in a process of its own, and workers. If the network can be cut, they are in a network
// namespace; if the disk can be full, the server's folder is a small file system.
type site struct {
	*settings
	url     string // of the server
	join    string // the URL for workers
	host    string
	port    int
	folder  string // of the server
	files   string // the folder with the states; "" if the server has them
	server  *exec.Cmd
	workers []*exec.Cmd

	running    *exec.Cmd     // the check
	ended      chan struct{} // is closed when the check has ended; nil if none was started
	out        bytes.Buffer  // what it prints
	checkpoint string
	damaged    []string // the names of files with states that were

	undo []func() error // in the end, the last first
}

// open starts a server and workers.
func (s *settings) open() (t *site, err error) {
	t = &site{settings: s, host: "127.0.0.1"}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	t.checkpoint = filepath.Join(s.folder, fmt.Sprint(s.random.Uint64()))
	if t.folder, err = os.MkdirTemp(s.folder, "server-"); err != nil {
		return t, err
	}
	if s.place == inFolder {
		t.files, err = os.MkdirTemp(s.folder, "states-")
	}
	if err == nil && slices.Contains(s.kinds, "network") {
		err = t.separate()
	}
	if err == nil && slices.Contains(s.kinds, "disk") {
		err = t.mount()
	}
	if err == nil {
		t.port, err = freePort(t.host)
	}
	if err == nil {
		t.url = "nats://" + net.JoinHostPort(t.host, strconv.Itoa(t.port))
		err = t.serve()
	}
	if t.join = t.url; err == nil && s.slow {
		err = t.slowDown()
	}
	for range s.share {
		if err == nil {
			err = t.start()
		}
	}
	return t, err
}

func (t *site) close() {
	if t.ended != nil {
		t.endSearch()
	}
	for _, w := range t.workers {
		end(w)
	}
	if t.server != nil {
		end(t.server)
	}
	for _, undo := range slices.Backward(t.undo) {
		_ = undo() // what is left is seen in the next run
	}
}

// slowDown has workers join by a slow way.
func (t *site) slowDown() error {
	l, err := net.Listen("tcp", net.JoinHostPort(t.host, "0"))
	if err != nil {
		return err
	}
	t.undo, t.join = append(t.undo, l.Close), "nats://"+l.Addr().String()
	go slowly(l, net.JoinHostPort(t.host, strconv.Itoa(t.port)))
	return nil
}

// freePort is a port at which nobody listens.
func freePort(host string) (int, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// start starts one more worker.
func (t *site) start() error {
	w := exec.Command(t.harrier, "worker", "--cluster", t.join, "--workers", "1")
	if t.host != "127.0.0.1" {
		w = exec.Command("ip", slices.Concat([]string{"netns", "exec", t.namespace()}, w.Args)...)
	}
	w.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	t.workers = append(t.workers, w)
	return w.Start()
}

// serve starts the server: this program, again (beServer).
func (t *site) serve() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	t.server = exec.Command(self, serveCommand, t.host, strconv.Itoa(t.port), t.folder)
	t.server.SysProcAttr, t.server.Stderr = &syscall.SysProcAttr{Setpgid: true}, os.Stderr
	ready, err := t.server.StdoutPipe()
	if err == nil {
		err = t.server.Start()
	}
	if err == nil {
		_, err = io.ReadFull(ready, make([]byte, 1))
	}
	return err
}

// serveCommand is the argument with which this program is a server.
const serveCommand = "serve"

// beServer is a server of NATS at a host and port, with a folder. It prints a line when it is ready, and ends when it is killed.
func beServer(arguments []string, stdout io.Writer) error {
	if len(arguments) != 3 {
		return errors.New(serveCommand + " takes a host, a port and a folder")
	}
	port, err := strconv.Atoi(arguments[1])
	if err != nil {
		return err
	}
	s, err := server.NewServer(&server.Options{Host: arguments[0], Port: port, JetStream: true, StoreDir: arguments[2], NoSigs: true, NoLog: true})
	if err != nil {
		return err
	}
	go s.Start()
	if !s.ReadyForConnections(time.Minute) {
		return errors.New("the server does not start")
	}
	fmt.Fprintln(stdout, "ready")
	s.WaitForShutdown()
	return nil
}

// namespace and link are the names of the network namespace of workers, and of the end of its link that is outside.
func (t *site) namespace() string { return fmt.Sprint("kills", os.Getpid()) }
func (t *site) link() string      { return fmt.Sprint("kl", os.Getpid()) }

// separate makes a network namespace with a link to it.
func (t *site) separate() error {
	inside := t.link() + "i"
	t.undo = append(t.undo, func() error {
		_ = command("ip", "link", "delete", t.link()) // with the namespace it would go some time later
		return command("ip", "netns", "delete", t.namespace())
	})
	for _, c := range [][]string{
		{"netns", "add", t.namespace()},
		{"link", "add", t.link(), "type", "veth", "peer", "name", inside},
		{"link", "set", inside, "netns", t.namespace()},
		{"address", "add", "10.213.77.1/30", "dev", t.link()},
		{"link", "set", t.link(), "up"},
		{"-n", t.namespace(), "address", "add", "10.213.77.2/30", "dev", inside},
		{"-n", t.namespace(), "link", "set", inside, "up"},
		{"-n", t.namespace(), "link", "set", "lo", "up"},
	} {
		if err := command("ip", c...); err != nil {
			return err
		}
	}
	t.host = "10.213.77.1"
	return nil
}

// mount makes the server's folder a file system of its own.
func (t *site) mount() error {
	t.undo = append(t.undo, func() error { return syscall.Unmount(t.folder, syscall.MNT_DETACH) })
	return syscall.Mount("tmpfs", t.folder, "tmpfs", 0, "size=256m")
}

// fill fills the server's folder; empty mends that.
func (t *site) fill() error {
	f, err := os.Create(t.filler())
	if err != nil {
		return err
	}
	for room := make([]byte, 1<<12); err == nil; {
		_, err = f.Write(room)
	}
	if err = errors.Join(err, f.Close()); errors.Is(err, syscall.ENOSPC) {
		return nil
	}
	return err
}

func (t *site) empty() error { return os.Remove(t.filler()) }

func (t *site) filler() string { return filepath.Join(t.folder, "filler") }

// possible are the kinds of damage of some that can be done here. why has the reasons of the others.
func (s *settings) possible(kinds []string) (can []string, why []error) {
	for _, kind := range kinds {
		t := &site{settings: s}
		err := error(nil)
		switch kind {
		case "store":
			if s.place != inFolder {
				err = errors.New("it is for -place folder")
			}
		case "network":
			err = t.separate()
		case "disk":
			if t.folder, err = os.MkdirTemp(s.folder, "disk-"); err == nil {
				err = t.mount()
			}
		}
		t.close()
		if err != nil {
			why = append(why, fmt.Errorf("%s: %w", kind, err))
		} else {
			can = append(can, kind)
		}
	}
	return can, why
}
