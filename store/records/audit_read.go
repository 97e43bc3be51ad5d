package records

import (
	"context"
	"encoding/json"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
)

// ReadAudit implements [store.AuditStore]. Entries that were appended meanwhile are beyond the sealed ends, and left
// out. A chain whose head cannot be read, was changed, or began anew after that, has none to leave entries out by, and
// the entries of before the chains grow no more: all of them are read.
func (s *Records) ReadAudit(
	ctx context.Context, orgID string, visit func(store.AuditRow) error,
) (map[string]store.AuditEnd, error) {
	r := auditReader{
		orgID: orgID, ends: map[string]store.AuditEnd{}, sealed: map[string]uint64{}, last: map[string][]byte{},
	}
	err := s.db.Read(ctx, func(tx driver.Tx) error {
		if err := needOrganization(tx, orgID); err != nil {
			return err
		}
		heads, err := readHeads(tx, orgID)
		for lane, head := range heads {
			r.ends[lane] = store.AuditEnd{Seq: head.Seq, Hash: head.Hash}
			if head.Broken == nil && record.FitsSeal(tx.AuditKey(), orgID, lane, head) {
				r.sealed[lane] = head.Seq
			}
		}
		if begun, found := heads[auditLanes[0]]; found {
			r.ends[store.OlderChain] = store.AuditEnd{Seq: begun.Older, Hash: begun.OlderHash}
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
	sealed map[string]uint64         // of the chains whose head is as it was written, its last entry
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
	end, sealed := r.sealed[found.Chain]
	return found, !sealed || found.Seq <= end
}
