package postgrestest

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// StartStandby starts a hot standby of a durable server, by streaming replication. From then on each commit waits until
// the standby has synced it (synchronous replication).
func (s *Server) StartStandby(t testing.TB) *Server {
	t.Helper()
	standby, err := s.copyCluster()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = standby.Close() })
	s.Run(t, "ALTER SYSTEM SET synchronous_standby_names = '*'")
	s.Run(t, "SELECT pg_reload_conf()")
	const synchronous = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
	deadline := time.After(startTimeout)
	for s.Run(t, synchronous) != "1" {
		select {
		case <-deadline:
			t.Fatalf("the standby does not replicate: %s", standby.log)
		case <-time.After(50 * time.Millisecond):
		}
	}
	return standby
}

// copyCluster copies the cluster while it runs and starts the copy as a standby.
func (s *Server) copyCluster() (*Server, error) {
	folder, err := os.MkdirTemp("", "munadi-standby")
	if err != nil {
		return nil, err
	}
	standby := &Server{folder: folder, durable: s.durable}
	if err = standby.ownFolder(); err == nil {
		copying := standby.command(FindProgram("pg_basebackup"), "--host", s.folder, "--username", "munadi",
			"--pgdata", filepath.Join(folder, "data"), "--write-recovery-conf", "--checkpoint", "fast", "--no-sync")
		if out, failed := copying.CombinedOutput(); failed != nil {
			err = fmt.Errorf("pg_basebackup: %w: %s", failed, out)
		}
	}
	if err == nil {
		err = standby.Start()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return standby, nil
}

// Promote makes a standby the primary server.
func (s *Server) Promote(t testing.TB) {
	t.Helper()
	s.Run(t, "SELECT pg_promote()")
}

// FailoverURL returns a URL that connects to the one of several servers that accepts writes.
func FailoverURL(servers ...*Server) string {
	var hosts []string
	for _, s := range servers {
		hosts = append(hosts, s.folder)
	}
	return "postgres:///postgres?" + url.Values{
		"host": {strings.Join(hosts, ",")}, "user": {"munadi"}, "target_session_attrs": {"read-write"},
	}.Encode()
}
