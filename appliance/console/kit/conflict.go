package kit

import (
	"errors"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/ui/form"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// ShownSetting is the precondition of a form that replaces a whole setting: what it replaces is still what it showed.
type ShownSetting[T any] struct {
	Revision string      // that the form sent; empty: any, for programs that send the form without it
	part     func(T) any // what the form replaces of the setting
	Kept     T           // as the transaction of the change found it
}

// ReadShown reads the Revision that a form showed.
func ReadShown[T any](c echo.Context, part func(T) any) *ShownSetting[T] {
	return &ShownSetting[T]{Revision: c.FormValue("revision"), part: part}
}

// IsUnchanged implements [service.Precondition].
func (s *ShownSetting[T]) IsUnchanged(kept T) bool {
	s.Kept = kept
	return s.Revision == "" || s.Revision == service.HashSetting(s.part(kept))
}

// ReplacedSetting returns the form's Revision of a setting.
func ReplacedSetting[T any](kept T, part func(T) any) form.ReplacedSetting {
	return form.ReplacedSetting{Revision: service.HashSetting(part(kept))}
}

// ConflictOf returns the form's Revision of the setting that was saved meanwhile, and the fields that differ.
func (s *ShownSetting[T]) ConflictOf(l locale.Language, saved, typed []form.Field) form.ReplacedSetting {
	return form.ConflictOf(l, ReplacedSetting(s.Kept, s.part).Revision, saved, typed)
}

// IsStale reports whether a change was refused because another one came first.
func IsStale(err error) bool {
	var conflict *service.ConflictError
	return errors.As(err, &conflict) && conflict.Reason == service.Stale
}

// SplitDifference returns the two versions of a text beside each other, without long unchanged sections.
func SplitDifference(lines []scenarios.DiffLine) (before, after string) {
	var removed, added strings.Builder
	for _, line := range lines {
		text := line.Text
		if line.Skipped > 0 {
			text = "⋯"
		}
		if line.Change != scenarios.AddedLine {
			removed.WriteString(text + "\n")
		}
		if line.Change != scenarios.RemovedLine {
			added.WriteString(text + "\n")
		}
	}
	return removed.String(), added.String()
}
