package phrase_test

import (
	"testing"

	"munadi/appliance/conversation/phrase"
)

func TestPhrasesAreFound(t *testing.T) {
	t.Parallel()
	l := phrase.NewList([]string{"لا تتصلوا بي", "البريد الصوتي", "ألو", ""})
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
		words := phrase.FoldWords(c.heard)
		if in, n, all := l.IndexIn(words), l.CountIn(words), l.CoversAll(words); in != c.in || n != c.count || all != c.covers {
			t.Errorf("%q: in %d, %d of them, covers %t; want %d, %d, %t", c.heard, in, n, all, c.in, c.count, c.covers)
		}
	}
}

func TestAndLeavesTheListAlone(t *testing.T) {
	t.Parallel()
	l := phrase.NewList([]string{"ألو"})
	both := l.AppendPhrases([]string{"مرحبا"})
	if l.IndexIn(phrase.FoldWords("مرحبا")) >= 0 || both.IndexIn(phrase.FoldWords("مرحبا")) < 0 || both.IndexIn(phrase.FoldWords("ألو")) < 0 {
		t.Error("And changed the list, or did not add to it")
	}
}
