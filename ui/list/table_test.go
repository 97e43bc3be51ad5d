package list_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/google/go-cmp/cmp"

	"munadi/ui/list"
	"munadi/ui/locale"
)

// till is a record with what columns show.
type till struct {
	id, name string
	opened   time.Time
}

var tills = list.Table[till]{
	{Key: "id", Text: func(t till) string { return t.id }},
	{Title: locale.Text{"الاسم", "Name"}, Key: "name", Searched: true, Text: func(t till) string { return t.name }},
	{Title: locale.Text{"فُتح", "Opened"}, Key: "opened_at", Never: locale.Text{"بعد", "not yet"}, Time: func(t till) time.Time { return t.opened }},
	{Title: locale.Text{"إغلاق", "Close"}, Acts: true, Cell: func(at list.At, t till) templ.Component {
		return templ.Raw("<b>" + at.CSRF + t.id + "</b>")
	}},
}

func inAnyCase(text, typed string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(typed))
}

func TestTableIsShownSearchedAndExported(t *testing.T) {
	t.Parallel()
	opened := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	all := []till{{"t1", "<Front>", opened}, {"t2", "back", time.Time{}}}
	var out bytes.Buffer
	at := list.At{Lang: locale.English, CSRF: "token-"}
	if err := list.Show(tills, at, all).Render(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<th scope="row"><bdi>&lt;Front&gt;</bdi></th>`, `<span class="visually-hidden">Close</span>`, "not yet", "<b>token-t2</b>",
		`<td class="actions">`, `datetime="2026-11-21T09:30:00Z"`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %s: %s", want, out.String())
		}
	}
	if strings.Contains(out.String(), ">t1<") {
		t.Error("a column without a title is shown")
	}
	if found := tills.SearchRows(all, " FRONT ", inAnyCase); len(found) != 1 || found[0].id != "t1" {
		t.Errorf("found %v", found)
	}
	if found := tills.SearchRows(all, "t1", inAnyCase); len(found) != 0 {
		t.Errorf("the search looks through a column that is not searched: %v", found)
	}
	if diff := cmp.Diff([]string{"id", "name", "opened_at"}, tills.ExportKeys()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"t1", "<Front>", "2026-11-21T09:30:00.000Z"}, tills.ExportRow(all[0])); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"t2", "back", ""}, tills.ExportRow(all[1])); diff != "" {
		t.Error(diff)
	}
}

func TestEmptyTableIsNothing(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := list.Show(tills, list.At{}, nil).Render(t.Context(), io.Writer(&out)); err != nil || out.Len() > 0 {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestTableWithBoxesOrderAndRowsBelow(t *testing.T) {
	t.Parallel()
	opened := time.Date(2026, 11, 21, 22, 30, 0, 0, time.UTC)
	table := list.Table[till]{
		{Title: locale.Text{"اختر", "Select"}, Box: true, Cell: func(list.At, till) templ.Component { return templ.Raw("<i></i>") }},
		{Title: locale.Text{"الاسم", "Name"}, Key: "name", Class: "cut", Text: func(t till) string { return t.name }},
		{
			Title: locale.Text{"فُتح", "Opened"}, Key: "at", Time: func(t till) time.Time { return t.opened },
			Sort: list.Sort{URL: "/tills?order=desc", Ascending: true, Title: locale.Text{"اعكس", "Reverse"}},
		},
		{Title: locale.Text{"العدد", "Count"}, Key: "count", Number: true, Text: func(t till) string { return t.id }},
	}
	rows := []till{{"7", "+966512345601", opened}, {"x", "back", time.Time{}}}
	var out bytes.Buffer
	err := list.ShowRows(table, list.At{Lang: locale.English}, rows, list.Rows[till]{
		Class: "tills", Mark: func(t till) templ.Attributes { return templ.Attributes{"data-id": t.id} },
		Below: func(t till) templ.Component {
			if t.id == "7" {
				return nil
			}
			return templ.Raw("<mark>below</mark>")
		},
	}).Render(t.Context(), &out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<table class="data tills">`, `<tr data-id="7">`, `<td class="tight" data-label=""><i></i></td><th scope="row">`,
		`aria-sort="ascending"`, `href="/tills?order=desc"`, `<th scope="col" class="end">`, `<td class="end">`,
		`<tr class="below-row"><td colspan="4"><mark>below</mark></td></tr>`,
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %s: %s", want, out.String())
		}
	}
	if n := strings.Count(out.String(), "below-row"); n != 1 {
		t.Errorf("%d rows are below others", n)
	}
	riyadh := time.FixedZone("+03", 3*60*60)
	if diff := cmp.Diff([]any{"+966512345601", opened.In(riyadh), 7}, table.WorkbookRow(rows[0], riyadh)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]any{"back", nil, "x"}, table.WorkbookRow(rows[1], riyadh)); diff != "" {
		t.Error(diff)
	}
}
