package evidence_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/csvcell"
	"munadi/appliance/evidence"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/memory"
)

var (
	made = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	key  = evidence.NewSigningKey([32]byte{1})
)

// newTrail returns a store with an organization of n entries.
func newTrail(t testing.TB, n int) store.Store {
	t.Helper()
	s := memory.OpenStore()
	t.Cleanup(func() { _ = s.Close() })
	s.UseAuditKey([32]byte{7})
	if err := s.CreateOrganization(t.Context(), account.Organization{ID: "bakery", Name: "Bakery", CreatedAt: made}, "test"); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		e := store.AuditEntry{At: made, Actor: "user:amal", Action: "rules.put", Subject: fmt.Sprint(i), Note: "=1+1 نعم <b>"}
		if i%2 == 1 {
			e.Action = "webhook.put"
		}
		if err := s.AddAudit(t.Context(), "bakery", e); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// export returns the lines of an export, each with its line feed.
func export(t testing.TB, s store.Store, selected evidence.AuditSelection) []string {
	t.Helper()
	var out bytes.Buffer
	if err := evidence.WriteAudit(t.Context(), &out, s, key, "bakery", selected, made); err != nil {
		t.Fatal(err)
	}
	return slices.Collect(strings.Lines(out.String()))
}

func verify(lines ...string) (evidence.AuditFile, error) {
	return evidence.VerifyAuditFile(strings.NewReader(strings.Join(lines, "")))
}

// TestAuditFile: an export is whole by itself, of everything and of a selection.
func TestAuditFile(t *testing.T) {
	t.Parallel()
	s := newTrail(t, 8)
	lines := export(t, s, evidence.AuditSelection{})
	got, err := verify(lines...)
	if err != nil || got.Entries != 9 || got.Organization != "bakery" || !got.MadeAt.Equal(made) || got.Key != key.PublicKey() {
		t.Errorf("%+v, %v", got, err)
	}
	some := export(t, s, evidence.AuditFilter{Action: "webhook.", From: made, To: made.Add(time.Second)}.Selection())
	if got, err = verify(some...); err != nil || got.Entries != 4 || got.Selected["action"] != "webhook." {
		t.Errorf("selected %+v, %v", got, err)
	}
	if none := export(t, s, evidence.AuditFilter{From: made.Add(time.Hour)}.Selection()); len(none) != 2 {
		t.Errorf("none selected: %q", none)
	}
	if _, err := verify(slices.Delete(slices.Clone(some), 2, 3)...); err == nil {
		t.Error("an entry that is missing of a selection is not found")
	}
	if err := evidence.CheckKey(got.Key, evidence.NewSigningKey([32]byte{2}).PublicKey()); err == nil {
		t.Error("another key is taken")
	}
	err = evidence.WriteAudit(t.Context(), &bytes.Buffer{}, s, key, "nobody", evidence.AuditSelection{}, made)
	if store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("of nobody: %v", err)
	}
}

