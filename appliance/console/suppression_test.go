package console_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"munadi/store/account"
	"munadi/store/callrules"
	"munadi/store/storetest"
)

func (b *aBench) suppressed() []callrules.SuppressionEntry {
	b.t.Helper()
	list, err := b.store.ListSuppressions(b.t.Context(), "acme", 200, "")
	b.must(err)
	return list.Items
}

func TestSuppressionIsAddedAndRemoved(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.must(storetest.ReplaceRules(t.Context(), b.store, "acme", callrules.CallRules{TimeZone: "Asia/Riyadh"}, "test", b.now))
	b.get(account.Operator, "/rules/suppressions").want(200).says("No number is suppressed", "Add a number")
	b.post(account.Operator, "/rules/suppressions", url.Values{
		"number": {"٠٠٩٦٦ ٥٠-١٢٣ ٤٥٦٧"}, "reason": {" =asked <us> "}, "until": {"2026-11-30"},
	}).leads("/console/rules/suppressions")
	list := b.suppressed()
	if len(list) != 1 || list[0].PhoneNumber != "+966501234567" || list[0].Source != "console" || list[0].Reason != "=asked <us>" {
		t.Fatalf("the list is %+v", list)
	}
	if end := time.Date(2026, 11, 30, 21, 0, 0, 0, time.UTC); !list[0].Until.Equal(end) {
		t.Errorf("until %v, want the end of the day in Riyadh, %v", list[0].Until, end)
	}
	b.get(account.Viewer, "/rules/suppressions").says("+966501234567", "=asked <us>", "Console", "2026-11-30").not("/remove?", "Add to the list")
	b.get(account.Viewer, "/rules/suppressions?number=0123").says("+966501234567")
	b.get(account.Viewer, "/rules/suppressions?number=777").says("No number matches").not("+966501234567<")
	ask := b.get(account.Operator, "/rules/suppressions/remove?number="+url.QueryEscape("+966501234567")).want(200)
	form := ask.says("+966501234567").form("/console/rules/suppressions/remove")
	b.post(account.Operator, "/rules/suppressions/remove", form).leads("/console/rules/suppressions")
	if list := b.suppressed(); len(list) != 0 {
		t.Errorf("still there: %+v", list)
	}
	b.post(account.Operator, "/rules/suppressions/remove", form).want(404)
}

func TestSuppressionViolationsAreShown(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.post(account.Operator, "/rules/suppressions", url.Values{
		"number": {"0501234567"}, "reason": {strings.Repeat("x", 501)}, "until": {"2026-11-20"},
	}).want(422).says("No international number", "more than 500", "This date is over", `value="0501234567"`)
	b.post(account.Operator, "/rules/suppressions", url.Values{"number": {"+966501234567"}, "until": {"soon"}}).
		want(422).says("A date is written as")
	b.post(account.Viewer, "/rules/suppressions", url.Values{"number": {"+966501234567"}}).want(403)
	if list := b.suppressed(); len(list) != 0 {
		t.Errorf("added %+v", list)
	}
}

// TestSuppressionsTravelAsCSV: what is right is added, what isn't is told by its line; and the file that goes out comes
// back in.
func TestSuppressionsTravelAsCSV(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	file := "\xef\xbb\xbfreason,phone_number,until\r\n'=1+1,+966500000001,\r\n\r\nx,12345,\r\n\"two\nlines\",+966500000002,2027-01-31\r\n,+966500000003,2020-01-01\r\n"
	b.send(account.Operator, "/rules/suppressions/import", "list.csv", []byte(file), url.Values{}).want(200).
		says("2 numbers were imported", "2 lines were refused", ">4<", "12345", "No international number", ">7<", "This date is over")
	if list := b.suppressed(); len(list) != 2 || list[0].Reason != "=1+1" || list[0].Source != "csv" || list[1].Until == nil {
		t.Fatalf("the list is %+v", list)
	}
	out := b.get(account.Viewer, "/rules/suppressions.csv").want(200)
	if kind := out.Header().Get("Content-Type"); kind != "text/csv; charset=utf-8" {
		t.Errorf("type %q", kind)
	}
	rows, err := csv.NewReader(bytes.NewReader(out.Body.Bytes())).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][0] != "+966500000001" || rows[1][1] != "'=1+1" {
		t.Fatalf("%v %q", err, rows)
	}
	before := b.suppressed()
	b.send(account.Operator, "/rules/suppressions/import", "again.csv", out.Body.Bytes(), url.Values{}).want(200).not("Lines refused")
	after := b.suppressed()
	for i := range before {
		if before[i].PhoneNumber != after[i].PhoneNumber || before[i].Reason != after[i].Reason {
			t.Errorf("%+v came back as %+v", before[i], after[i])
		}
	}
}

func TestFilesThatAreNone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for file, want := range map[string]string{
		"":                       "Choose a file first",
		"phone_number\n":         "no number in the file",
		"\xff\xfe+\x009\x00":     "not UTF-8",
		"+966500000001,\"open\n": "not a valid CSV",
	} {
		b.send(account.Operator, "/rules/suppressions/import", "f.csv", []byte(file), url.Values{}).want(422).says(want)
	}
	var many strings.Builder
	for i := range 300 {
		fmt.Fprintf(&many, "bad%d\n", i)
	}
	b.send(account.Operator, "/rules/suppressions/import", "f.csv", []byte(many.String()), url.Values{}).want(422).
		says("300 lines were refused", "bad199", "Many more").not("bad200")
	b.send(account.Viewer, "/rules/suppressions/import", "f.csv", []byte("+966500000001"), url.Values{}).want(403)
}

// TestSuppressionsArePaged: 50 a page, and back to the beginning.
func TestSuppressionsArePaged(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var entries []callrules.SuppressionEntry
	for i := range 60 {
		entries = append(entries, callrules.SuppressionEntry{OrgID: "acme", PhoneNumber: fmt.Sprintf("+9665000000%02d", i), CreatedAt: b.now})
	}
	b.must(b.store.AddSuppressions(t.Context(), entries, "test", b.now))
	first := b.get(account.Viewer, "/rules/suppressions").says("+966500000049").not("+966500000050")
	_, after, found := strings.Cut(first.Body.String(), `rel="next" href="/console`)
	next, _, _ := strings.Cut(after, `"`)
	if !found {
		t.Fatal("no way to the next page")
	}
	b.get(account.Viewer, next).want(200).says("+966500000059", `rel="prev" href="/console/rules/suppressions"`).not("+966500000049<")
	b.get(account.Viewer, "/rules/suppressions?cursor=nonsense").want(422)
}
