package records

import (
	"context"
	"encoding/json"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
)

// ReadAudit implements [store.AuditStore]. Entries that were appended meanwhile are beyond the ends, and left out. A
// chain whose head cannot be read, or began anew after that, has no end to leave entries out by: all of it is read.
func (s *Records) ReadAudit(
	ctx context.Context, orgID string, visit func(store.AuditRow) error,
) (map[string]store.AuditEnd, error) {
	r := auditReader{orgID: orgID, ends: map[string]store.AuditEnd{}, broken: map[string]bool{}, last: map[string][]byte{}}
	err := s.db.Read(ctx, func(tx driver.Tx) error {
		if err := NeedOrganization(tx, orgID); err != nil {
			return err
		}
		heads, err := readHeads(tx, orgID)
		for lane, head := range heads {
			r.ends[lane], r.broken[lane] = store.AuditEnd{Seq: head.Seq, Hash: head.Hash}, head.Broken != nil
		}
		if begun, found := heads[auditLanes[0]]; found {
			r.ends[store.OlderChain] = store.AuditEnd{Seq: begun.Older, Hash: begun.OlderHash}
			r.broken[store.OlderChain] = begun.Broken != nil
		}
		return err
	})
	for more := true; more && err == nil; {
		var page []store.AuditRow
		err = s.db.Read(ctx, func(tx driver.Tx) (err error) {
			page, more, err = r.readPage(tx)
			return err
		})
		for _, row := range page {
			if err == nil {
				err = visit(row)
			}
		}
	}
	return r.ends, err
}

// auditReader reads an organization's audit entries page by page.
type auditReader struct {
	orgID  string
	ends   map[string]store.AuditEnd // as they were at the beginning
	broken map[string]bool           // the chains whose end may be before entries that they had
	last   map[string][]byte         // the hash of the last entry of each chain
	older  record.AuditHead          // the entries of before the chains up to now
	after  string                    // the place of the last entry that was read
}

// readPage reads the next entries; more is false at the end.
func (r *auditReader) readPage(tx driver.Tx) (page []store.AuditRow, more bool, err error) {
	n := 0
	q := driver.Query{Equal: []any{r.orgID}, After: r.after, Limit: verifyPage}
	err = audits.visitAll(tx, q, func(row driver.Row, one record.ChainedAudit) (bool, error) {
		n++
		r.after = row.Place
		if found, listed := r.rowOf(row, one); listed {
			page = append(page, found)
		}
		return true, nil
	})
	return page, n >= verifyPage, err
}

// rowOf returns an entry with its place in its chain; false for one beyond the ends.
func (r *auditReader) rowOf(row driver.Row, one record.ChainedAudit) (store.AuditRow, bool) {
	found := store.AuditRow{Entry: one.AuditEntry, Chain: store.OlderChain}
	plain, err := json.Marshal(one.AuditEntry)
	switch {
	case row.Err != nil || err != nil:
		found.Fault = "entry " + rankOf(row) + " cannot be read"
		return found, true
	case one.Chain == nil:
		found.JSON, found.Place, found.Before = row.Raw, row.Key[1], r.older.OlderHash
		r.older.Older++
		r.older.OlderHash = hashOlder(r.older, r.orgID, row)
		found.Seq, found.Hash = r.older.Older, r.older.OlderHash
	default:
		found.JSON, found.Chain, found.Place, found.Seq = plain, one.Chain.Lane, one.Chain.Lane, one.Chain.Seq
		found.Before, found.Hash = r.last[found.Chain], one.Chain.Hash
		r.last[found.Chain] = found.Hash
	}
	end, known := r.ends[found.Chain]
	return found, !known || r.broken[found.Chain] || found.Seq <= end.Seq
}
