package storetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
	"munadi/store/records"
)

// auditKey is the key that seals the audit trail in tests.
var auditKey = [32]byte{1, 2, 3}

// wantFault fails unless the verification of bakery's trail finds a fault with these words; none for empty ones.
func wantFault(t *testing.T, what string, s store.Store, words string) store.AuditVerification {
	t.Helper()
	got, err := s.VerifyAudit(t.Context(), "bakery")
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if words == "" && got.Fault != "" || !strings.Contains(got.Fault, words) {
		t.Errorf("%s: fault %q, want %q", what, got.Fault, words)
	}
	return got
}

// wantRead fails unless the reading of bakery's trail visits n entries.
func wantRead(t *testing.T, what string, s store.Store, n int) {
	t.Helper()
	_, err := s.ReadAudit(t.Context(), "bakery", func(store.AuditRow) error { n--; return nil })
	if err != nil || n != 0 {
		t.Errorf("%s: %d entries were not read, %v", what, n, err)
	}
}

// addAudits adds n entries to bakery's trail.
func addAudits(t *testing.T, s store.Store, n int) {
	t.Helper()
	for i := range n {
		e := store.AuditEntry{At: startTime(), Actor: asked, Action: "test.add", Subject: fmt.Sprint(i)}
		wantCode(t, "AddAudit", s.AddAudit(t.Context(), "bakery", e), "")
	}
}

// auditVerified: a trail that nobody touched is whole, also of an organization without changes and with another key
// only with that key.
func auditVerified(t *testing.T, s store.Store) {
	s.UseAuditKey(auditKey)
	addOrganizations(t, s, "bakery")
	addAudits(t, s, 5)
	if got := wantFault(t, "a new trail", s, ""); got.Entries != 6 || got.Older != 0 || got.Began.IsZero() {
		t.Errorf("%+v", got)
	}
	wantCode(t, "BeginAudit", s.BeginAudit(t.Context(), startTime()), "")
	wantFault(t, "begun again", s, "")
	_, err := s.VerifyAudit(t.Context(), "nobody")
	wantCode(t, "VerifyAudit of nobody", err, store.CodeNotFound)
	s.UseAuditKey([32]byte{9})
	wantFault(t, "with another key", s, "does not fit its seal")
	s.UseAuditKey(auditKey)
	wantFault(t, "with the key", s, "")
}

// auditRead: every entry is read once with its place, which its hash confirms, up to the ends.
func auditRead(t *testing.T, s store.Store) {
	s.UseAuditKey(auditKey)
	addOrganizations(t, s, "bakery", "airline")
	addAudits(t, s, 1100)
	last, n := map[string]store.AuditEnd{}, 0
	ends, err := s.ReadAudit(t.Context(), "bakery", func(row store.AuditRow) error {
		n++
		before := last[row.Chain]
		if row.Seq != before.Seq+1 || !bytes.Equal(row.Before, before.Hash) || row.Fault != "" ||
			!bytes.Equal(row.Hash, record.HashAudit(row.Before, "bakery", row.Place, row.Seq, row.JSON)) {
			t.Errorf("entry %d is %+v after %+v", n, row, before)
		}
		last[row.Chain] = store.AuditEnd{Seq: row.Seq, Hash: row.Hash}
		return nil
	})
	if wantCode(t, "ReadAudit", err, ""); n != 1101 {
		t.Errorf("%d entries were read", n)
	}
	for chain, end := range ends {
		if last[chain].Seq != end.Seq || !bytes.Equal(last[chain].Hash, end.Hash) {
			t.Errorf("chain %s ends at %+v, read up to %+v", chain, end, last[chain])
		}
	}
	enough := errors.New("enough")
	if _, err = s.ReadAudit(t.Context(), "bakery", func(store.AuditRow) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("the visitor's error becomes %v", err)
	}
	_, err = s.ReadAudit(t.Context(), "nobody", func(store.AuditRow) error { return nil })
	wantCode(t, "ReadAudit of nobody", err, store.CodeNotFound)
}

// auditAtOnce: concurrent changes of an organization leave a whole trail, and verifications beside them find no fault.
func auditAtOnce(t *testing.T, s store.Store) {
	s.UseAuditKey(auditKey)
	addOrganizations(t, s, "bakery")
	const writers, each = 40, 10
	var all sync.WaitGroup
	for range writers {
		all.Go(func() { addAudits(t, s, each) })
	}
	for range 5 {
		wantFault(t, "meanwhile", s, "")
	}
	all.Wait()
	if got := wantFault(t, "afterwards", s, ""); got.Entries != writers*each+1 {
		t.Errorf("%d entries, want %d", got.Entries, writers*each+1)
	}
}

