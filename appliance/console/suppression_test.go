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

func (b *consoleBench) listSuppressed() []callrules.SuppressionEntry {
	b.t.Helper()
	list, err := b.store.ListSuppressions(b.t.Context(), "acme", 200, "")
	b.mustSucceed(err)
	return list.Items
}

func TestSuppressionIsAddedAndRemoved(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.mustSucceed(storetest.ReplaceRules(t.Context(), b.store, "acme", callrules.CallRules{TimeZone: "Asia/Riyadh"}, "test", b.now))
	b.getPage(account.Operator, "/rules/suppressions").wantStatus(200).wantTexts("The suppression list is empty", "Add a number")
	b.postForm(account.Operator, "/rules/suppressions", url.Values{"number": {"٠٥٠١٢٣٤٥٦٧"}}).wantStatus(303) // as people write it
	b.postForm(account.Operator, "/rules/suppressions", url.Values{
		"number": {"٠٠٩٦٦ ٥٠-١٢٣ ٤٥٦٧"}, "reason": {" =asked <us> "}, "until": {"2026-11-30"},
	}).wantRedirect("/console/rules/suppressions")
	list := b.listSuppressed()
	if len(list) != 1 || list[0].PhoneNumber != "+966501234567" || list[0].Source != "console" || list[0].Reason != "=asked <us>" {
		t.Fatalf("the list is %+v", list)
	}
	if end := time.Date(2026, 11, 30, 21, 0, 0, 0, time.UTC); !list[0].Until.Equal(end) {
		t.Errorf("until %v, want the end of the day in Riyadh, %v", list[0].Until, end)
	}
	b.getPage(account.Viewer, "/rules/suppressions").wantTexts("+966501234567", "=asked <us>", "Console", "2026-11-30").wantNoTexts("/remove?", "Add to the list")
	b.getPage(account.Viewer, "/rules/suppressions?number=0123").wantTexts("+966501234567")
	b.getPage(account.Viewer, "/rules/suppressions?number=777").wantTexts("No number matches").wantNoTexts("+966501234567<")
	ask := b.getPage(account.Operator, "/rules/suppressions/remove?number="+url.QueryEscape("+966501234567")).wantStatus(200)
	form := ask.wantTexts("+966501234567").formValues("/console/rules/suppressions/remove")
	b.postForm(account.Operator, "/rules/suppressions/remove", form).wantRedirect("/console/rules/suppressions")
	if list := b.listSuppressed(); len(list) != 0 {
		t.Errorf("still there: %+v", list)
	}
	b.postForm(account.Operator, "/rules/suppressions/remove", form).wantStatus(404)
}

func TestSuppressionViolationsAreShown(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.postForm(account.Operator, "/rules/suppressions", url.Values{
		"number": {"05012"}, "reason": {strings.Repeat("x", 501)}, "until": {"2026-11-20"},
	}).wantStatus(422).wantTexts("Not a complete telephone number", "more than 500", "This date is in the past", `value="05012"`)
	b.postForm(account.Operator, "/rules/suppressions", url.Values{"number": {"+966501234567"}, "until": {"soon"}}).
		wantStatus(422).wantTexts("Write the date as")
	b.postForm(account.Viewer, "/rules/suppressions", url.Values{"number": {"+966501234567"}}).wantStatus(403)
	if list := b.listSuppressed(); len(list) != 0 {
		t.Errorf("added %+v", list)
	}
}

