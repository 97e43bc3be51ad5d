package console_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"munadi/appliance/console"
	"munadi/appliance/contactfile"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/callrules"
)

// foreignParts matches the parts of a page that may be Latin: code, data for scripts, and text marked as left-to-right.
var foreignParts = regexp.MustCompile(`(?s)<(script|style|code|pre|textarea)\b.*?</(?:script|style|code|pre|textarea)>` +
	`|<bdi dir="ltr"[^>]*>.*?</bdi>|<option[^>]*>[^<]*</option>|<title>.*?</title>|<[^>]*>`)

// latinSentence matches three or more Latin words in a row.
var latinSentence = regexp.MustCompile(`[A-Za-z][a-z']+(?:,? [A-Za-z][a-z']*){2,}`)

// latinSentences returns the English sentences in the text of an Arabic page.
func latinSentences(body string) []string {
	found := latinSentence.FindAllString(foreignParts.ReplaceAllString(body, "\n"), -1)
	return slices.DeleteFunc(found, func(text string) bool {
		return strings.Contains(text, "Munadi") || strings.Contains(text, "nothing was said") // quoted from the line
	})
}

// TestFaultsAreArabic checks that faults of forms are explained in Arabic on Arabic pages.
func TestFaultsAreArabic(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.lang = "ar"
	long := strings.Repeat("x", 3000)
	draft := func(changes ...string) url.Values {
		f := draftForm()
		for i := 0; i < len(changes); i += 2 {
			f.Set(changes[i], changes[i+1])
		}
		return f
	}
	for _, c := range []struct {
		path string
		form url.Values
	}{
		{"/calls", newForm("once", anyUUID, "phone_number", "05", "scenario_id", "gone")},
		{"/calls", newForm("once", anyUUID, "phone_number", anyNumber, "scenario_id", "restaurant_order", "when", "at", "at", "x",
			"max_attempts", "99", "delay_minutes", "0", "var.total", "many", "var.more", "x")},
		{"/calls", newForm("once", anyUUID, "phone_number", anyNumber, "scenario_id", "appointment_confirmation", "when", "at",
			"at", "2020-01-01T10:00", "max_attempts", "2", "delay_minutes", "x", "var.date", "soon", "var.time", "25:99", "var.name", long)},
		{"/calls/:id/reschedule", newForm("at", "2020-01-01T10:00")},
		{"/calls/:id/reschedule", newForm("at", "x")},
		{"/campaigns", draft("name", "", "starts_at", "2020-01-01T10:00", "when", "at", "ends_at", "2020-01-01T10:00")},
		{"/campaigns", draft("name", long, "calls_per_minute", "-1", "lines", "99999", "max_attempts", "99", "delay_minutes", "x")},
		{"/campaigns", draft("caller_number", "05", "scenario", "gone")},
		{"/rules", newForm("hours", "week", "recording", "perhaps", "time_zone", "Mars/Olympus", "attempts_per_day", "-1",
			"holidays", "soon", "allowed_prefixes", "x", "caller_number", "05", "disclosure", long, "retention_days.audio", "x")},
		{"/rules/suppressions", newForm("number", "05", "reason", long, "until", "soon")},
		{"/scenarios", newForm("from", "restaurant_order", "name", "", "id", "A B")},
		{"/scenarios/:scenario/try", newForm("person", "00", "variables.total", "many")},
		{"/phrases", newForm("entry.use", "own", "entry", long+"\n"+long)},
		{"/webhook", newForm("url", "ftp://x", "enabled", "on")},
		{"/webhook", newForm("url", "http://169.254.169.254/", "enabled", "on")},
		{"/keys", newForm("name", "", "scopes", "everything")},
		{"/users", newForm("name", "", "role", "king", "password", "x")},
		{"/users", newForm("name", "someone", "role", "viewer", "password", "short")},
		{"/account/password", newForm("old", "x", "new", "y", "again", "z")},
		{"/workbench", newForm("use", "sample", "sample", "order", "beam_size", "99", "ctc_weight", "7", "vad_threshold", "x")},
		{"/live/start", newForm("device", "nowhere")},
	} {
		c.form.Set("csrf", "csrf-"+string(account.Owner))
		r := httptest.NewRequest(http.MethodPost, "/console"+w.fillPattern(c.path), strings.NewReader(c.form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		answer := w.sendRequest(account.Owner, r)
		if found := latinSentences(answer.Body.String()); len(found) > 0 {
			t.Errorf("POST %s (%d) says in English: %q", c.path, answer.Code, found)
		}
		t.Logf("%s %d", c.path, answer.Code)
	}
}

// TestRowFaultsAreArabic checks that faulty rows of a campaign are explained in Arabic with the variable's label,
// before the campaign is created and on its page.
func TestRowFaultsAreArabic(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.lang = "ar"
	packed, err := contactfile.PackTables(contactfile.ContactTable{
		Header: []string{"phone", "day"}, Rows: [][]string{{"0512345610", "2026-12-03"}, {"0512345611", "soon"}, {"7", ""}},
		Numbers: []int{2, 3, 4},
	})
	w.mustSucceed(err)
	draft := draftForm()
	for field, value := range map[string]string{
		"table": packed, "scenario": "appointment_confirmation", "col.1": "date", "confirm.missing_value.time": "yes",
		"confirm.missing_value.name": "yes", "confirm.missing_value.doctor": "yes",
	} {
		draft.Set(field, value)
	}
	page := w.postForm(account.Operator, "/campaigns/check", draft).wantStatus(200).wantTexts("يوم الموعد: «\u2068soon\u2069» لا يُقرأ", "الرقم ناقص أو زائد")
	if found := latinSentences(page.Body.String()); len(found) > 0 {
		t.Errorf("the check says %q", found)
	}
	draft.Set("sure", "appointment_confirmation")
	made := w.postForm(account.Operator, "/campaigns", draft).wantStatus(303).Header().Get("Location")
	page = w.getPage(account.Viewer, strings.TrimPrefix(made, "/console")).wantStatus(200).wantTexts("يوم الموعد: «\u2068soon\u2069» لا يُقرأ", "الرقم ناقص أو زائد")
	if found := latinSentences(page.Body.String()); len(found) > 0 {
		t.Errorf("the campaign says %q", found)
	}
}

// rulesReader is a store that counts reads of the rules.
type rulesReader struct {
	store.Store
	reads *atomic.Int32
}

func (r rulesReader) FindRules(ctx context.Context, orgID string) (callrules.CallRules, error) {
	r.reads.Add(1)
	return r.Store.FindRules(ctx, orgID)
}

// TestRulesAreReadOnce checks that a request reads the dialling rules once.
func TestRulesAreReadOnce(t *testing.T) {
	t.Parallel()
	var reads atomic.Int32
	d := newCallBench(t, func(deps *console.Dependencies) { deps.Store = rulesReader{deps.Store, &reads} })
	over := d.bookCall("acme", anyNumber, nil)
	for _, path := range []string{
		"/calls", "/calls/" + over.ID, "/calls/new", "/people/%2B966512345601", "/reports", "/rules", "/rules/suppressions",
		"/audit", "/campaigns", "",
	} {
		reads.Store(0)
		d.getPage(account.Owner, path).wantStatus(200)
		if n := reads.Load(); n > 1 {
			t.Errorf("%s reads the rules %d times", path, n)
		}
	}
}
