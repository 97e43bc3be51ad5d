package postgres

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/postgres/postgrestest"
)

// cutConn is a connection to the server that can break at a commit.
type cutConn struct {
	net.Conn
	cut *atomic.Int32
}

// When a connection breaks.
const (
	never        = iota
	beforeCommit // the server never sees it
	afterCommit  // its answer is lost
)

func (c cutConn) Write(p []byte) (int, error) {
	how := never
	if bytes.Contains(p, []byte("commit\x00")) {
		how = int(c.cut.Swap(never))
	}
	if how == beforeCommit {
		_ = c.Close() // that is the fault
		return 0, net.ErrClosed
	}
	n, err := c.Conn.Write(p)
	if how == afterCommit {
		time.Sleep(100 * time.Millisecond) // the server reads it
		_ = c.Close()                      // that is the fault
		return 0, net.ErrClosed
	}
	return n, err
}

// TestLostCommit: the outcome of a commit whose answer is lost is determined by its id: a committed transaction is not
// repeated, and a lost one is.
func TestLostCommit(t *testing.T) {
	t.Parallel()
	server := postgrestest.OpenServer(t, false)
	config, err := parseURL(server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	var cut atomic.Int32
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return cutConn{conn, &cut}, err
	}
	s, err := openPool(t.Context(), config, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for how, want := range map[int]int{never: 1, beforeCommit: 2, afterCommit: 1} {
		for i := range 20 {
			id, runs := fmt.Sprintf("org-%d-%d", how, i), 0
			err := s.updateTx(t.Context(), func(e *dbTx) error {
				if runs++; runs == 1 {
					cut.Store(int32(how))
				}
				return e.exec("INSERT INTO organizations (id, record) VALUES ($1, $2)", id, []byte(`{"id":"`+id+`"}`))
			})
			if err != nil || runs != want {
				t.Errorf("connection cut %d: run %d times, want %d; %v", how, runs, want, err)
			}
			if _, err := s.FindOrganization(t.Context(), id); err != nil {
				t.Errorf("connection cut %d: %v", how, err)
			}
		}
	}
}

// openAlone opens a store on a separate server, which syncs its commits.
func openAlone(t *testing.T) (*PostgresStore, *postgrestest.Server) {
	t.Helper()
	return openOn(t, true)
}

// openOn opens a store on a server of its own, which syncs its writes if durable.
func openOn(t *testing.T, durable bool) (*PostgresStore, *postgrestest.Server) {
	t.Helper()
	server := postgrestest.OpenServer(t, durable)
	s, err := OpenStore(t.Context(), server.URL(""), OpenOptions{Appliance: "one"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, server
}

// wantUnavailable fails unless an error is of CodeUnavailable.
func wantUnavailable(t *testing.T, err error) {
	t.Helper()
	if store.CodeOf(err) != store.CodeUnavailable {
		t.Errorf("while the database is away: %v", err)
	}
}

// storeEntry is an entry of the audit trail.
func storeEntry() store.AuditEntry {
	return store.AuditEntry{At: time.Now(), Actor: "test", Action: "test", Subject: "test"}
}
