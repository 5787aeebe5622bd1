// Package cluster has workers, on any number of machines, answer the questions of a check about a program, and explore its states.
//
//	Engine      a connection to servers of NATS, which carry everything: to one of this process (Start) or to others (Join)
//	Job         a program that is checked: its files and the question that has it loaded (files.go, members.go)
//	Worker      answers questions about one job after another (worker.go)
//	Spread      gives the questions of a check to workers (spread.go, answerer.go), and decides which answers to believe (believe.go)
//	Store       the register and the files of a search that workers share (store.go), which Spread lends to the process of the check
//	            over a Connection (connection.go)
//
// Questions and answers are those of package bridge, as bytes. A question has one right answer, so it may be asked again, of any
// worker: nothing is lost when a worker ends.
package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"harrier/internal/model"
	"harrier/internal/process/ending"
	"harrier/internal/process/files"
)

// Engine is a connection to the servers that carry questions and answers.
type Engine struct {
	// File has the URL of the server of this process, with its token, and can be read by this user only; "" if the servers are others'.
	File     string
	conn     *nats.Conn
	server   *server.Server
	folder   string // of the server and of File, to be removed at the end
	stream   jetstream.JetStream
	members  jetstream.KeyValue
	objects  jetstream.ObjectStore
	searches jetstream.KeyValue
	heard    atomic.Int64 // when the servers answered last, in nanoseconds since 1970
	closed   *ending.End
	running  sync.WaitGroup // what follows buckets
}

// mostMessage is how many bytes a message has at most on a server of this process. Other servers have limits of their own.
const mostMessage = 8 << 20

// startTime is far more than it takes to start a server, or to connect with one.
const startTime = 10 * time.Second

// Start starts a server in this process, at a port of the loopback address, and connects with it. Whoever can read its token in File may
// connect with it as well.
func Start(ctx context.Context) (*Engine, error) {
	folder, err := files.TemporaryFolder()
	if err != nil {
		return nil, &model.UsageError{Text: fmt.Sprintf("--cluster: %v; set TMPDIR to a folder of yours", err)}
	}
	token := rand.Text()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: token, MaxPayload: mostMessage,
		JetStream: true, StoreDir: filepath.Join(folder, "server"), NoSigs: true, NoLog: true,
	})
	if err != nil {
		files.RemoveTemporary(folder)
		return nil, fmt.Errorf("starting the server of the cluster: %w", err)
	}
	e := &Engine{server: s, folder: folder, closed: ending.New()}
	s.Start()
	if !s.ReadyForConnections(startTime) {
		e.Close()
		return nil, errors.New("the server of the cluster does not start")
	}
	at := (&url.URL{Scheme: "nats", User: url.User(token), Host: s.Addr().String()}).String()
	e.File = filepath.Join(folder, "url")
	if err = os.WriteFile(e.File, []byte(at+"\n"), 0o600); err == nil {
		err = e.connect(ctx, at, nats.InProcessServer(s))
	}
	if err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// Join connects with the servers at a URL, at several URLs with commas between them, or at the URLs in a file. Credentials are in a
// URL or in the files that the variables of the command-line tool nats name: NATS_CREDS, NATS_CA, NATS_CERT and NATS_KEY.
func Join(ctx context.Context, at string) (*Engine, error) {
	if content, err := files.ReadRegular(at); err == nil {
		at = strings.TrimSpace(string(content))
	} else if !strings.Contains(at, "://") && !HasCredentials(at) {
		return nil, &model.UsageError{Text: fmt.Sprintf("cluster %s: neither a URL, as in nats://server:4222, nor a file that has one", at)}
	}
	at = withSchemes(at)
	e := &Engine{closed: ending.New()}
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
	lost := func(*nats.Conn, *nats.Subscription, error) {} // what is lost is asked for again
	options = append(options, nats.Name("harrier"), nats.MaxReconnects(-1), nats.ReconnectWait(beat), nats.ErrorHandler(lost))
	if e.conn, err = nats.Connect(at, options...); err != nil {
		return unreachable(at, err)
	}
	if e.stream, err = jetstream.New(e.conn); err == nil {
		err = e.open(ctx)
	}
	if err != nil {
		return unreachable(at, err)
	}
	e.listen()
	return nil
}

// listen asks the servers for a sign of life, and reports whether there is one.
func (e *Engine) listen() bool {
	if e.conn.FlushTimeout(beat) != nil {
		return false
	}
	e.heard.Store(time.Now().UnixNano())
	return true
}

