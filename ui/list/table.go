// Package list is a table that is declared once: from the declaration of its columns come the page's table, what the
// search looks through, and the columns of the export.
package list

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"munadi/store/jsontext"
	"munadi/ui/locale"
)

// Column is a column of a table of records of type R. One without a title is only exported, one without a key only
// shown.
type Column[R any] struct {
	Title    locale.Text
	Key      string            // of the export
	Text     func(R) string    // the value, as it is exported and searched; shown, too, where there is no Cell
	Time     func(R) time.Time // instead of Text: a moment; the zero time is none
	Never    locale.Text       // is shown for no moment
	Searched bool              // the search looks through it
	Cell     func(At, R) templ.Component
	Mono     bool   // an id, a number: left to right
	Number   bool   // a count: at the end of its cell, and a number in workbooks
	Acts     bool   // buttons: the title is for screen readers
	Box      bool   // a box that selects the row, which the next column names
	Class    string // of its cells
	Sort     Sort   // by which the rows are sorted
}

// Sort is the order of the rows by a column.
type Sort struct {
	URL       string // of the other order; empty: the rows are not sorted by it
	Ascending bool
	Title     locale.Text // of the link
}

// arrow points to where later rows are.
func (s Sort) arrow() string {
	if s.Ascending {
		return "↑"
	}
	return "↓"
}

// direction is the value of aria-sort.
func (s Sort) direction() string {
	if s.Ascending {
		return "ascending"
	}
	return "descending"
}

// Rows is what rows have beside their cells; each part may be nil.
type Rows[R any] struct {
	Class string                   // of the table, beside "data"
	Mark  func(R) templ.Attributes // an id, what a script reads
	Below func(R) templ.Component  // a row of one cell below; nil for none
}

// markOf returns the attributes of a row.
func (o Rows[R]) markOf(row R) templ.Attributes {
	if o.Mark == nil {
		return nil
	}
	return o.Mark(row)
}

// belowOf returns what is shown below a row.
func (o Rows[R]) belowOf(row R) templ.Component {
	if o.Below == nil {
		return nil
	}
	return o.Below(row)
}

// Table is a table's columns, in order. The first that is shown and no box names the row.
type Table[R any] []Column[R]

// isName reports whether the i-th shown column names the row.
func (t Table[R]) isName(i int) bool { return !t[i].Box && (i == 0 || i == 1 && t[0].Box) }

// At is where a table is shown.
type At struct {
	Lang locale.Language
	Zone *time.Location
	CSRF string
}

// cellClass is the class of the column's cells; empty for none.
func (c Column[R]) cellClass() string {
	switch {
	case c.Box:
		return "tight"
	case c.Acts:
		return "actions"
	case c.Number:
		return "end"
	}
	return c.Class
}

// isShown reports whether the page has the column.
func (c Column[R]) isShown() bool { return c.Title != locale.Text{} }

// plainText returns the value of a row for export and search.
func (c Column[R]) plainText(row R) string {
	switch {
	case c.Time != nil:
		if at := c.Time(row); !at.IsZero() {
			return jsontext.FormatTime(at)
		}
	case c.Text != nil:
		return c.Text(row)
	}
	return ""
}

// shownColumns returns the columns of the page.
func (t Table[R]) shownColumns() (shown Table[R]) {
	for _, c := range t {
		if c.isShown() {
			shown = append(shown, c)
		}
	}
	return shown
}

// ExportKeys returns the keys of the exported columns.
func (t Table[R]) ExportKeys() (keys []string) {
	for _, c := range t {
		if c.Key != "" {
			keys = append(keys, c.Key)
		}
	}
	return keys
}

// ExportRow returns the exported cells of a row.
func (t Table[R]) ExportRow(row R) (cells []string) {
	for _, c := range t {
		if c.Key != "" {
			cells = append(cells, c.plainText(row))
		}
	}
	return cells
}

// WorkbookRow returns the exported cells of a row as a workbook has them: moments of the zone, counts as numbers, all
// others as texts.
func (t Table[R]) WorkbookRow(row R, zone *time.Location) (cells []any) {
	for _, c := range t {
		if c.Key == "" {
			continue
		}
		value := c.value(row)
		if at, isMoment := value.(time.Time); isMoment {
			value = at.In(zone)
		}
		cells = append(cells, value)
	}
	return cells
}

// Titles returns the titles of the page's columns that have a value, as a workbook has them, too.
func (t Table[R]) Titles(l locale.Language) (titles []string) {
	for _, c := range t {
		if c.isShown() && c.hasValue() {
			titles = append(titles, c.Title.In(l))
		}
	}
	return titles
}

// Values returns the cells of a row below [Table.Titles]: texts, numbers as int, and moments as [time.Time].
func (t Table[R]) Values(row R) (cells []any) {
	for _, c := range t {
		if c.isShown() && c.hasValue() {
			cells = append(cells, c.value(row))
		}
	}
	return cells
}

// hasValue reports whether a column is more than what the page shows.
func (c Column[R]) hasValue() bool { return c.Text != nil || c.Time != nil }

// value returns the value of a row for a workbook; nil for none.
func (c Column[R]) value(row R) any {
	if c.Time != nil {
		if at := c.Time(row); !at.IsZero() {
			return at
		}
		return nil
	}
	text := c.plainText(row)
	if n, err := strconv.Atoi(text); err == nil && c.Number {
		return n
	}
	return text
}

// SearchRows returns the rows of which a searched column contains what was typed, as contains judges; all for nothing.
func (t Table[R]) SearchRows(all []R, typed string, contains func(text, typed string) bool) []R {
	wanted := strings.TrimSpace(typed)
	if wanted == "" {
		return all
	}
	var found []R
	for _, row := range all {
		for _, c := range t {
			if c.Searched && contains(c.plainText(row), wanted) {
				found = append(found, row)
				break
			}
		}
	}
	return found
}

// WithoutActs returns the table for people who may only look.
func (t Table[R]) WithoutActs() Table[R] {
	return slices.DeleteFunc(slices.Clone(t), func(c Column[R]) bool { return c.Acts })
}

// MomentOf returns a time that may be absent, for [Column.Time].
func MomentOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}
