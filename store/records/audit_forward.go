package records

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
)

// auditForwardings are how far the audit trails were forwarded.
var auditForwardings = declareKind[store.AuditForwarding](driver.Table{
	Kind: "audit-forwarding", Name: "audit_forwardings", Key: []string{"org"},
}, nil, nil)

// settleTime is how long after an entry's time others of earlier transactions, whose ranks are lower, are committed.
// Those that come later still are found, too, at the cost of reading the whole trail.
const settleTime = time.Minute

// FindForwarding implements [store.ForwardingStore].
func (s *Records) FindForwarding(ctx context.Context, orgID string) (store.AuditForwarding, error) {
	return findSetting(ctx, s, auditForwardings, orgID)
}

// ChangeForwarding implements [store.ForwardingStore].
func (s *Records) ChangeForwarding(
	ctx context.Context, orgID string, change func(*store.AuditForwarding) error,
) error {
	return s.db.Update(ctx, func(tx driver.Tx) error {
		_, err := changeState(tx, auditForwardings, orgID, change)
		return err
	})
}

// NextAudit implements [store.ForwardingStore].
func (s *Records) NextAudit(
	ctx context.Context, orgID string, from store.AuditForwarding, now time.Time, limit int,
) (batch store.AuditBatch, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		heads, err := readHeads(tx, orgID)
		if err != nil {
			return err
		}
		f := newForwarder(from, now, limit)
		if len(f.behind(heads)) > 0 || len(heads) < len(auditLanes) { // of a chain without a head nothing is known
			err = f.readFrom(tx, orgID, from.After)
		}
		missed := f.gap || !f.batch.More && len(f.behind(heads)) > 0 // entries before the place that were committed late
		if err == nil && missed && from.After != "" {
			f = newForwarder(from, now, limit)
			err = f.readFrom(tx, orgID, "")
		}
		if err == nil && !f.batch.More {
			f.passOver(heads)
		}
		batch = f.batch
		return err
	})
	return batch, err
}

// forwarder collects entries that were not forwarded.
type forwarder struct {
	batch  store.AuditBatch
	limit  int
	recent time.Time       // entries from then on may be followed by some with a lower rank
	whole  bool            // no recent entry was met yet
	gap    bool            // an entry was met whose predecessor in its chain was not forwarded
	beyond map[string]bool // chains of which more was read than their heads, which were read first, know of
}

func newForwarder(from store.AuditForwarding, now time.Time, limit int) *forwarder {
	from.Chains = maps.Clone(from.Chains)
	if from.Chains == nil {
		from.Chains = map[string]store.ForwardedEntry{}
	}
	return &forwarder{
		batch: store.AuditBatch{Next: from}, limit: limit, recent: now.Add(-settleTime), whole: true,
		beyond: map[string]bool{},
	}
}

// behind returns the chains whose last entry was not forwarded.
func (f *forwarder) behind(heads map[string]record.AuditHead) (lanes []string) {
	for lane, head := range heads {
		if last := f.batch.Next.Chains[lane]; !bytes.Equal(last.Hash, head.Hash) && !f.beyond[lane] {
			lanes = append(lanes, lane)
		}
	}
	if begun := heads[auditLanes[0]]; f.batch.Next.Chains[store.OlderChain].Seq < begun.Older {
		lanes = append(lanes, store.OlderChain)
	}
	slices.Sort(lanes)
	return lanes
}

// readFrom collects the entries behind a place.
func (f *forwarder) readFrom(tx driver.Tx, orgID, after string) error {
	q := driver.Query{Equal: []any{orgID}, After: after}
	return audits.visitAll(tx, q, func(row driver.Row, one record.ChainedAudit) (bool, error) {
		rank := row.Key[1]
		if row.Err == nil {
			if f.batch.More = f.isNew(rank, one) && len(f.batch.Rows) == f.limit; f.batch.More {
				return false, nil
			}
			f.collect(rank, one)
			f.whole = f.whole && one.At.Before(f.recent)
		}
		if f.whole {
			f.batch.Next.After = row.Place
		}
		return true, nil
	})
}

// isNew reports whether an entry was not forwarded.
func (f *forwarder) isNew(rank string, one record.ChainedAudit) bool {
	return rank > f.batch.Next.Chains[chainOf(one)].Rank
}

// collect adds an entry unless it was forwarded.
func (f *forwarder) collect(rank string, one record.ChainedAudit) {
	if !f.isNew(rank, one) {
		return
	}
	chain := chainOf(one)
	last := store.ForwardedEntry{Rank: rank, Seq: f.batch.Next.Chains[chain].Seq + 1}
	if one.Chain != nil {
		f.gap = f.gap || one.Chain.Seq != last.Seq
		last.Seq, last.Hash = one.Chain.Seq, one.Chain.Hash
		f.beyond[chain] = true
	}
	f.batch.Next.Chains[chain] = last
	row := store.AuditRow{Entry: one.AuditEntry, Chain: chain, Seq: last.Seq, Hash: last.Hash}
	f.batch.Rows = append(f.batch.Rows, row)
}

// passOver notes the chains whose last entries are missing, so that they are not looked for again.
func (f *forwarder) passOver(heads map[string]record.AuditHead) {
	for _, lane := range f.behind(heads) {
		f.batch.Lost = append(f.batch.Lost, lane)
		last := f.batch.Next.Chains[lane]
		if last.Hash = heads[lane].Hash; lane == store.OlderChain {
			last.Seq = heads[auditLanes[0]].Older
		}
		f.batch.Next.Chains[lane] = last
	}
}

// chainOf returns the chain of an entry.
func chainOf(one record.ChainedAudit) string {
	if one.Chain == nil {
		return store.OlderChain
	}
	return one.Chain.Lane
}
