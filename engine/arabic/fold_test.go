package arabic_test

import (
	"testing"

	"munadi/engine/arabic"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                  "",
		"إنهاء وضع المطعم":  "انهاء وضع المطعم",
		"أَهْلًا":           "اهلا",
		"آمنة":              "امنه",
		"مستشفى":            "مستشفي",
		"ٱلكتاب":            "الكتاب",
		"مـرحـبـا":          "مرحبا",
		"  نعم،   شكرًا! ":  "نعم شكرا",
		"سؤال وشيء":         "سؤال وشيء",
		"٢٥ ريال":           "25 ريال",
		"۲٫۵":               "2.5",
		"السعر 2.5.":        "السعر 2.5",
		"Burger-King":       "burger king",
		"کباب ایرانی":       "كباب ايراني",
		"\u200fمرحبا\u200e": "مرحبا",
		"لا\nنعم":           "لا نعم",
		"\xff":              "",
		"«نعم»":             "نعم",
		"١٬٠٠٠":             "1 000",
		"الله\u0670":        "الله",
	} {
		if got := arabic.FoldSpelling(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"أَهْلًا وَسَهْلًا", "2.5، ٣", "1٫2٫3", "A\u0301", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := arabic.FoldSpelling(s)
		if twice := arabic.FoldSpelling(once); twice != once {
			t.Fatalf("Fold(%q) = %q, folded again %q", s, once, twice)
		}
	})
}

func TestWordErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ref, hyp      string
		errors, words int
	}{
		{"", "", 0, 0},
		{"نعم", "نعم", 0, 1},
		{"أحمد ذهب إلى المدرسة", "احمد ذهب الي المدرسه", 0, 4},
		{"نعم", "لا", 1, 1},
		{"نعم لا", "نعم", 1, 2},
		{"", "نعم لا", 2, 0},
		{"واحد اثنان ثلاثة", "اثنان ثلاثة أربعة", 2, 3},
		{"أريد برجر كبير", "أريد واحد برجر", 2, 3},
	} {
		errors, words := arabic.WordErrors(c.ref, c.hyp)
		if errors != c.errors || words != c.words {
			t.Errorf("WordErrors(%q, %q) = %d, %d, want %d, %d", c.ref, c.hyp, errors, words, c.errors, c.words)
		}
	}
}

func TestLetterErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ref, hyp        string
		errors, letters int
	}{
		{"", "", 0, 0},
		{"نعم", "نعم", 0, 3},
		{"بيتزا كبيرة", "بيتزاكبيره", 0, 10},
		{"بيتزا كبيرة", "بيتزا كبير", 1, 10},
		{"نعم", "", 3, 3},
		{"", "لا", 2, 0},
	} {
		errors, letters := arabic.LetterErrors(c.ref, c.hyp)
		if errors != c.errors || letters != c.letters {
			t.Errorf("LetterErrors(%q, %q) = %d, %d, want %d, %d", c.ref, c.hyp, errors, letters, c.errors, c.letters)
		}
	}
}
