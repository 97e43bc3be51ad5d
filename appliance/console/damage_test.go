package console_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"munadi/appliance/console"
	"munadi/appliance/csvcell"
	"munadi/store/account"
	"munadi/store/badger/badgertest"
	"munadi/ui/locale"
)

// ownKinds are the kinds of the one record that a page shows or changes, by its first path element: damage of that is
// an honest error.
var ownKinds = map[string][]string{
	"calls": {"call", "call-words"}, "campaigns": {"campaign"}, "scenarios": {"scenario", "scenario-version"},
	"live": {"live"}, "users": {"user"}, "keys": {"key"}, "account": {"user"}, "webhook": {"webhook"}, "deliveries": {"delivery"},
	"destinations": {"destinations"}, "replays": {"replays"}, "trunks": {"trunks"},
	"rules": {"rules"}, "phrases": {"phrases"}, "organizations": {"org"}, "people": {"suppression"},
	"inbound": {"inbound"}, "inbound.csv": {"inbound"},
}

// listPages are the paths of lists below such a page, which must be shown in any case.
var listPages = []string{
	"/calls", "/calls.csv", "/campaigns", "/scenarios", "/live", "/live.csv", "/users", "/users.csv", "/keys", "/keys.csv",
	"/webhook/deliveries.csv", "/rules/suppressions", "/rules/suppressions.csv", "/organizations",
	"/destinations",
}

// changing are the parts of a page that differ each time: masked tokens.
var changing = regexp.MustCompile(`(name="(csrf|once)" value|data-csrf)="[^"]*"`)

// TestDamageOfEveryKind: with one unreadable record of any kind every list and every file is shown with the others, and
// says that something is missing.
func TestDamageOfEveryKind(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	filled := newFixture(t)
	dump := badgertest.DumpStore(t, filled.store)
	serve := func(key string) *consoleFixture {
		w := *filled
		w.callBench = openFixture(t, func(t *testing.T, change ...func(*console.Dependencies)) *consoleBench {
			return newBenchOn(t, dump.OpenDamaged(t, key), change...)
		}).callBench
		w.recordings = filled.recordings
		return &w
	}
	keys := dump.SampleKeys()
	keys["call"], keys["key"] = "call/acme/"+filled.scheduled.ID, "key/acme/"+filled.key
	keys["org"], keys["user"] = "org/acme", "user/"+filled.someone
	whole := serve("")
	for kind, key := range keys {
		damaged := serve(key)
		for name, route := range signedInRoutes() {
			if !strings.HasPrefix(name, "GET") || route.flows || route.status != 0 || strings.Contains(name, "recording") ||
				strings.Contains(name, "second-factor") { // which draws another secret each time
				continue
			}
			who := account.Owner
			if route.least == governor {
				who = governor
			}
			want, got := whole.requestRoute(who, name, route), damaged.requestRoute(who, name, route)
			path := strings.TrimPrefix(name, "GET ")
			elements := strings.Split(path+"/", "/")
			own := slices.Concat(ownKinds[elements[1]], ownKinds[elements[len(elements)-2]])
			if strings.Contains(path, ":delivery") {
				own = ownKinds["deliveries"]
			}
			if got.Code == http.StatusInternalServerError && slices.Contains(own, kind) && !slices.Contains(listPages, path) {
				continue
			}
			if got.Code != want.Code {
				t.Errorf("%s × %s: status %d, want %d: %.300s", kind, name, got.Code, want.Code, got.Body)
				continue
			}
			before, after := changing.ReplaceAllString(bodyText(t, want), ""), changing.ReplaceAllString(bodyText(t, got), "")
			said := strings.Contains(after, locale.ConsoleIncomplete.In(locale.English)) ||
				strings.Contains(after, csvcell.IncompleteMark) || strings.Contains(after, "damaged: 1")
			if before != after && !said {
				at := 0
				for at < min(len(before), len(after)) && before[at] == after[at] {
					at++
				}
				t.Errorf("%s × %s: without a word: %.150q instead of %.150q", kind, name, after[at:], before[at:])
			}
		}
	}
}

// bodyText returns the text of a body; of a workbook its rows.
func bodyText(t *testing.T, answer testAnswer) string {
	t.Helper()
	if !strings.Contains(answer.Header().Get("Content-Type"), "spreadsheet") {
		return answer.Body.String()
	}
	book, err := excelize.OpenReader(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, sheet := range book.GetSheetList() {
		rows, err := book.GetRows(sheet)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "%s %q\n", sheet, rows)
	}
	return text.String()
}
