// Package syslog forwards the audit log to a syslog server: RFC 5424 over TCP (RFC 6587) or TLS (RFC 5425).
//
// The audit log is the queue. How far it was forwarded is kept in the database and moves on when the server has read a
// batch; of appliances that share a database one forwards, by a lease for each organization. So an outage of the server
// loses nothing, and an entry is sent again only where the appliance died, or lost its lease or the connection, between
// the sending and its record. Receivers recognize such entries by organization, chain and number.
//
// It imports the store and the settings, and no door.
package syslog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"munadi/store"
	"munadi/store/account"
)

const (
	pollPause = 5 * time.Second
	longPause = 5 * time.Minute // the longest pause after failures
	batchSize = 200
	leaseTime = 2 * time.Minute // more than dialTime and sendTime together
	// warnAfter is how long entries cannot be forwarded before /health says so.
	warnAfter = time.Minute
)

// AuditForwarder forwards the audit logs of all organizations.
type AuditForwarder struct {
	Server Server
	Store  TrailStore
	Source Source
	Holder string       // of the lease: this appliance
	Warn   func(string) // sets the warning of /health; empty clears it
	Log    *slog.Logger

	mu    sync.Mutex
	state ForwardingState
}

// TrailStore is what the forwarder needs of the store.
type TrailStore interface {
	store.ForwardingStore
	ListOrganizations(ctx context.Context) ([]account.Organization, error)
}

// ForwardingState is how the forwarding goes.
type ForwardingState struct {
	Last    time.Time // when the server last took entries; zero: not since the start
	Failing time.Time // since when it fails; zero: it does not
	Fault   string    // why
}

// State returns how the forwarding goes.
func (f *AuditForwarder) State() ForwardingState {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state
}

// Run forwards until ctx ends. After a failure it pauses, ever longer.
func (f *AuditForwarder) Run(ctx context.Context) error {
	pause := pollPause
	for ctx.Err() == nil {
		err := f.forwardAll(ctx)
		if pause = min(2*pause, longPause); err == nil {
			pause = pollPause
		}
		if ctx.Err() == nil {
			f.noteResult(err, time.Now())
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(float64(pause) * (0.8 + 0.4*rand.Float64()))): //nolint:gosec // jitter
		}
	}
	return nil
}

// noteResult keeps the state and sets the warning.
func (f *AuditForwarder) noteResult(err error, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err == nil && !f.state.Failing.IsZero():
		f.state.Failing, f.state.Fault = time.Time{}, ""
		f.Log.Info("the audit log is forwarded to the syslog server again", "server", f.Server.Address)
	case err != nil:
		if f.state.Fault = err.Error(); f.state.Failing.IsZero() {
			f.state.Failing = now
			f.Log.Warn("the audit log cannot be forwarded to the syslog server; its entries wait in the database",
				"server", f.Server.Address, "err", err)
		}
	}
	warning := ""
	if !f.state.Failing.IsZero() && now.Sub(f.state.Failing) >= warnAfter {
		warning = fmt.Sprintf("the audit log does not reach the syslog server %s since %s: %s", f.Server.Address,
			f.state.Failing.UTC().Format(time.RFC3339), f.state.Fault)
	}
	f.Warn(warning)
}

// forwardAll forwards what is new in all organizations. An error of one is no obstacle to the others.
func (f *AuditForwarder) forwardAll(ctx context.Context) error {
	all, err := f.Store.ListOrganizations(ctx)
	if err != nil && !store.IsUnreadable(err) {
		return err
	}
	var failed error
	for _, o := range all {
		for more := true; more && ctx.Err() == nil; {
			if more, err = f.forwardBatch(ctx, o.ID); err != nil {
				failed = errors.Join(failed, fmt.Errorf("organization %s: %w", o.ID, err))
				break
			}
		}
		if failed != nil && len(all) > 1 && ctx.Err() == nil && f.Server.CheckConnection(ctx) != nil {
			break // the server is away for the others, too
		}
	}
	return failed
}

// errNotHeld means that another appliance forwards an organization's audit log.
var errNotHeld = errors.New("another appliance forwards it")

// forwardBatch forwards the next entries of an organization; more means that there are further ones.
func (f *AuditForwarder) forwardBatch(ctx context.Context, orgID string) (more bool, err error) {
	from, err := f.Store.FindForwarding(ctx, orgID)
	if err != nil && !store.IsUnreadable(err) {
		return false, err
	}
	batch, err := f.Store.NextAudit(ctx, orgID, from, time.Now(), batchSize)
	if err != nil || len(batch.Rows)+len(batch.Lost) == 0 {
		return false, err
	}
	turn, err := f.takeTurn(ctx, orgID, from.Turn)
	if errors.Is(err, errNotHeld) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := f.sendBatch(ctx, orgID, batch); err != nil {
		return false, errors.Join(err, f.endTurn(ctx, orgID, turn, nil))
	}
	return batch.More, f.endTurn(ctx, orgID, turn, &batch.Next)
}

// takeTurn makes this appliance the one that forwards an organization's audit log, unless another one has since the
// given turn.
func (f *AuditForwarder) takeTurn(ctx context.Context, orgID string, since uint64) (turn uint64, err error) {
	err = f.Store.ChangeForwarding(ctx, orgID, func(kept *store.AuditForwarding) error {
		if kept.Turn != since || !kept.TakeTurn(f.Holder, time.Now(), leaseTime) {
			return errNotHeld
		}
		turn = kept.Turn
		return nil
	})
	return turn, err
}

// sendBatch sends entries.
func (f *AuditForwarder) sendBatch(ctx context.Context, orgID string, batch store.AuditBatch) error {
	if len(batch.Lost) > 0 {
		f.Log.Error("entries of the audit log are missing and were not forwarded: munadi audit verify", "org", orgID,
			"chains", batch.Lost)
	}
	if len(batch.Rows) == 0 {
		return nil
	}
	messages := make([][]byte, len(batch.Rows))
	for i, row := range batch.Rows {
		messages[i] = FormatEntry(f.Source, orgID, row)
	}
	if err := f.Server.SendMessages(ctx, messages); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state.Last = time.Now()
	return nil
}

// endTurn lets others forward again, and records what was forwarded; nil: nothing.
func (f *AuditForwarder) endTurn(ctx context.Context, orgID string, turn uint64, next *store.AuditForwarding) error {
	ctx = context.WithoutCancel(ctx) // what was sent must be recorded while the appliance stops
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	return f.Store.ChangeForwarding(ctx, orgID, func(kept *store.AuditForwarding) error {
		if !kept.IsHeld(f.Holder, turn, time.Now()) {
			return errors.New("the lease was lost while entries were sent: they are sent again")
		}
		if next != nil {
			kept.After, kept.Chains = next.After, next.Chains
		}
		kept.Holder, kept.Until = "", time.Time{}
		return nil
	})
}
