package record

import (
	"testing"
)

// FuzzCursor: a cursor decodes to its place, in its own list only, and arbitrary bytes are refused.
func FuzzCursor(f *testing.F) {
	list, other := []string{"calls", "acme", "no_answer"}, []string{"calls", "acme"}
	f.Add("2026-11-21/call_1", EncodeCursor(list, "2026-11-20"))
	f.Add("\x00", EncodeCursor(other, "x"))
	f.Add("", "====")
	f.Fuzz(func(t *testing.T, place, foreign string) {
		made := EncodeCursor(list, place)
		if got, err := PlaceOfCursor(list, made); place != "" && (err != nil || got != place) {
			t.Errorf("%q becomes %q, %v", place, got, err)
		}
		if got, err := PlaceOfCursor(other, made); err == nil {
			t.Errorf("another list takes it for %q", got)
		}
		if got, err := PlaceOfCursor(list, foreign); err == nil && foreign != "" && got == "" {
			t.Errorf("%q names no place, and is taken", foreign)
		}
	})
}