// TestAuditFileTampered: each way to edit an export by hand is found, with the first line that is not as it was.
func TestAuditFileTampered(t *testing.T) {
	t.Parallel()
	lines := export(t, newTrail(t, 8), evidence.AuditSelection{})
	other := export(t, newTrail(t, 8), evidence.AuditSelection{})
	edit := func(n int, from, to string) []string {
		edited := slices.Clone(lines)
		if edited[n] = strings.Replace(edited[n], from, to, 1); edited[n] == lines[n] {
			t.Fatalf("line %d has no %s: %s", n+1, from, lines[n])
		}
		return edited
	}
	last := len(lines) - 1
	for what, c := range map[string]struct {
		lines []string
		want  string
	}{
		"a word":             {edit(4, "amal", "nada"), "line 5 was changed"},
		"a space":            {edit(4, `"entry":{`, `"entry":{ `), "line 5 was changed"},
		"a number":           {edit(4, `"seq":4`, `"seq":5`), "line 5 was changed"},
		"one of the middle":  {slices.Concat(lines[:4], lines[5:]), "line 5 follows a gap: entry 4"},
		"the first":          {slices.Concat(lines[:1], lines[2:]), "line 2 follows a gap: entry 1"},
		"two swapped":        {slices.Concat(lines[:4], []string{lines[5], lines[4]}, lines[6:]), "line 5 follows a gap"},
		"one twice":          {slices.Concat(lines[:5], lines[4:]), "line 6 is not in its place"},
		"the last":           {slices.Concat(lines[:last-1], lines[last:]), "chain 00 has 9 entries; the file ends at 8"},
		"the end":            {lines[:last], "the end of the export is missing"},
		"half a line":        {append(slices.Clone(lines[:last]), lines[last][:20]), "is no entry"},
		"something appended": {append(slices.Clone(lines), lines[4]), "follows the end"},
		"the organization":   {edit(0, "bakery", "airline"), "line 2 was changed"},
		"the key":            {edit(0, key.PublicKey(), evidence.NewSigningKey([32]byte{2}).PublicKey()), "signature does not fit"},
		"the time":           {edit(0, "2026-11-21", "2025-11-21"), "does not fit the lines before it"},
		"a made-up end":      {edit(last, `"entries":9`, `"entries":8`), "signature does not fit"},
		"another file":       {slices.Concat(lines[:4], other[4:]), ""},
		"nothing":            {nil, "the end of the export is missing"},
		"another kind":       {[]string{"at,actor\n"}, "is no export"},
		"a long line":        {[]string{strings.Repeat("x", 2<<20)}, "line 1"},
	} {
		_, err := verify(c.lines...)
		if c.want == "" { // the same entries, written by another store: the same hashes
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

// TestCompareAudit: a log that is older than an export, or another one, is found, though it is whole by itself.
func TestCompareAudit(t *testing.T) {
	t.Parallel()
	s := newTrail(t, 8)
	file, err := verify(export(t, s, evidence.AuditSelection{})...)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AddAudit(t.Context(), "bakery", store.AuditEntry{At: made, Actor: "user:amal", Action: "later"}); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		s    store.Store
		want string
	}{"the same, continued": {s, ""}, "an older state": {newTrail(t, 5), "entry 9 of chain 00, which the file has, is missing"}} {
		if fault, err := evidence.CompareAudit(t.Context(), c.s, "bakery", file.Ends); err != nil || (c.want == "") != (fault == "") ||
			!strings.Contains(fault, c.want) {
			t.Errorf("%s: %q, %v", what, fault, err)
		}
	}
	file.Ends["00"] = store.AuditEnd{Seq: 9, Hash: []byte("x")}
	if fault, err := evidence.CompareAudit(t.Context(), s, "bakery", file.Ends); err != nil || !strings.Contains(fault, "is not that of the file") {
		t.Errorf("another log: %q, %v", fault, err)
	}
}

// TestAuditCSV: the file for spreadsheets has the hashes, runs no formula, and says that the log was changed.
func TestAuditCSV(t *testing.T) {
	t.Parallel()
	s := newTrail(t, 3)
	export := func() []string {
		var out strings.Builder
		err := evidence.WriteAuditCSV(t.Context(), &out, s, "bakery", evidence.AuditFilter{Actor: "user:"}.Selection())
		rows := strings.Split(strings.TrimSpace(out.String()), "\n")
		if err != nil || len(rows) < 4 || !strings.Contains(rows[1], "'=1+1 نعم <b>,00,2,") {
			t.Errorf("%q, %v", rows, err)
		}
		return rows
	}
	if rows := export(); len(rows) != 4 {
		t.Errorf("%q", rows)
	}
	s.UseAuditKey([32]byte{9}) // the heads do not fit their seals any more
	if rows := export(); len(rows) != 5 || !strings.Contains(rows[4], "error: the audit log is not as it was written: the head of chain 00") {
		t.Errorf("with changed heads %q", rows)
	}
}

// brokenReader fails after n entries.
type brokenReader struct {
	store.Store
	n int
}

func (b brokenReader) ReadAudit(
	ctx context.Context, orgID string, visit func(store.AuditRow) error,
) (map[string]store.AuditEnd, error) {
	return b.Store.ReadAudit(ctx, orgID, func(row store.AuditRow) error {
		if b.n--; b.n < 0 {
			return errors.New("broken")
		}
		return visit(row)
	})
}

// TestAuditCSVBroken: a file whose rest could not be read says so in whole rows; without a row nothing is written.
func TestAuditCSVBroken(t *testing.T) {
	t.Parallel()
	s := newTrail(t, 300)
	for n, want := range map[int]int{0: 0, 1: 3, 250: 252} {
		var out strings.Builder
		err := evidence.WriteAuditCSV(t.Context(), &out, brokenReader{s, n}, "bakery", evidence.AuditSelection{})
		rows := strings.Count(out.String(), "\n")
		if err == nil || rows != want || want > 0 && !strings.HasSuffix(out.String(), "\n"+csvcell.IncompleteMark+"\n") {
			t.Errorf("after %d entries: %d rows, %v", n, rows, err)
		}
	}
}

func FuzzVerifyAuditFile(f *testing.F) {
	lines := export(f, newTrail(f, 3), evidence.AuditSelection{})
	f.Add([]byte(strings.Join(lines, "")))
	f.Add([]byte(lines[0] + `{"end":{"ends":{"x":{"seq":1}}}}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := evidence.VerifyAuditFile(bytes.NewReader(file))
		if err == nil && got.Key == "" {
			t.Errorf("a file without a key is taken: %q", file)
		}
	})
}
