// Package list is a table that is declared once: from the declaration of its columns come the page's table, what the
// search looks through, and the columns of the export.
package list

import (
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
	Mono     bool // an id, a number: left to right
	Acts     bool // buttons: the title is for screen readers
}

// Table is a table's columns, in order. The first that is shown names the row.
type Table[R any] []Column[R]

// At is where a table is shown.
type At struct {
	Lang locale.Language
	Zone *time.Location
	CSRF string
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
func (t Table[R]) shownColumns() (shown []Column[R]) {
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

// SearchRows returns the rows that contain what was typed, ignoring case; all for nothing.
func (t Table[R]) SearchRows(all []R, typed string) []R {
	wanted := strings.ToLower(strings.TrimSpace(typed))
	if wanted == "" {
		return all
	}
	var found []R
	for _, row := range all {
		for _, c := range t {
			if c.Searched && strings.Contains(strings.ToLower(c.plainText(row)), wanted) {
				found = append(found, row)
				break
			}
		}
	}
	return found
}

// MomentOf returns a time that may be absent, for [Column.Time].
func MomentOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}
