package phrase_test

import (
	"testing"

	"munadi/appliance/dialogue/phrase"
)

func TestPhrasesAreFound(t *testing.T) {
	t.Parallel()
	l := phrase.New([]string{"لا تتصلوا بي", "البريد الصوتي", "ألو", ""})
	for _, c := range []struct {
		heard  string
		in     int
		count  int
		covers bool
	}{
		{"", -1, 0, false},
		{"لا", -1, 0, false},
		{"أَلُو", 0, 1, true},
		{"الو الو", 0, 2, true},
		{"الو نعم", 0, 1, false},
		{"من فضلك لا تتصلوا بي مرة أخرى", 2, 1, false},
		{"لا تتصلو بي", 0, 1, true},     // a letter is missing
		{"لا تتصلون بي", 0, 1, true},    // a letter is another
		{"لا تتحدثوا بي", -1, 0, false}, // more is another
		{"هلو", -1, 0, false},           // short words are not guessed
		{"هذا البريد الصوتي ألو", 1, 2, false},
	} {
		words := phrase.Words(c.heard)
		if in, n, all := l.In(words), l.Count(words), l.Covers(words); in != c.in || n != c.count || all != c.covers {
			t.Errorf("%q: in %d, %d of them, covers %t; want %d, %d, %t", c.heard, in, n, all, c.in, c.count, c.covers)
		}
	}
}

func TestAndLeavesTheListAlone(t *testing.T) {
	t.Parallel()
	l := phrase.New([]string{"ألو"})
	both := l.And([]string{"مرحبا"})
	if l.In(phrase.Words("مرحبا")) >= 0 || both.In(phrase.Words("مرحبا")) < 0 || both.In(phrase.Words("ألو")) < 0 {
		t.Error("And changed the list, or did not add to it")
	}
}
