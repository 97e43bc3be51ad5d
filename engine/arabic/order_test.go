package arabic_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"munadi/engine/arabic"
)

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
		"صفر سبعة سبعة تسعة أربعة":  "07794",
		"خمسة خمسة خمسة":            "555",
		"صفر خمسة مرتين ستة":        "0566",
		"صفر خمسة دبل تلاتة":        "0533",
		"ثلاث مرات صفر خمسة":        "0005",
		"ستة مرتين":                 "66",
		"ستة مرتين خمسة":            "655",
		"تريبل سبعة واحد":           "7771",
		"واحد ثلاثة أصفار":          "1000",
		"صفرين تسعة ستة ستة":        "00966",
		"خمسة وخمسين ستة وستين":     "5566",
		"تسعمية وتسعة وتسعين تلاتة": "9993",
		"صفر جوج ربعة تسعود":        "0249",
		"زيرو سبعة ثمنية":           "078",
		"صفر ستة ميتين وعشرة":       "06210",
		"اربع اربعات":               "4",
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
