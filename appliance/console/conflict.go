package console

import (
	"errors"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/ui/page"
)

// shownSetting is the precondition of a form that replaces a whole setting: what it replaces is still what it showed.
type shownSetting[T any] struct {
	revision string      // that the form sent; empty: any, for programs that send the form without it
	part     func(T) any // what the form replaces of the setting
	kept     T           // as the transaction of the change found it
}

// readShown reads the revision that a form showed.
func readShown[T any](c echo.Context, part func(T) any) *shownSetting[T] {
	return &shownSetting[T]{revision: c.FormValue("revision"), part: part}
}

// isUnchanged implements [service.Precondition].
func (s *shownSetting[T]) isUnchanged(kept T) bool {
	s.kept = kept
	return s.revision == "" || s.revision == service.HashSetting(s.part(kept))
}

// replacedSetting returns the form's revision of a setting.
func replacedSetting[T any](kept T, part func(T) any) page.ReplacedSetting {
	return page.ReplacedSetting{Revision: service.HashSetting(part(kept))}
}

// formValue is the value of a form's field, for people.
type formValue struct{ label, text string }

// conflictWith returns the form's revision of the setting that was saved meanwhile, and the fields that differ; saved
// and typed have the same labels.
func (s *shownSetting[T]) conflictWith(saved, typed []formValue) page.ReplacedSetting {
	p := replacedSetting(s.kept, s.part)
	p.Conflict = []page.ConflictRow{}
	for i, field := range saved {
		if field.text != typed[i].text {
			p.Conflict = append(p.Conflict, page.ConflictRow{Label: field.label, Saved: field.text, Typed: typed[i].text})
		}
	}
	return p
}

// isStale reports whether a change was refused because another one came first.
func isStale(err error) bool {
	var conflict *service.ConflictError
	return errors.As(err, &conflict) && conflict.Reason == service.Stale
}

// splitDifference returns the two versions of a text beside each other, without long unchanged sections.
func splitDifference(lines []page.DiffLine) (before, after string) {
	var removed, added strings.Builder
	for _, line := range lines {
		text := line.Text
		if line.Skipped > 0 {
			text = "⋯"
		}
		if line.Change != page.AddedLine {
			removed.WriteString(text + "\n")
		}
		if line.Change != page.RemovedLine {
			added.WriteString(text + "\n")
		}
	}
	return removed.String(), added.String()
}
