// Package cluster has workers, on any number of machines, answer the questions of a check about a program, and explore its states.
//
//	Engine      a connection to servers of NATS, which carry everything: to one of this process (Start) or to others (Join)
//	Job         a program that is checked: its files and the question that has it loaded (files.go, members.go)
//	Worker      answers questions about one job after another (worker.go)
//	Spread      gives the questions of a check to workers (spread.go), and decides which answers to believe (believe.go)
//	Relay       carries the messages of package partition between workers that explore states and the process of the check, where
//	            Connection is the other end (search.go)
//
// Questions and answers are those of package bridge, as bytes. A question has one right answer, so it may be asked again, of any
// worker: nothing is lost when a worker ends.
package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"harrier/internal/model"
)

// Engine is a connection to the servers that carry questions and answers.
type Engine struct {
	// URL is the URL of the server of this process, with its token; "" if the servers are others'.
	URL     string
	conn    *nats.Conn
	server  *server.Server
	folder  string // of the server, to be removed at the end
	members jetstream.KeyValue
	objects jetstream.ObjectStore
}

// mostMessage is how many bytes a message has at most on a server of this process. Other servers have limits of their own.
const mostMessage = 8 << 20

// startTime is far more than it takes to start a server, or to connect with one.
const startTime = 10 * time.Second

// Start starts a server in this process, at a port of the loopback address, and connects with it. Whoever has its token, which is part
// of its URL, may connect with it as well.
func Start(ctx context.Context) (*Engine, error) {
	folder, err := os.MkdirTemp("", "harrier-cluster-")
	if err != nil {
		return nil, &model.UsageError{Text: fmt.Sprintf("--cluster: %v; set TMPDIR to a folder of yours", err)}
	}
	token := rand.Text()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: token, MaxPayload: mostMessage,
		JetStream: true, StoreDir: folder, NoSigs: true, NoLog: true,
	})
	if err != nil {
		os.RemoveAll(folder)
		return nil, fmt.Errorf("starting the server of the cluster: %w", err)
	}
	e := &Engine{server: s, folder: folder}
	go s.Start()
	if !s.ReadyForConnections(startTime) {
		e.Close()
		return nil, errors.New("the server of the cluster does not start")
	}
	e.URL = (&url.URL{Scheme: "nats", User: url.User(token), Host: s.Addr().String()}).String()
	if err := e.connect(ctx, e.URL, nats.InProcessServer(s)); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// Join connects with the servers at a URL, or at several with commas between them. Credentials are in the URL or in the files that the
// variables of the command-line tool nats name: NATS_CREDS, NATS_CA, NATS_CERT and NATS_KEY.
func Join(ctx context.Context, at string) (*Engine, error) {
	e := &Engine{}
	var options []nats.Option
	if file := os.Getenv("NATS_CREDS"); file != "" {
		options = append(options, nats.UserCredentials(file))
	}
	if file := os.Getenv("NATS_CA"); file != "" {
		options = append(options, nats.RootCAs(file))
	}
	if file := os.Getenv("NATS_CERT"); file != "" {
		options = append(options, nats.ClientCert(file, os.Getenv("NATS_KEY")))
	}
	if err := e.connect(ctx, at, options...); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

func (e *Engine) connect(ctx context.Context, at string, options ...nats.Option) (err error) {
	options = append(options, nats.Name("harrier"), nats.MaxReconnects(-1), nats.ReconnectWait(beat))
	if e.conn, err = nats.Connect(at, options...); err != nil {
		return unreachable(at, err)
	}
	stream, err := jetstream.New(e.conn)
	if err != nil {
		return unreachable(at, err)
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	e.members, err = stream.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: "harrier-members", Description: "jobs and workers of harrier", TTL: silence, Storage: jetstream.MemoryStorage,
	})
	if err != nil {
		return unreachable(at, err)
	}
	e.objects, err = stream.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket: "harrier-files", Description: "programs that harrier checks, by hash", TTL: 24 * time.Hour,
	})
	if err != nil {
		return unreachable(at, err)
	}
	return nil
}

// unreachable is the error of servers that cannot be used, with what to do. Its text does not show the credentials.
func unreachable(at string, err error) error {
	what := "--cluster " + Hidden(at) + ": "
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrPermissionViolation):
		what += "the server does not admit these credentials: take the line that 'harrier check --cluster' printed, or see NATS_CREDS in docs/cluster.md"
	case errors.Is(err, nats.ErrNoServers):
		what += "there is no server of NATS"
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount),
		errors.Is(err, nats.ErrNoResponders), errors.Is(err, context.DeadlineExceeded):
		what += "the server has no JetStream: start it with 'nats-server --jetstream'"
	default:
		what += err.Error()
	}
	return &model.UsageError{Text: what}
}

// Hidden returns a URL without its credentials.
func Hidden(at string) string {
	u, err := url.Parse(at)
	if err != nil {
		return "URL"
	}
	if u.User != nil {
		u.User = url.User("…")
	}
	s, _ := url.PathUnescape(u.String())
	return s
}

// Bytes returns how many bytes this process sent to the servers and received from them.
func (e *Engine) Bytes() (out, in uint64) {
	s := e.conn.Stats()
	return s.OutBytes, s.InBytes
}

// Close ends the connection, and the server of this process.
func (e *Engine) Close() {
	if e.conn != nil {
		_ = e.conn.FlushTimeout(beat) // so that the last messages arrive; otherwise the others wait for silence
		e.conn.Close()
	}
	if e.server != nil {
		e.server.Shutdown()
		e.server.WaitForShutdown()
	}
	if e.folder != "" {
		os.RemoveAll(e.folder)
	}
}