// auditTamper is somebody who edits the database without the installation's secret.
type auditTamper struct {
	*testing.T
	db driver.Driver
}

// tableOfKind returns the declared table of a kind.
func tableOfKind(kind string) *driver.Table {
	all := records.ListTables()
	return all[slices.IndexFunc(all, func(t *driver.Table) bool { return t.Kind == kind })]
}

// rows returns bakery's rows of a kind, by key.
func (a auditTamper) rows(kind string) []driver.Row { return a.rowsOf(kind, "bakery") }

// rowsOf returns an owner's rows of a kind, by key.
func (a auditTamper) rowsOf(kind, owner string) (all []driver.Row) {
	a.Helper()
	err := a.db.Read(context.Background(), func(tx driver.Tx) error {
		all = nil
		return tx.Scan(driver.Query{Table: tableOfKind(kind), Equal: []any{owner}}, func(row driver.Row) (bool, error) {
			row.Key, row.Raw = slices.Clone(row.Key), slices.Clone(row.Raw)
			all = append(all, row)
			return true, nil
		})
	})
	if err != nil {
		a.Fatal(err)
	}
	return all
}

// put writes rows of a kind.
func (a auditTamper) put(kind string, all ...driver.Row) {
	a.Helper()
	err := a.db.Update(context.Background(), func(tx driver.Tx) error {
		for _, row := range all {
			if err := tx.Put(tableOfKind(kind), nil, driver.Row{Key: row.Key, Raw: row.Raw}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		a.Fatal(err)
	}
}

// remove deletes rows of a kind.
func (a auditTamper) remove(kind string, all ...driver.Row) {
	a.Helper()
	err := a.db.Update(context.Background(), func(tx driver.Tx) error {
		for _, row := range all {
			if err := tx.Delete(tableOfKind(kind), driver.Row{Key: row.Key}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		a.Fatal(err)
	}
}

// RunAuditTamper checks that every way to change a trail in the database without the secret is found and named.
func RunAuditTamper(t *testing.T, open func(t *testing.T) (store.Store, driver.Driver)) {
	t.Helper()
	s, db := open(t)
	s.UseAuditKey(auditKey)
	addOrganizations(t, s, "bakery")
	addAudits(t, s, 9)
	a := auditTamper{t, db}
	entries, heads := a.rows("audit"), a.rows("audit-head")
	last := len(entries) - 1
	undo := func() { a.put("audit", entries...); a.put("audit-head", heads...) }
	for _, c := range []struct {
		what  string
		edit  func()
		fault string
	}{
		{"a word", func() { a.put("audit", a.editEntry(entries[4], asked, "somebody")) }, "was changed"},
		{"a letter of a name", func() { a.put("audit", a.editEntry(entries[4], `"actor"`, `"Actor"`)) }, "was changed"},
		{"an added name", func() { a.put("audit", a.editEntry(entries[4], `{"at"`, `{"x":1,"at"`)) }, "was changed"},
		{"one of the middle", func() { a.remove("audit", entries[4]) }, "entry 5 of chain 00 is missing"},
		{"the first", func() { a.remove("audit", entries[0]) }, "entry 1 of chain 00 is missing"},
		{"the last", func() { a.remove("audit", entries[last]) }, "the last entries of chain 00 are missing: entry 10 to 10"},
		{"the last three", func() { a.remove("audit", entries[last-2:]...) }, "entry 8 to 10"},
		{"all", func() { a.remove("audit", entries...) }, "entry 1 to 10"},
		{"two swapped", func() { a.put("audit", swapRows(entries[3], entries[4])...) }, "is missing"},
		{"one copied", func() { a.put("audit", driver.Row{Key: entries[4].Key, Raw: entries[3].Raw}) }, "is not in its place"},
		{"one added", func() { a.put("audit", a.addedEntry(entries[last], nil)) }, "is in no chain"},
		{"one added to its chain", func() { a.put("audit", a.addedEntry(entries[last], entries[last].Raw)) }, "was added by hand"},
		{"its place removed", func() { a.put("audit", a.plainEntry(entries[last])) }, "is in no chain"},
		{"a head", func() { a.remove("audit-head", heads[7]) }, "the head of chain 07 is missing"},
		{"all heads", func() { a.remove("audit-head", heads...) }, "the head of chain 00 is missing"},
		{"last and head", func() {
			a.remove("audit", entries[last])
			a.put("audit-head", a.headOf(heads[0], entries[last-1]))
		}, "does not fit its seal"},
		{"a chain written anew", func() { a.put("audit", a.rewriteChain(entries, 4)...) }, "was replaced: its head names another"},
		{"another head", func() { a.put("audit-head", driver.Row{Key: heads[0].Key, Raw: heads[1].Raw}) }, "does not fit its seal"},
	} {
		c.edit()
		wantFault(t, c.what, s, c.fault)
		undo()
		a.remove("audit", driver.Row{Key: a.addedEntry(entries[last], nil).Key})
		wantFault(t, c.what+", undone", s, "")
	}
	for what, edit := range map[string]func(){
		"edited":  func() { a.put("audit-head", a.headOf(heads[0], entries[last-1])) },
		"removed": func() { a.remove("audit-head", heads[0]) },
		"all":     func() { a.remove("audit-head", heads...) },
	} {
		edit()
		before := a.rows("audit")
		wantRead(t, "the head is "+what, s, len(before))
		addAudits(t, s, 1) // seals what it finds, and remembers that it did not fit
		addAudits(t, s, 1)
		wantFault(t, "appended after the head was "+what, s, "the head of chain 00")
		wantRead(t, "appended after the head was "+what, s, len(before)+2)
		a.remove("audit", a.rows("audit")[len(before):]...)
		undo()
		wantFault(t, what+", undone", s, "")
	}
}

// RunOrganizationTamper checks that an organization that is removed from the database by hand is missed, and that its
// removal from the sealed list is found, too.
func RunOrganizationTamper(t *testing.T, open func(t *testing.T) (store.Store, driver.Driver)) {
	t.Helper()
	s, db := open(t)
	s.UseAuditKey(auditKey)
	addOrganizations(t, s, "bakery", "airline")
	a := auditTamper{t, db}
	want := func(what string, faults map[string]string) {
		t.Helper()
		got, err := s.VerifyOrganizations(t.Context())
		if err != nil || len(got) != len(faults) {
			t.Errorf("%s: %v, %v", what, got, err)
		}
		for id, words := range faults {
			if !strings.Contains(got[id], words) {
				t.Errorf("%s: %v, want %q of %s", what, got, words, id)
			}
		}
	}
	want("nothing changed", nil)
	a.remove("org", driver.Row{Key: []string{"airline"}})
	a.remove("audit", a.rowsOf("audit", "airline")...)
	a.remove("audit-head", a.rowsOf("audit-head", "airline")...)
	removed := map[string]string{"airline": "was removed from the database"}
	want("an organization and its trail removed", removed)
	wantCode(t, "BeginAudit", s.BeginAudit(t.Context(), startTime()), "")
	addOrganizations(t, s, "cinema")
	want("after a start and another organization", removed)
	list := a.rowsOf("audit-head", "*")
	a.put("audit-head", a.editEntry(list[0], `"airline",`, ""))
	want("the list shortened", map[string]string{store.AllOrganizations: "does not fit its seal"})
	addOrganizations(t, s, "dairy")
	want("sealed again", map[string]string{store.AllOrganizations: "removed or changed by hand"})
	a.remove("audit-head", list...)
	want("no list", map[string]string{store.AllOrganizations: "is missing"})
	wantCode(t, "BeginAudit", s.BeginAudit(t.Context(), startTime()), "")
	want("upgraded", nil)
	a.remove("org", driver.Row{Key: []string{"bakery"}})
	addOrganizations(t, s, "bakery")
	want("one removed and made again", map[string]string{store.AllOrganizations: "removed or changed by hand"})
}

// RunAuditUpgrade checks that entries of before the chains begin them, and that a change of one is found.
func RunAuditUpgrade(t *testing.T, open func(t *testing.T) (store.Store, driver.Driver)) {
	t.Helper()
	s, db := open(t)
	s.UseAuditKey(auditKey)
	addOrganizations(t, s, "bakery")
	addAudits(t, s, 4)
	a := auditTamper{t, db}
	older := a.rows("audit")
	for i := range older {
		older[i] = a.plainEntry(older[i])
	}
	a.put("audit", older...)
	a.remove("audit-head", a.rows("audit-head")...)
	wantFault(t, "before the upgrade", s, "is missing")
	wantCode(t, "BeginAudit", s.BeginAudit(t.Context(), startTime().Add(time.Hour)), "")
	addAudits(t, s, 3)
	if got := wantFault(t, "upgraded", s, ""); got.Older != 5 || got.Entries != 8 || !got.Began.Equal(startTime().Add(time.Hour)) {
		t.Errorf("%+v", got)
	}
	added := a.addedEntry(a.rows("audit")[7], nil)
	a.put("audit", added)
	wantFault(t, "one added as an older version does", s, "is in no chain")
	wantRead(t, "one added as an older version does", s, 9)
	a.remove("audit", added)
	a.put("audit", a.editEntry(older[2], asked, "somebody"))
	wantFault(t, "an older one changed", s, "one of the 5 entries of before 2026-11-21T10:30:00Z was changed or is missing")
	a.put("audit", older[2])
	a.remove("audit", older[4])
	wantFault(t, "the last older one removed", s, "one of the 5 entries")
}

// editEntry returns a row with a text in place of another, which it must have.
func (a auditTamper) editEntry(row driver.Row, from, to string) driver.Row {
	edited := bytes.Replace(row.Raw, []byte(from), []byte(to), 1)
	if bytes.Equal(edited, row.Raw) {
		a.Fatalf("%s has no %s", row.Raw, from)
	}
	return driver.Row{Key: row.Key, Raw: edited}
}

func swapRows(a, b driver.Row) []driver.Row {
	return []driver.Row{{Key: a.Key, Raw: b.Raw}, {Key: b.Key, Raw: a.Raw}}
}

// decodeEntry returns the entry of a row.
func (a auditTamper) decodeEntry(row driver.Row) (one record.ChainedAudit) {
	if err := json.Unmarshal(row.Raw, &one); err != nil {
		a.Fatal(err)
	}
	return one
}

// encodeEntry returns a row with an entry.
func (a auditTamper) encodeEntry(key []string, one any) driver.Row {
	raw, err := json.Marshal(one)
	if err != nil {
		a.Fatal(err)
	}
	return driver.Row{Key: key, Raw: raw}
}

// plainEntry returns a row without its place in a chain.
func (a auditTamper) plainEntry(row driver.Row) driver.Row {
	return a.encodeEntry(row.Key, a.decodeEntry(row).AuditEntry)
}

// addedEntry returns a further row, in no chain, or after one in its chain.
func (a auditTamper) addedEntry(last driver.Row, before []byte) driver.Row {
	key := []string{last.Key[0], record.EncodeRank(1 << 40)}
	one := record.ChainedAudit{AuditEntry: store.AuditEntry{At: startTime(), Actor: asked, Action: "test.forged"}}
	if before != nil {
		link := *a.decodeEntry(last).Chain
		link.Seq++
		plain, _ := json.Marshal(one.AuditEntry)
		link.Hash = record.HashAudit(link.Hash, last.Key[0], link.Lane, link.Seq, plain)
		one.Chain = &link
	}
	return a.encodeEntry(key, one)
}

// headOf returns a head that names an entry as the last, with the seal that it had.
func (a auditTamper) headOf(head, entry driver.Row) driver.Row {
	var h record.AuditHead
	if err := json.Unmarshal(head.Raw, &h); err != nil {
		a.Fatal(err)
	}
	link := a.decodeEntry(entry).Chain
	h.Seq, h.Hash = link.Seq, link.Hash
	return a.encodeEntry(head.Key, h)
}

// rewriteChain returns entries, the one at i with another subject, each chained to the one before it.
func (a auditTamper) rewriteChain(entries []driver.Row, i int) (all []driver.Row) {
	var hash []byte
	for n, row := range entries {
		one := a.decodeEntry(row)
		if n == i {
			one.Subject = "forged"
		}
		plain, _ := json.Marshal(one.AuditEntry)
		one.Chain.Hash = record.HashAudit(hash, row.Key[0], one.Chain.Lane, one.Chain.Seq, plain)
		hash = one.Chain.Hash
		all = append(all, a.encodeEntry(row.Key, one))
	}
	return all
}

// RunAuditSQL checks that edits of the tables are found. Undoing the last one shows that the trail is whole otherwise.
func RunAuditSQL(t *testing.T, s store.Store, run func(statement string)) {
	t.Helper()
	s.UseAuditKey(auditKey)
	addOrganizations(t, s, "bakery")
	addAudits(t, s, 5)
	run("CREATE TABLE kept AS SELECT * FROM audit")
	for statement, fault := range map[string]string{
		"DELETE FROM audit WHERE rank = (SELECT max(rank) FROM audit)":                                         "entry 6 to 6",
		"DELETE FROM audit WHERE rank = (SELECT min(rank) + 2 FROM audit)":                                     "entry 3 of chain 00 is missing",
		"UPDATE audit SET record = set_byte(record, 12, 57) WHERE rank = (SELECT max(rank) FROM audit)":        "entry 6 ",
		"UPDATE audit SET rank = 1000000 - rank":                                                               "is missing",
		"UPDATE audit SET record = convert_to(replace(convert_from(record, 'UTF8'), 'test.add', 'x'), 'UTF8')": "was changed",
	} {
		run(statement)
		wantFault(t, statement, s, fault)
		run("DELETE FROM audit; INSERT INTO audit SELECT * FROM kept")
		wantFault(t, statement+", undone", s, "")
	}
}