// TestSuppressionsTravelAsCSV checks that an import adds valid lines and reports the others by line, and that an export
// can be imported.
func TestSuppressionsTravelAsCSV(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	file := "\xef\xbb\xbfreason,phone_number,until\r\n'=1+1,+966500000001,\r\n\r\nx,12345,\r\n\"two\nlines\",+966500000002,2027-01-31\r\n,+966500000003,2020-01-01\r\n"
	b.postFile(account.Operator, "/rules/suppressions/import", "list.csv", []byte(file), url.Values{}).wantStatus(200).
		wantTexts("2 numbers were imported", "2 lines were refused", ">4<", "12345", "Not a complete telephone number", ">7<", "This date is in the past")
	if list := b.listSuppressed(); len(list) != 2 || list[0].Reason != "=1+1" || list[0].Source != "csv" || list[1].Until == nil {
		t.Fatalf("the list is %+v", list)
	}
	out := b.getPage(account.Viewer, "/rules/suppressions.csv").wantStatus(200)
	if kind := out.Header().Get("Content-Type"); kind != "text/csv; charset=utf-8" {
		t.Errorf("type %q", kind)
	}
	rows, err := csv.NewReader(bytes.NewReader(out.Body.Bytes())).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][0] != "+966500000001" || rows[1][1] != "'=1+1" {
		t.Fatalf("%v %q", err, rows)
	}
	before := b.listSuppressed()
	b.postFile(account.Operator, "/rules/suppressions/import", "again.csv", out.Body.Bytes(), url.Values{}).wantStatus(200).wantNoTexts("Lines refused")
	after := b.listSuppressed()
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
		b.postFile(account.Operator, "/rules/suppressions/import", "f.csv", []byte(file), url.Values{}).wantStatus(422).wantTexts(want)
	}
	var many strings.Builder
	for i := range 300 {
		fmt.Fprintf(&many, "bad%d\n", i)
	}
	b.postFile(account.Operator, "/rules/suppressions/import", "f.csv", []byte(many.String()), url.Values{}).wantStatus(422).
		wantTexts("300 lines were refused", "bad199", "Many more").wantNoTexts("bad200")
	b.postFile(account.Viewer, "/rules/suppressions/import", "f.csv", []byte("+966500000001"), url.Values{}).wantStatus(403)
}

// TestSuppressionsArePaged checks the pages of 50 entries, and the way back to the first.
func TestSuppressionsArePaged(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var entries []callrules.SuppressionEntry
	for i := range 60 {
		entries = append(entries, callrules.SuppressionEntry{OrgID: "acme", PhoneNumber: fmt.Sprintf("+9665000000%02d", i), CreatedAt: b.now})
	}
	b.mustSucceed(b.store.AddSuppressions(t.Context(), entries, "test", b.now))
	first := b.getPage(account.Viewer, "/rules/suppressions").wantTexts("+966500000049").wantNoTexts("+966500000050")
	_, after, found := strings.Cut(first.Body.String(), `rel="next" href="/console`)
	next, _, _ := strings.Cut(after, `"`)
	if !found {
		t.Fatal("no way to the next page")
	}
	b.getPage(account.Viewer, next).wantStatus(200).wantTexts("+966500000059", `rel="prev" href="/console/rules/suppressions"`).wantNoTexts("+966500000049<")
	b.getPage(account.Viewer, "/rules/suppressions?cursor=nonsense").wantStatus(422)
}

// TestReasonsOfCallsAreTranslated checks that reasons which calls wrote are in the page's language.
func TestReasonsOfCallsAreTranslated(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.mustSucceed(b.store.AddSuppressions(t.Context(), []callrules.SuppressionEntry{
		{OrgID: "acme", PhoneNumber: "+966500000001", Reason: "asked for in a call", Source: "call", CreatedAt: b.now},
		{OrgID: "acme", PhoneNumber: "+966500000002", Reason: "the carrier says so", Source: "carrier", CreatedAt: b.now},
		{OrgID: "acme", PhoneNumber: "+966500000003", Reason: "moved abroad", Source: "api", CreatedAt: b.now},
	}, "test", b.now))
	b.getPage(account.Viewer, "/rules/suppressions?lang=ar").wantStatus(200).
		wantTexts("طلب صاحبه ألا يُتصل به", "لا وجود لهذا الرقم", "moved abroad").
		wantNoTexts("asked for in a call", "the carrier says so")
}
