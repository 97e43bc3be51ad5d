package arabic_test

import (
	"testing"

	"munadi/engine/arabic"
)

func TestStyle(t *testing.T) {
	t.Parallel()
	for word, want := range map[string][4]string{ // strip marks; keep all; strip both; strip punctuation alone
		"نَعَمْ،":   {"نعم،", "نَعَمْ،", "نعم", "نَعَمْ"},
		"«أُرِيدُ»": {"«أريد»", "«أُرِيدُ»", "أريد", "أُرِيدُ"},
		"هٰذا":      {"هذا", "هٰذا", "هذا", "هٰذا"},
		"،":         {"،", "،", "", ""},
		"ّ":         {"", "ّ", "", "ّ"},
		"2.5":       {"2.5", "2.5", "2.5", "2.5"},
		"50%":       {"50%", "50%", "50%", "50%"},
		"Yes!":      {"Yes!", "Yes!", "Yes", "Yes"},
		"ء\u0654ا":  {"ء\u0654ا", "ء\u0654ا", "ء\u0654ا", "ء\u0654ا"},
		"\xff":      {"\xff", "\xff", "\xff", "\xff"},
		"":          {"", "", "", ""},
	} {
		for i, s := range []arabic.Style{
			{}, {KeepDiacritics: true}, {StripPunctuation: true}, {KeepDiacritics: true, StripPunctuation: true},
		} {
			if got := s.Write(word); got != want[i] {
				t.Errorf("%+v: %q becomes %q, want %q", s, word, got, want[i])
			}
		}
	}
}

// FuzzStyle: the folded words of a transcript do not depend on its style.
func FuzzStyle(f *testing.F) {
	for _, s := range []string{"نَعَمْ، أُؤَكِّدُ.", "2.5%", "«لا»؟", "\xffَ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		plain := arabic.FoldSpelling(s)
		if got := arabic.FoldSpelling(arabic.StripDiacritics(s)); got != plain {
			t.Errorf("%q folds to %q, without diacritics to %q", s, plain, got)
		}
		if got := arabic.FoldSpelling(arabic.Style{StripPunctuation: true}.Write(s)); got != plain {
			t.Errorf("%q folds to %q, in another style to %q", s, plain, got)
		}
	})
}
