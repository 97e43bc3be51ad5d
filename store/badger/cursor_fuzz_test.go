package badger

import "testing"

// FuzzCursor: a cursor names the place that it was made for, in its own list only, and strangers' bytes name none.
func FuzzCursor(f *testing.F) {
	list, other := []string{"calls", "acme", "no_answer"}, []string{"calls", "acme"}
	f.Add("2026-11-21/call_1", encodeCursor(list, "2026-11-20"))
	f.Add("\x00", encodeCursor(other, "x"))
	f.Add("", "====")
	f.Fuzz(func(t *testing.T, place, foreign string) {
		made := encodeCursor(list, place)
		if got, err := placeOfCursor(list, made); place != "" && (err != nil || got != place) {
			t.Errorf("%q becomes %q, %v", place, got, err)
		}
		if got, err := placeOfCursor(other, made); err == nil {
			t.Errorf("another list takes it for %q", got)
		}
		if got, err := placeOfCursor(list, foreign); err == nil && foreign != "" && got == "" {
			t.Errorf("%q names no place, and is taken", foreign)
		}
	})
}
