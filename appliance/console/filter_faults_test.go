package console_test

import (
	"strings"
	"testing"

	"munadi/store/account"
)

// TestUnreadFilters: a filter that can't be read, or a range that is turned round, is named beside its field, and
// neither list nor file is one of something else.
func TestUnreadFilters(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for query, says := range map[string]string{
		"/calls?from=2026-99-99":                  "“\u20682026-99-99\u2069” is not a date",
		"/calls?to=yesterday":                     "“\u2068yesterday\u2069” is not a date",
		"/calls?from=2026-12-02&to=2026-12-01":    "The last day is before the first day",
		"/calls?status=lost":                      "“\u2068lost\u2069” cannot be filtered by",
		"/calls?campaign=none":                    "“\u2068none\u2069” cannot be filtered by",
		"/calls?direction=up":                     "“\u2068up\u2069” cannot be filtered by",
		"/calls?number=0":                         "“\u20680\u2069” cannot be filtered by",
		"/calls?answer=yes":                       "“\u2068yes\u2069” cannot be filtered by",
		"/calls?said=" + strings.Repeat("x", 300): "cannot be filtered by",
		"/reports?from=2027&to=2020":              "“\u20682027\u2069” is not a date",
		"/reports?from=2027-01-01&to=2020-01-01":  "The last day is before the first day",
		"/reports?by=year":                        "Choose day, week or month",
	} {
		page := w.getPage(account.Operator, query).wantStatus(422).wantTexts(says).
			wantNoTexts(`class="calls"`, "/console/calls/"+w.over.ID, `class="stats"`)
		page.wantTexts("until the")
		if name, _, _ := strings.Cut(query[strings.Index(query, "?")+1:], "="); name == "from" || name == "to" || name == "said" || name == "by" {
			page.wantTexts(`aria-invalid="true"`)
		}
		path, _, _ := strings.Cut(query, "?")
		files := map[string][]string{"/calls": {"/calls.csv", "/calls.xlsx", "/calls/bulk"}, "/reports": {"/reports.csv", "/reports/caller-numbers.csv"}}
		for _, file := range files[path] {
			w.getPage(account.Operator, file+strings.TrimPrefix(query, path)).wantRedirect("/console" + query)
		}
	}
	w.getPage(account.Operator, "/campaigns/new?people=calls&status=lost").wantRedirect("/console/calls?people=calls&status=lost")
	w.getPage(account.Operator, "/calls?from=2026-12-01&to=2026-12-01&number=%D9%86%D9%88%D8%B1%D8%A9").wantStatus(200)
	w.getPage(account.Operator, "/calls?said=&from=&status=&number=").wantStatus(200)
	w.getPage(account.Operator, "/queue?whose=everybody").wantStatus(404)
	w.getPage(account.Operator, "/queue.csv?whose=everybody").wantStatus(404)
	for path, says := range map[string]string{
		"/scenarios?page=abc": "“\u2068page=abc\u2069” means nothing", "/scenarios?page=-1": "page=-1",
		"/webhook?state=lost": "state=lost", "/webhook/deliveries.csv?state=lost": "state=lost", "/calls?cursor=x": "cursor=x",
	} {
		whole, _, _ := strings.Cut(path, "?")
		w.getPage(account.Owner, path).wantStatus(422).wantTexts(says, `href="/console`+whole+`"`)
	}
	w.getPage(account.Owner, "/scenarios?page=9").wantStatus(200)
	w.getPage(account.Owner, "/webhook?state=failed").wantStatus(200)
	w.getPage(account.Operator, "/campaigns/"+w.campaign.ID+"/people?status=lost").wantStatus(404)
}
