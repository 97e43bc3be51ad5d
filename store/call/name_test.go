package call_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"munadi/store/call"
)

// TestNameWords: spelling variants of a name have the same words.
func TestNameWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"نورة العتيبي": "العتيبي نوره", "نُورَة العتيبى": "العتيبي نوره", "نـــورة": "نوره", "أحمد إحمد آحمد ٱحمد احمد": "احمد",
		"مؤمن": "مومن", "رائد": "رايد", "هناء": "هنا", "ﻧﻮﺭﺓ": "نوره", "علی کریم": "علي كريم", "SÁRA sara": "sara", "ＡＢ": "ab",
		"O'Brien-Smith": "brien o smith", "عبد\u200cالله": "عبدالله", "محمد ٢": "2 محمد", " - ' ، ": "", "": "", "\xff\xfe": "",
		"9 8 7 6 5 4 3 2 1": "2 3 4 5 6 7 8 9", strings.Repeat("م", 40): strings.Repeat("م", 32),
	} {
		if got := strings.Join(call.NameWords(name), " "); got != want {
			t.Errorf("%q has the words %q, want %q", name, got, want)
		}
	}
}

// FuzzNameWords: words are part of keys, and the words of a name are found by themselves.
func FuzzNameWords(f *testing.F) {
	f.Add("نُورة  العتيبي/O'Brien ٢")
	f.Fuzz(func(t *testing.T, name string) {
		words := call.NameWords(name)
		for _, word := range words {
			if word == "" || strings.ContainsAny(word, "/ '\x00") || !utf8.ValidString(word) {
				t.Errorf("%q has the word %q", name, word)
			}
		}
		if again := call.NameWords(strings.Join(words, " ")); !slices.Equal(again, words) {
			t.Errorf("the words of %q are %q, and of these %q", name, words, again)
		}
	})
}
