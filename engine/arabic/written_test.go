package arabic_test

import (
	"strings"
	"testing"

	"munadi/engine/arabic"
)

func write(f arabic.WrittenForm, said string) string {
	var out []string
	for _, p := range f.WriteWords(strings.Fields(said)) {
		out = append(out, p.Text)
	}
	return strings.Join(out, " ")
}

// TestPublishedExamplesOfITN counts the examples of arabic-itn that are written as published.
func TestPublishedExamplesOfITN(t *testing.T) {
	t.Parallel()
	right, all := 0, 0
	for said, want := range readTable(t, "testdata/arabic-itn.tsv") {
		all++
		if got := write(arabic.WrittenForm{}, said); got != want {
			t.Logf("%s: %s, published %s", said, got, want)
		} else {
			right++
		}
	}
	t.Logf("%d of %d are as published", right, all)
	if all < 290 || right*100 < all*99 {
		t.Errorf("fewer than 99 %% of the examples are written as published")
	}
}

func TestWrittenForm(t *testing.T) {
	t.Parallel()
	for said, want := range readTable(t, "testdata/written.tsv") {
		if got := write(arabic.WrittenForm{}, said); got != want {
			t.Errorf("%s: %s, want %s", said, got, want)
		}
	}
}

func TestWrittenFormByCountry(t *testing.T) {
	t.Parallel()
	const mobile = "صفر خمسة صفر واحد اتنين تلاتة اربعة خمسة ستة سبعة"
	for _, c := range []struct{ country, said, want string }{
		{"AE", mobile, "+971501234567"},
		{"DZ", mobile, "+213501234567"},
		{"KW", mobile, "0501234567"},
		{"EG", mobile, "0501234567"},
		{"EG", "صفر عشرة عشرين تلاتين اربعين خمسين", "+201020304050"},
		{"KW", "عشرين دينار وخمسين فلس", "20.050 KWD"},
		{"KW", "خمسين فلس", "0.050 KWD"},
		{"MA", "عشرين درهم", "20 MAD"},
		{"MA", "عشرين درهم إماراتي", "20 AED"},
		{"QA", "ريالين", "2 QAR"},
		{"LB", "مية ليرة", "100 LBP"},
	} {
		if got := write(arabic.WrittenForm{Country: c.country}, c.said); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.said, c.country, got, c.want)
		}
	}
}

func TestWrittenFormInArabicIndicDigits(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"خمسة وعشرين ريال ونص":             "٢٥٫٥٠ SAR",
		"خمسين بالمية":                     "٥٠٪",
		"الساعة خمسة العصر":                "الساعة ١٧:٠٠",
		"الفاتورة رقم 12345":               "الفاتورة رقم ١٢٣٤٥",
		"omar واحد اتنين at gmail dot com": "omar12@gmail.com",
		"رقم الطلب ايه بي واحد اتنين":      "رقم الطلب AB-12",
	} {
		if got := write(arabic.WrittenForm{ArabicIndic: true}, said); got != want {
			t.Errorf("%s: %s, want %s", said, got, want)
		}
	}
}

// TestWrittenPiecesCoverTheirWords checks that a currency is a piece of its own where it was said in a word of its own.
func TestWrittenPiecesCoverTheirWords(t *testing.T) {
	t.Parallel()
	got := arabic.WrittenForm{}.WriteWords(strings.Fields("دفعت خمسة وعشرين ريال ثم ريالين"))
	want := []arabic.OutputPiece{{"دفعت", 0, 0}, {"25", 1, 2}, {"SAR", 3, 3}, {"ثم", 4, 4}, {"2 SAR", 5, 5}}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("piece %d = %v, want %v", i, got[i], want[i])
		}
	}
}

func redact(said string) string {
	words := strings.Fields(said)
	var out []string
	for _, p := range arabic.MaskWords(words, arabic.FindIdentifiers(words)) {
		out = append(out, p.Text)
	}
	return strings.Join(out, " ")
}

