package records

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
)

// verifyPage is the number of entries that one transaction of a verification reads.
const verifyPage = 1000

// VerifyAudit implements [store.AuditStore]. It verifies the trail as it was when it began, and what was appended
// meanwhile as far as it can be read: entries of other transactions, whose ranks are between those that were read, are
// left out.
func (s *Records) VerifyAudit(ctx context.Context, orgID string) (store.AuditVerification, error) {
	v := auditVerifier{orgID: orgID, lanes: map[string]*laneState{}}
	err := s.db.Read(ctx, func(tx driver.Tx) (err error) {
		if err = needOrganization(tx, orgID); err == nil {
			v.key = tx.AuditKey()
			v.heads, err = readHeads(tx, orgID)
		}
		return err
	})
	if err != nil {
		return store.AuditVerification{}, err
	}
	v.checkHeads()
	for more := true; more && v.done.Fault == ""; {
		err := s.db.Read(ctx, func(tx driver.Tx) (err error) {
			more, err = v.readPage(tx)
			return err
		})
		if err != nil {
			return v.done, err
		}
	}
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		later, err := readHeads(tx, orgID)
		v.checkEnds(later)
		return err
	})
	return v.done, err
}

// readHeads returns the heads of an organization's chains that can be read, by their names.
func readHeads(tx driver.Tx, orgID string) (map[string]record.AuditHead, error) {
	heads := map[string]record.AuditHead{}
	q := driver.Query{Equal: []any{orgID}}
	err := auditHeads.visit(tx, q, func(row driver.Row, one record.AuditHead) (bool, error) {
		heads[row.Key[1]] = one
		return true, nil
	})
	return heads, err
}

// laneState is how far a chain was followed.
type laneState struct {
	seq  uint64
	hash []byte
	// lost means that entries which were appended after the verification began were left out.
	lost bool
}

// auditVerifier follows the chains of an organization.
type auditVerifier struct {
	orgID string
	key   [32]byte
	heads map[string]record.AuditHead // as they were at the beginning
	lanes map[string]*laneState
	older record.AuditHead // the entries without a place in a chain up to now: Older and OlderHash
	after string           // the place of the last entry that was read
	done  store.AuditVerification
}

// addFault notes the first fault.
func (v *auditVerifier) addFault(format string, args ...any) {
	if v.done.Fault == "" {
		v.done.Fault = fmt.Sprintf(format, args...)
	}
}

// checkHeads checks that every chain has a head that fits its seal.
func (v *auditVerifier) checkHeads() {
	for n, lane := range auditLanes {
		head, found := v.heads[lane]
		v.lanes[lane] = &laneState{}
		switch {
		case !found:
			v.addFault("the head of chain %s is missing", lane)
		case !record.FitsSeal(v.key, v.orgID, lane, head):
			v.addFault("the head of chain %s, entry %d, was changed: it does not fit its seal", lane, head.Seq)
		case head.Broken != nil:
			v.addFault("the head of chain %s was changed or missing when an entry was added at %s",
				lane, formatTime(*head.Broken))
		}
		if n == 0 {
			v.done.Began = head.Began
		}
	}
}

// readPage follows the chains over the next entries; false at the end.
func (v *auditVerifier) readPage(tx driver.Tx) (more bool, err error) {
	n := 0
	q := driver.Query{Equal: []any{v.orgID}, After: v.after, Limit: verifyPage}
	err = audits.visitAll(tx, q, func(row driver.Row, one record.ChainedAudit) (bool, error) {
		n++
		v.after = row.Place
		v.checkEntry(row, one)
		return v.done.Fault == "", nil
	})
	return n >= verifyPage, err
}

// checkEntry checks that an entry is the next of its chain and unchanged.
func (v *auditVerifier) checkEntry(row driver.Row, one record.ChainedAudit) {
	v.done.Entries++
	if row.Err != nil {
		v.addFault("entry %s cannot be read: %v", rankOf(row), row.Err)
		return
	}
	if one.Chain == nil {
		v.checkOlder(row, one)
		return
	}
	link, name := one.Chain, describeEntry(row, one)
	state, known := v.lanes[link.Lane]
	plain, err := json.Marshal(one.AuditEntry)
	whole, wholeErr := json.Marshal(one)
	switch {
	case err != nil || wholeErr != nil || !known:
		v.addFault("%s was changed: it names chain %q", name, link.Lane)
	case state.lost:
	case link.Seq > state.seq+1 && state.seq >= v.heads[link.Lane].Seq:
		state.lost = true // the others were committed after the page in which they would have been
	case link.Seq > state.seq+1:
		v.addFault("entry %d of chain %s is missing, before %s", state.seq+1, link.Lane, name)
	case link.Seq < state.seq+1:
		v.addFault("%s is not in its place: it is entry %d of chain %s, after entry %d", name, link.Seq, link.Lane, state.seq)
	case !bytes.Equal(whole, row.Raw),
		!bytes.Equal(link.Hash, record.HashAudit(state.hash, v.orgID, link.Lane, link.Seq, plain)):
		v.addFault("%s was changed", name)
	default:
		state.seq, state.hash = link.Seq, link.Hash
		v.checkHeadHash(link, name)
	}
}

// checkHeadHash checks that the last entry of a chain, as it was at the beginning, is the one that its head names.
func (v *auditVerifier) checkHeadHash(link *record.AuditLink, name string) {
	if head := v.heads[link.Lane]; link.Seq == head.Seq && !bytes.Equal(link.Hash, head.Hash) {
		v.addFault("%s, or one before it in chain %s, was replaced: its head names another", name, link.Lane)
	}
}

// checkOlder checks an entry without a place in a chain.
func (v *auditVerifier) checkOlder(row driver.Row, one record.ChainedAudit) {
	v.older.Older++
	v.older.OlderHash = hashOlder(v.older, v.orgID, row)
	if begun := v.heads[auditLanes[0]]; v.older.Older > begun.Older {
		v.addFault("%s is in no chain, although they began at %s: it was added or changed by hand, or written by an older "+
			"version of Munadi", describeEntry(row, one), formatTime(begun.Began))
	}
}

// checkEnds checks that no entry at the end of a chain is missing, and none was added that a later head does not count.
func (v *auditVerifier) checkEnds(later map[string]record.AuditHead) {
	begun := v.heads[auditLanes[0]]
	if v.done.Older = int(v.older.Older); v.older.Older < begun.Older || !bytes.Equal(v.older.OlderHash, begun.OlderHash) {
		v.addFault("one of the %d entries of before %s was changed or is missing", begun.Older, formatTime(begun.Began))
	}
	for _, lane := range slices.Sorted(maps.Keys(v.lanes)) {
		state, head := v.lanes[lane], v.heads[lane]
		switch {
		case state.seq < head.Seq:
			v.addFault("the last entries of chain %s are missing: entry %d to %d", lane, state.seq+1, head.Seq)
		case state.seq > later[lane].Seq:
			v.addFault("entry %d of chain %s was added by hand: its head names entry %d as the last",
				later[lane].Seq+1, lane, later[lane].Seq)
		}
	}
}

// describeEntry returns an entry's name in a fault: what somebody finds it by.
func describeEntry(row driver.Row, one record.ChainedAudit) string {
	return fmt.Sprintf("entry %s (%s, %s by %s)", rankOf(row), formatTime(one.At), one.Action, one.Actor)
}

// rankOf returns an entry's rank as a number.
func rankOf(row driver.Row) string {
	rank, _ := audits.DecodePart("rank", row.Key[1])
	return fmt.Sprint(rank)
}

func formatTime(at time.Time) string { return at.UTC().Format(time.RFC3339) }
