// Package postgrestest starts private PostgreSQL servers for tests: a cluster in a temporary folder, reached over a
// Unix socket, run by an unprivileged user.
package postgrestest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"munadi/store/shm"
)

// Server is a running cluster.
type Server struct {
	folder  string // of the cluster and its socket
	durable bool   // commits are synced to disk
	process *exec.Cmd
	ended   chan struct{}
	log     *bytes.Buffer
	schemas sync.Mutex
	made    int
}

// startTimeout bounds how long a server may take to answer.
const startTimeout = time.Minute

// FindProgram returns the path of a program of the newest installed PostgreSQL server (in Debian's folder, or on the
// search path); empty without one.
func FindProgram(name string) string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name) // the pattern is sound
	slices.SortFunc(found, func(a, b string) int { return versionIn(a) - versionIn(b) })
	if len(found) > 0 {
		return found[len(found)-1]
	}
	path, _ := exec.LookPath(name) // empty without one
	return path
}

// versionIn returns the version in a path below /usr/lib/postgresql.
func versionIn(path string) int {
	n, _ := strconv.Atoi(strings.Split(path, "/")[4]) // 0 for another name
	return n
}

// OpenServer starts a server for one test, see [StartServer]. It skips short tests, and where PostgreSQL is not
// installed, unless on CI.
func OpenServer(t testing.TB, durable bool) *Server {
	t.Helper()
	needServer(t)
	s, err := StartServer(durable)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // best effort: a temporary folder may remain
	return s
}

// shared is the server of a package's tests, started by the first that needs it.
var shared = sync.OnceValues(func() (*Server, error) {
	s, err := StartServer(false)
	started.Store(s)
	return s, err
})

var started atomic.Pointer[Server]

// SharedServer is [OpenServer] for the tests of a package together, whose TestMain calls [CloseShared] at the end.
func SharedServer(t testing.TB) *Server {
	t.Helper()
	needServer(t)
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// CloseShared closes the server that [SharedServer] started, if it did.
func CloseShared() {
	if s := started.Load(); s != nil {
		_ = s.Close() // best effort: a temporary folder may remain
	}
}

func needServer(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("the short tests start no database")
	}
	const reason = "PostgreSQL is not installed: packaging/setup test installs it"
	switch {
	case FindProgram("initdb") != "":
	case os.Getenv("CI") == "true":
		t.Fatal(reason)
	default:
		t.Skip(reason)
	}
}

// StartServer creates a cluster and starts it. A durable one syncs its writes and survives a power loss; another one is
// in memory where there is room: each schema has hundreds of files, which take a disk twice as long.
func StartServer(durable bool) (*Server, error) {
	parent := ""
	if !durable {
		parent = shm.FindFolder()
	}
	folder, err := os.MkdirTemp(parent, "munadi-postgres")
	if err != nil {
		return nil, err
	}
	s := &Server{folder: folder, durable: durable}
	if err = s.ownFolder(); err == nil {
		err = s.makeCluster()
	}
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return s, nil
}

// makeCluster runs initdb.
func (s *Server) makeCluster() error {
	initdb := s.command(FindProgram("initdb"), "--pgdata", filepath.Join(s.folder, "data"), "--username", "munadi",
		"--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions")
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	return nil
}

// command runs a program as an unprivileged user, since the server refuses root.
func (s *Server) command(path string, args ...string) *exec.Cmd {
	c := exec.Command(path, args...)
	c.Dir, c.Env = s.folder, []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	if id, ok := findServerUser(); ok {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &id}
	}
	return c
}

// findServerUser returns the user that runs the server instead of root: postgres, or nobody; false if the process is
// not root.
func findServerUser() (id syscall.Credential, ok bool) {
	if os.Getuid() != 0 {
		return id, false
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.ParseUint(u.Uid, 10, 32) // numbers on every system with this credential
		gid, _ := strconv.ParseUint(u.Gid, 10, 32)
		return syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, true
	}
	return id, false
}

// ownFolder gives the folder to the user that runs the server.
func (s *Server) ownFolder() error {
	if id, ok := findServerUser(); ok {
		return os.Chown(s.folder, int(id.Uid), int(id.Gid))
	}
	return nil
}

// Start starts the server and waits until it answers.
func (s *Server) Start() error {
	sync := "off"
	if s.durable {
		sync = "on"
	}
	s.log = &bytes.Buffer{}
	s.process = s.command(FindProgram("postgres"), "-D", filepath.Join(s.folder, "data"), "-k", s.folder,
		"-c", "listen_addresses=", "-c", "fsync="+sync, "-c", "synchronous_commit="+sync, "-c", "full_page_writes="+sync,
		"-c", "max_connections=300", "-c", "shared_buffers=64MB", "-c", "max_wal_size=1GB",
		"-c", "unix_socket_permissions=0777")
	s.process.Stdout, s.process.Stderr = s.log, s.log
	if err := s.process.Start(); err != nil {
		return err
	}
	s.ended = make(chan struct{})
	process, ended := s.process, s.ended
	go func() {
		_ = process.Wait() // how it ended is in its log
		close(ended)
	}()
	return s.waitReady()
}

// waitReady waits until the server answers.
func (s *Server) waitReady() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	for {
		ready := s.command(FindProgram("pg_isready"), "-q", "-h", s.folder, "-d", "postgres", "-U", "munadi")
		if ready.Run() == nil {
			return nil
		}
		select {
		case <-s.ended:
			return fmt.Errorf("the server ended: %s", s.log)
		case <-ctx.Done():
			return fmt.Errorf("the server did not answer within %v", startTimeout)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Stop shuts the server down without waiting for its clients (fast shutdown, SIGINT).
func (s *Server) Stop() error { return s.sendSignal(syscall.SIGINT) }

// Kill ends the server immediately (SIGQUIT): it recovers from its log at the next start.
func (s *Server) Kill() error { return s.sendSignal(syscall.SIGQUIT) }

func (s *Server) sendSignal(how syscall.Signal) error {
	if err := s.process.Process.Signal(how); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-s.ended:
		return nil
	case <-time.After(startTimeout):
		return fmt.Errorf("the server still runs %v after signal %v", startTimeout, how)
	}
}

// Close ends the server and deletes its cluster.
func (s *Server) Close() error { return errors.Join(s.Stop(), os.RemoveAll(s.folder)) }

// URL returns the URL of a schema of the cluster's database; empty means the default one.
func (s *Server) URL(schema string) string {
	query := url.Values{"host": {s.folder}, "user": {"munadi"}}
	if schema != "" {
		query.Set("search_path", schema)
	}
	return "postgres:///postgres?" + query.Encode()
}

// NewURL creates an empty schema and returns its URL.
func (s *Server) NewURL(t testing.TB) string {
	t.Helper()
	s.schemas.Lock()
	s.made++
	schema := fmt.Sprint("test", s.made)
	s.schemas.Unlock()
	s.Run(t, "CREATE SCHEMA "+schema)
	return s.URL(schema)
}

// Run runs SQL with psql and returns what it prints.
func (s *Server) Run(t testing.TB, sql string) string {
	t.Helper()
	out, err := s.command(FindProgram("psql"), "-qAtX", "-h", s.folder, "-U", "munadi", "-d", "postgres",
		"-v", "ON_ERROR_STOP=1", "-c", sql).CombinedOutput()
	if err != nil {
		t.Fatalf("psql: %v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}
