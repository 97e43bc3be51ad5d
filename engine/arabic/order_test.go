package arabic_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"munadi/engine/arabic"
)

func TestQuantities(t *testing.T) {
	t.Parallel()
	menu := []arabic.ChoiceOption{
		{Value: "برجر", Phrases: []string{"برغر"}},
		{Value: "ماء", Phrases: []string{"مية", "موية"}},
		{Value: "برجر دجاج"},
		{Value: "بيبسي"},
		{Value: "بيتزا"},
		{Value: "شاورما"},
		{Value: "كباب"},
		{Value: "كنافة"},
		{Value: "بصل"},
		{Value: "سمبوسة"},
		{Value: "فلافل"},
		{Value: "عصير برتقال"},
	}
	for said, want := range map[string]string{
		"برجر":       "برجر 1",
		"واحد برجر":  "برجر 1",
		"اثنين برجر": "برجر 2",
		"اتنين برجر وتلاتة بيبسي":           "برجر 2, بيبسي 3",
		"برجرين وثلاثة بيبسي":               "برجر 2, بيبسي 3",
		"برجرين دجاج":                       "برجر دجاج 2",
		"أبغى ثلاثة برجر دجاج وبيبسي":       "برجر دجاج 3, بيبسي 1",
		"بيتزا واحدة كبيرة":                 "بيتزا 1",
		"بيتزا اثنين وبرجر واحد":            "بيتزا 2, برجر 1",
		"بيتزا اثنين بيبسي":                 "بيتزا 1, بيبسي 2",
		"ثلاثة شاورما":                      "شاورما 3",
		"خمسطعش شاورما لو سمحت":             "شاورما 15",
		"نص كيلو كباب":                      "كباب 0.5",
		"كيلو ونص كباب":                     "كباب 1.5",
		"كيلو كباب":                         "كباب 1",
		"ثلاث قطع كنافة":                    "كنافة 3",
		"قطعتين كنافة":                      "كنافة 2",
		"وحدة شاورما وثنتين فلافل":          "شاورما 1, فلافل 2",
		"درزن سمبوسة":                       "سمبوسة 12",
		"عايز مية":                          "ماء 1",
		"اتنين مية وبرجر":                   "ماء 2, برجر 1",
		"برجر بدون بصل":                     "برجر 1",
		"٣ برجر و٢ بيبسي":                   "برجر 3, بيبسي 2",
		"بدي عشرة فلافل وحداشر سمبوسك":      "فلافل 10, سمبوسة 11",
		"كباب وسلطة":                        "كباب 1",
		"عصير برتقال وشاورمة":               "عصير برتقال 1, شاورما 1",
		"اثنين عصير برتقال":                 "عصير برتقال 2",
		"لا شكرا":                           "",
		"خمسة":                              "",
		"":                                  "",
		"أربعة برغر وستة بيبسي وثلاث بيتزا": "برجر 4, بيبسي 6, بيتزا 3",
		"عايز خمسة شاورما وست فلافل ومية":   "شاورما 5, فلافل 6, ماء 1",
		"طلبت خمسة وعشرين فلافل":            "فلافل 25",
		"والله ابغى شاورمتين وبيبسي واحد لو سمحت": "شاورما 2, بيبسي 1",

		// With vowel marks.
		"اِثْنَانِ بُرْجَر": "برجر 2",
	} {
		var got []string
		for _, q := range arabic.FindQuantities(said, menu) {
			got = append(got, fmt.Sprintf("%s %v", menu[q.Item].Value, q.Count))
		}
		if line := strings.Join(got, ", "); line != want {
			t.Errorf("%s: got %q, want %q", said, line, want)
		}
	}
	shared := append(menu, arabic.ChoiceOption{Value: "other", Phrases: []string{"كنافة"}})
	if got := arabic.FindQuantities("كنافة", shared); len(got) != 0 {
		t.Errorf("an item of two names: %v", got)
	}
}

func TestReadDigits(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"صفر خمسة خمسة واحد اثنين":       "05512",
		"رقمي صفر خمسة صفر واحد واحد":    "05011",
		"صفر خمسة خمسة وخمسين":           "0555",
		"٠٥٥ ١٢٣":                        "055123",
		"0501-234":                       "0501234",
		"تسعة ستة ستة خمسين":             "96650",
		"مية وعشرين خمسطعش":              "12015",
		"رقمي اثنين تسعة ثمانية صفر ستة": "29806",
		"مرحبا":             "",
		"":                  "",
		"ثلاثمية وعشرة ستة": "3106",
		"تمنية تلاتة اتنين": "832",
		"صفر سبعة سبعة تسعة أربعة": "07794",
		"خمسة خمسة خمسة":           "555",
	} {
		if got, ok := arabic.ReadDigits(said); got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %v, want %q", said, got, ok, want)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var b strings.Builder
		for range 1 + rng.IntN(14) {
			b.WriteByte('0' + byte(rng.IntN(10)))
		}
		if got, _ := arabic.ReadDigits(arabic.SpellDigits(b.String())); got != b.String() {
			t.Fatalf("%s is %s, read back as %s", b.String(), arabic.SpellDigits(b.String()), got)
		}
	}
}