func TestIdentifiersAreRedacted(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"رقمي صفر خمسة صفر واحد اتنين تلاتة اربعة خمسة ستة سبعة شكرا": "رقمي […] شكرا",
		"الهوية واحد صفر اتنين تلاتة اربعة.":                          "الهوية […].",
		"الكود واحد صفر اتنين تلاتة":                                  "الكود واحد صفر اتنين تلاتة",
		"خمسة وخمسين، ستة وستين، سبعة":                                "[…]",
		"خمسة وخمسين ستة وستين":                                       "خمسة وخمسين ستة وستين",
		"سارة ايميلي sara at gmail dot com تمام":                      "سارة ايميلي […] تمام",
		"sara@gmail.com": "[…]",
		"رقم الطلب ايه بي واحد اتنين":                   "رقم الطلب […]",
		"الفاتورة ٥٥٥٥٥":                                "الفاتورة […]",
		"دفعت مئة ألف ريال":                             "دفعت مئة ألف ريال",
		"يوم خمسة عشر أكتوبر ألفين وستة وعشرين":         "يوم خمسة عشر أكتوبر ألفين وستة وعشرين",
		"الساعة خمسة ونص العصر":                         "الساعة خمسة ونص العصر",
		"عددهم خمسة عشر ألفا":                           "عددهم […]",
		"نعم أريد خمسة":                                 "نعم أريد خمسة",
		"رقمي صفر خمسة صفر واحد ستة سبعة يوم الخميس":    "رقمي […] يوم الخميس",
		"رقمي صفر خمسة صفر واحد ستة سبعة دقيقة من فضلك": "رقمي […] دقيقة من فضلك",
		"رقمي صفر خمسة صفر واحد ستة سبعة ايام":          "رقمي […] سبعة ايام",
		"رقمي صفر خمسة صفر واحد ستة عشرين يوم":          "رقمي […] عشرين يوم",
		"رقمي صفر خمسة صفر واحد ستة خمسة ريال":          "رقمي […] خمسة ريال",
		"رقمي اربعة ستة صفر فتح تسعة خمسة شكرا":         "رقمي […] شكرا",
		"رقمي اربعة ستة صفر تسعة خمسة ستة ألف شكر":      "رقمي […] ألف شكر",
		"واحد اثنان فتح ثلاثة":                          "واحد اثنان فتح ثلاثة",
		"اربعة ستة ريالات تسعة خمسة ثمانية":             "اربعة ستة ريالات تسعة خمسة ثمانية",
		"من اربعة ستة إلى تسعة خمسة":                    "من اربعة ستة إلى تسعة خمسة",
	} {
		if got := redact(said); got != want {
			t.Errorf("%s: %s, want %s", said, got, want)
		}
	}
}

func TestNumbersThatMayGoOn(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]bool{"رقمي صفر خمسة": true, "خمسة رقمي": false, "": false, "رقم 12": true, "نعم": false} {
		if got := arabic.EndsInNumber(strings.Fields(said)); got != want {
			t.Errorf("%q ends in a number: %v", said, got)
		}
	}
}

func FuzzWrittenForm(f *testing.F) {
	for _, s := range []string{
		"خمسة وعشرين ريال ونص", "صفر خمسة صفر", "a at b dot c", "الساعة خمسة", "خمسة مارس 2026", "ايه بي واحد", "زائد", "دبل", "و و",
		"5:30 م", "+", "، .", "ألف باء", "بالمية", "ريالين و", "جي ميل", "\xff خمسة", "(خمسة", "12,345.6 ريال", "ثلاث مرات",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		words := strings.Fields(s)
		for _, form := range []arabic.WrittenForm{{}, {Country: "KW", ArabicIndic: true}} {
			checkPieces(t, words, form.WriteWords(words))
		}
		checkPieces(t, words, arabic.MaskWords(words, arabic.FindIdentifiers(words)))
	})
}

// checkPieces checks that pieces cover the words in order.
func checkPieces(t *testing.T, words []string, pieces []arabic.OutputPiece) {
	t.Helper()
	next := 0
	for _, p := range pieces {
		if p.First != next || p.Last < p.First || p.Last >= len(words) || p.Text == "" {
			t.Fatalf("piece %v does not go on from word %d of %q", p, next, words)
		}
		next = p.Last + 1
	}
	if next != len(words) {
		t.Fatalf("pieces end at word %d of %q", next, words)
	}
}