// open makes the buckets, unless they are there. Servers that were started again may have lost some.
func (e *Engine) open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	members, err := e.stream.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: "harrier-members", Description: "jobs and workers of harrier", TTL: silence, Storage: jetstream.MemoryStorage,
	})
	var objects jetstream.ObjectStore
	if err == nil {
		objects, err = e.stream.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
			Bucket: "harrier-files", Description: "programs that harrier checks, by hash, and levels of searches", TTL: kept,
		})
	}
	var searches jetstream.KeyValue
	if err == nil {
		searches, err = e.stream.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: "harrier-searches", Description: "tasks and levels of searches that workers share", TTL: kept, Storage: jetstream.FileStorage,
		})
	}
	if err == nil && e.members == nil {
		e.members, e.objects, e.searches = members, objects, searches
	}
	return err
}

// kept is how long servers have what a check leaves there.
const kept = 24 * time.Hour

// mostAway is how long a check waits for servers that do not answer. Servers that are started again are back by then.
const mostAway = time.Minute

// errAway is why a check ends without servers.
var errAway = &model.LimitError{Text: fmt.Sprintf("the servers of the cluster have not answered for %v", mostAway)}

// away is for how long the servers have not answered.
func (e *Engine) away() time.Duration { return time.Since(time.Unix(0, e.heard.Load())) }

// isAway reports whether an error says that the servers do not answer, or have no room now, so that what failed may be done again.
func isAway(err error) bool {
	if api := (*jetstream.APIError)(nil); errors.As(err, &api) {
		return api.Code == http.StatusServiceUnavailable
	}
	if broken := (*net.OpError)(nil); errors.As(err, &broken) { // a connection, before the client has noticed
		return true
	}
	for _, of := range []error{nats.ErrTimeout, nats.ErrNoResponders, nats.ErrReconnectBufExceeded, nats.ErrConnectionReconnecting,
		nats.ErrDisconnected, nats.ErrStaleConnection, nats.ErrAsyncPublishTimeout, jetstream.ErrAsyncPublishTimeout, jetstream.ErrJetStreamNotEnabled,
		context.DeadlineExceeded} {
		if errors.Is(err, of) {
			return true
		}
	}
	return false
}

// insist does something again while the servers do not answer or have no room, until the context ends, whose cause is then the error, or
// for mostAway: then the error is a *model.LimitError.
func insist(ctx context.Context, do func() error) error {
	for begun := time.Now(); ctx.Err() == nil; {
		err := do()
		switch {
		case !isAway(err):
			return err
		case time.Since(begun) > mostAway:
			return &model.LimitError{Text: fmt.Sprintf("the servers of the cluster have failed for %v: %v", mostAway, err)}
		}
		select {
		case <-ctx.Done():
		case <-time.After(beat): // some errors come at once
		}
	}
	return context.Cause(ctx)
}

// unreachable is the error of servers that cannot be used, with what to do. Its text does not show the credentials.
func unreachable(at string, err error) error {
	what := "cluster " + Hidden(at) + ": "
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrPermissionViolation):
		what += "the server does not admit these credentials: see docs/cluster.md"
	case errors.Is(err, nats.ErrNoServers):
		what += "there is no server of NATS"
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount),
		errors.Is(err, nats.ErrNoResponders), errors.Is(err, context.DeadlineExceeded):
		what += "the server has no JetStream: start it with 'nats-server --jetstream'"
	default:
		what += Hidden(err.Error())
	}
	return &model.UsageError{Text: what}
}

// credentials are what precedes the host in a URL.
var credentials = regexp.MustCompile(`://[^\s,"]*@`)

// Hidden returns URLs, or a text with some, without their credentials.
func Hidden(text string) string { return credentials.ReplaceAllString(text, "://…@") }

// HasCredentials reports whether what is to name servers is no file, and has credentials. Its URLs may lack their schemes.
func HasCredentials(at string) bool {
	_, err := os.Lstat(at)
	return err != nil && strings.Contains(at, "@")
}

// withSchemes gives each of some URLs with commas between them a scheme, by which Hidden knows it.
func withSchemes(at string) string {
	urls := strings.Split(at, ",")
	for i, u := range urls {
		if urls[i] = strings.TrimSpace(u); !strings.Contains(u, "://") {
			urls[i] = "nats://" + urls[i]
		}
	}
	return strings.Join(urls, ",")
}

// Bytes returns how many bytes this process sent to the servers and received from them.
func (e *Engine) Bytes() (out, in uint64) {
	s := e.conn.Stats()
	return s.OutBytes, s.InBytes
}

// Close ends the connection, the server of this process, and all that follows the servers: nothing of it runs once Close returns.
func (e *Engine) Close() {
	e.closed.Come(nats.ErrConnectionClosed)
	if e.conn != nil {
		_ = e.conn.FlushTimeout(beat) // so that the last messages arrive; otherwise the others wait for silence
		e.conn.Close()
	}
	e.running.Wait() // which asks the servers nothing any more
	if e.server != nil {
		e.server.Shutdown()
		e.server.WaitForShutdown()
	}
	if e.folder != "" {
		files.RemoveTemporary(e.folder)
	}
}
