package console_test

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"munadi/appliance/console"
	"munadi/store"
	"munadi/store/account"
)

// changingGate is a gate whose sessions and roles a test can revoke.
type changingGate struct {
	roleGate
	ended, demoted, moved *atomic.Bool
}

func (g changingGate) PeekSession(ctx context.Context, token string) (account.UserSession, account.User, error) {
	if g.ended.Load() {
		return account.UserSession{}, account.User{}, store.Errorf(store.CodeNotFound, "no session")
	}
	s, u, err := g.LookUpSession(ctx, token)
	if g.demoted.Load() {
		u.Role = account.Viewer
	}
	if g.moved.Load() {
		u.OrgID = "other"
	}
	return s, u, err
}

// TestRevokedAccessEndsStreams checks that event streams and listening in end within 5 s of a revocation, while the
// call continues.
func TestRevokedAccessEndsStreams(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for i, c := range []struct {
		stream string
		role   account.UserRole
		revoke func(changingGate)
	}{
		{"/events", account.Viewer, func(g changingGate) { g.ended.Store(true) }},
		{"/events", account.Viewer, func(g changingGate) { g.moved.Store(true) }},
		{"/listen", account.Operator, func(g changingGate) { g.ended.Store(true) }},
		{"/listen", account.Operator, func(g changingGate) { g.demoted.Store(true) }},
	} {
		t.Run(fmt.Sprint(i, c.stream), func(t *testing.T) {
			t.Parallel()
			g := changingGate{ended: &atomic.Bool{}, demoted: &atomic.Bool{}, moved: &atomic.Bool{}}
			d := newCallBench(t, func(deps *console.Dependencies) { deps.Gate = g })
			running := d.bookCall("acme", anyNumber, nil)
			_, err := d.store.ReleaseCall(t.Context(), "acme", running.ID, running.ScheduledAt)
			d.mustSucceed(err)
			stream := d.startServer(t).openStream(t, c.role, "/console/calls/"+running.ID+c.stream)
			ended := make(chan error, 1)
			go func() {
				_, err := io.Copy(io.Discard, stream)
				ended <- err
			}()
			c.revoke(g)
			select {
			case err := <-ended:
				if err != nil {
					t.Errorf("it broke off: %v", err)
				}
			case <-time.After(2 * time.Minute):
				t.Error("it goes on")
			}
		})
	}
}

// stuckTrail is a store whose audit trail is read for as long as the reader waits.
type stuckTrail struct {
	store.Store

	asked chan struct{}
}

func (s stuckTrail) AuditTrail(ctx context.Context, _ string, _ int, _ string) (store.ListPage[store.AuditEntry], error) {
	close(s.asked)
	<-ctx.Done()
	return store.ListPage[store.AuditEntry]{}, ctx.Err()
}

// TestLoweredRoleEndsExport checks that an export that is being written ends when its reader's role is lowered.
func TestLoweredRoleEndsExport(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	g := changingGate{ended: &atomic.Bool{}, demoted: &atomic.Bool{}, moved: &atomic.Bool{}}
	trail := stuckTrail{asked: make(chan struct{})}
	b := newBench(t, func(d *console.Dependencies) {
		trail.Store = d.Store
		d.Store, d.Gate = trail, g
	})
	ended := make(chan struct{})
	go func() {
		b.getPage(account.Owner, "/audit.csv")
		close(ended)
	}()
	<-trail.asked
	g.demoted.Store(true)
	select {
	case <-ended:
	case <-time.After(2 * time.Minute):
		t.Error("it goes on")
	}
}
