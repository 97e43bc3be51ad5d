package store

import (
	"context"
	"time"
)

// ForwardingStore is how far the audit trail was forwarded to another system, which the trail itself is the queue of.
type ForwardingStore interface {
	// FindForwarding returns how far an organization's audit trail was forwarded; the zero one when it never was.
	FindForwarding(ctx context.Context, orgID string) (AuditForwarding, error)
	// ChangeForwarding is a read-modify-write of it in one transaction; change may be called again, and its error is
	// returned unchanged. CodeNotFound without the organization. It writes no audit entry: that would be forwarded, too.
	ChangeForwarding(ctx context.Context, orgID string, change func(*AuditForwarding) error) error
	// NextAudit returns the entries of an organization's audit trail that were not forwarded, oldest first, at most limit.
	NextAudit(ctx context.Context, orgID string, from AuditForwarding, now time.Time, limit int) (AuditBatch, error)
}

// AuditForwarding is how far an organization's audit trail was forwarded, and which appliance does it.
type AuditForwarding struct {
	Holder string    `json:"holder,omitempty"` // the appliance that forwards
	Until  time.Time `json:"until,omitzero"`   // when another one may
	Turn   uint64    `json:"turn,omitempty"`   // how often an appliance became the holder
	// After is the place in the trail up to which everything was forwarded. Entries behind it were, too: places are given
	// before the commit, so that an earlier one may appear later.
	After string `json:"after,omitempty"`
	// Chains are the last forwarded entries of the chains; within a chain, entries appear in order.
	Chains map[string]ForwardedEntry `json:"chains,omitempty"`
}

// ForwardedEntry is the last forwarded entry of a chain.
type ForwardedEntry struct {
	Rank string `json:"rank"` // its place among all entries of the organization, as text in their order
	Seq  uint64 `json:"seq"`
	Hash []byte `json:"hash,omitempty"`
}

// AuditBatch are entries to be forwarded.
type AuditBatch struct {
	Rows []AuditRow // Before and Place are not set; entries of before the chains have no hash
	Next AuditForwarding
	// More means that there are further entries, left out by the limit.
	More bool
	// Lost are the chains of which entries are missing or cannot be read.
	Lost []string
}

// IsHeld reports whether an appliance may forward: it is the holder, and no other one may be by now.
func (f AuditForwarding) IsHeld(holder string, turn uint64, now time.Time) bool {
	return f.Holder == holder && f.Turn == turn && now.Before(f.Until)
}

// TakeTurn makes an appliance the holder for a time; false while another one is.
func (f *AuditForwarding) TakeTurn(holder string, now time.Time, lasts time.Duration) bool {
	if f.Holder != "" && f.Holder != holder && now.Before(f.Until) && f.Until.Sub(now) <= lasts {
		return false
	}
	f.Holder, f.Until = holder, now.Add(lasts)
	f.Turn++
	return true
}
