package excerpt_test

import (
	"testing"

	"munadi/store/excerpt"
)

func TestTruncateText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "abc…"},
		{"موعد", 4, "موعد"},
		{"الموعد", 4, "المو…"},
		{"a\xffb", 2, "a\xff…"},
		{"abc", 0, "…"},
	} {
		if got := excerpt.TruncateText(c.text, c.most); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.text, c.most, got, c.want)
		}
	}
}
