package records

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
)

// audits are an organization's audit entries. Their ranks have no gap that is not a loss.
var audits = declareKind[record.ChainedAudit](driver.Table{
	Kind: "audit", Name: "audit", Key: []string{"org", "rank"}, Numbers: []string{"rank"},
	Counter: "audit-rank", Ranked: []string{"rank"},
}, nil, nil)

// auditHeads are the heads of an organization's chains of audit entries: auditLanes from the first entry on, so that a
// missing one is noticed. A transaction appends to one that no other transaction is appending to; so concurrent
// transactions of an organization need not wait for each other, as they would with a single chain.
var auditHeads = declareKind[record.AuditHead](driver.Table{
	Kind: "audit-head", Name: "audit_heads", Key: []string{"org", "lane"},
}, nil, nil)

// auditLanes are the names of an organization's chains: no fewer than transactions run at once.
var auditLanes = func() (names []string) {
	for n := range 32 {
		names = append(names, fmt.Sprintf("%02d", n))
	}
	return names
}()

// addAudit appends an entry to an organization's audit trail and to one of its chains, in the transaction of the change
// that it records.
func addAudit(tx driver.Tx, orgID string, entry store.AuditEntry) error {
	if err := record.CheckAudit(entry); err != nil {
		return err
	}
	lane, head, before, err := takeHead(tx, orgID, entry.At)
	if err != nil {
		return err
	}
	if head.Broken == nil && !record.FitsSeal(tx.AuditKey(), orgID, lane, head) {
		head.Broken = &entry.At
	}
	plain, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	head.Seq++
	head.Hash = record.HashAudit(head.Hash, orgID, lane, head.Seq, plain)
	link := record.AuditLink{Lane: lane, Seq: head.Seq, Hash: head.Hash}
	if err := audits.append(tx, record.ChainedAudit{AuditEntry: entry, Chain: &link}, orgID); err != nil {
		return err
	}
	head.Seal = record.SealHead(tx.AuditKey(), orgID, lane, head)
	row, err := auditHeads.row(head, []string{orgID, lane})
	if err != nil {
		return err
	}
	return tx.PutLane(auditHeads.Table, row, before)
}

// takeHead takes the head of a chain of an organization, and returns its stored form, too.
func takeHead(
	tx driver.Tx, orgID string, now time.Time,
) (lane string, head record.AuditHead, before []byte, err error) {
	lane, before, found, err := tx.TakeLane(auditHeads.Table, orgID, auditLanes)
	if err != nil && !store.IsUnreadable(err) {
		return lane, head, nil, err
	}
	if err == nil && found && json.Unmarshal(before, &head) == nil {
		return lane, head, before, nil
	}
	lane, head, err = needHead(tx, orgID, lane, now)
	return lane, head, nil, err
}

// needHead locks the head of one chain. One that was removed or cannot be read begins anew and is marked: its entry
// must not be refused, and the loss not be hidden.
func needHead(tx driver.Tx, orgID, lane string, now time.Time) (string, record.AuditHead, error) {
	head, found, err := auditHeads.lockReadable(tx, orgID, lane)
	if err != nil || found {
		return lane, head, err
	}
	begun, err := beginChains(tx, orgID, now)
	if err != nil {
		return lane, head, err
	}
	if begun {
		lane = auditLanes[0]
	}
	head, found, err = auditHeads.lockReadable(tx, orgID, lane)
	if err == nil && !found {
		head = record.AuditHead{Began: now, Broken: &now}
	}
	return lane, head, err
}

// beginChains adds the heads of an organization that has none. The entries that it has are those of before the chains
// (an upgrade): one hash over all of them is sealed. begun is false for one that has heads.
func beginChains(tx driver.Tx, orgID string, now time.Time) (begun bool, err error) {
	if err := tx.LockNames([]string{"audit", orgID}); err != nil {
		return false, err
	}
	begun = true
	one := driver.Query{Equal: []any{orgID}, Limit: 1}
	err = auditHeads.visitAll(tx, one, func(driver.Row, record.AuditHead) (bool, error) {
		begun = false
		return false, nil
	})
	if err != nil || !begun {
		return false, err
	}
	first := record.AuditHead{Began: now}
	all := driver.Query{Equal: []any{orgID}}
	err = audits.visitAll(tx, all, func(row driver.Row, entry record.ChainedAudit) (bool, error) {
		if entry.Chain != nil { // it had heads
			first.Broken = &now
		}
		first.Older++
		first.OlderHash = hashOlder(first, orgID, row)
		return true, nil
	})
	for _, lane := range auditLanes {
		if err == nil {
			first.Seal = record.SealHead(tx.AuditKey(), orgID, lane, first)
			err = auditHeads.put(tx, first, orgID, lane)
		}
		first = record.AuditHead{Began: now, Broken: first.Broken}
	}
	return true, err
}

// hashOlder returns the hash over the entries of before the chains up to a row, the last of h.Older.
func hashOlder(h record.AuditHead, orgID string, row driver.Row) []byte {
	return record.HashAudit(h.OlderHash, orgID, row.Key[1], h.Older, row.Raw)
}

// BeginAudit implements [store.AuditStore].
func (s *Records) BeginAudit(ctx context.Context, now time.Time) error {
	all, err := s.ListOrganizations(ctx)
	var ids []string
	for _, o := range all {
		ids = append(ids, o.ID)
		if err == nil {
			err = s.db.Update(ctx, func(tx driver.Tx) error {
				_, err := beginChains(tx, o.ID, now)
				return err
			})
		}
	}
	if err != nil {
		return err
	}
	return s.db.Update(ctx, func(tx driver.Tx) error { return enrollOrganizations(tx, now, false, ids...) })
}

// AddAudit implements [store.UserStore].
func (s *Records) AddAudit(ctx context.Context, orgID string, entry store.AuditEntry) error {
	return s.change(ctx, func(tx driver.Tx) (audited, error) {
		return audited{orgID, entry}, needOrganization(tx, orgID)
	})
}

// AuditTrail implements [store.AuditStore].
func (s *Records) AuditTrail(
	ctx context.Context, orgID string, limit int, cursor string,
) (store.ListPage[store.AuditEntry], error) {
	found, err := read(ctx, s, func(tx driver.Tx) (store.ListPage[record.ChainedAudit], error) {
		return audits.page(tx, driver.Query{Equal: []any{orgID}, Latest: true}, []string{"audit", orgID}, limit, cursor)
	})
	return mapPage(found, func(r record.ChainedAudit) store.AuditEntry { return r.AuditEntry }), err
}
