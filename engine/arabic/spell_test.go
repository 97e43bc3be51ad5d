package arabic_test

import (
	"strconv"
	"strings"
	"testing"
)

// numberSpeech is one spoken form of numbers: a table from which 0 to 9999 are spelled.
type numberSpeech struct {
	units    [11]string // 0-10, as counted alone
	teens    [9]string  // 11-19
	tens     [10]string // by tens, from 20
	hundreds [10]string // by hundreds, from 100
	one, two string     // thousand, two thousand
	many     [10]string // 3-9 before thousands
	plural   string     // thousands
}

var speeches = map[string]numberSpeech{
	"standard, masculine": {
		units:    [11]string{"صفر", "واحد", "اثنان", "ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية", "تسعة", "عشرة"},
		teens:    [9]string{"أحد عشر", "اثنا عشر", "ثلاثة عشر", "أربعة عشر", "خمسة عشر", "ستة عشر", "سبعة عشر", "ثمانية عشر", "تسعة عشر"},
		tens:     [10]string{2: "عشرون", "ثلاثون", "أربعون", "خمسون", "ستون", "سبعون", "ثمانون", "تسعون"},
		hundreds: [10]string{1: "مئة", "مئتان", "ثلاثمئة", "أربعمئة", "خمسمئة", "ستمئة", "سبعمئة", "ثمانمئة", "تسعمئة"},
		one:      "ألف", two: "ألفان", plural: "آلاف",
		many: [10]string{3: "ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية", "تسعة"},
	},
	"standard, feminine": {
		units:    [11]string{"صفر", "واحدة", "اثنتين", "ثلاث", "أربع", "خمس", "ست", "سبع", "ثماني", "تسع", "عشر"},
		teens:    [9]string{"إحدى عشرة", "اثنتي عشرة", "ثلاث عشرة", "أربع عشرة", "خمس عشرة", "ست عشرة", "سبع عشرة", "ثماني عشرة", "تسع عشرة"},
		tens:     [10]string{2: "عشرين", "ثلاثين", "أربعين", "خمسين", "ستين", "سبعين", "ثمانين", "تسعين"},
		hundreds: [10]string{1: "مائة", "مائتين", "ثلاث مائة", "أربع مائة", "خمس مائة", "ست مائة", "سبع مائة", "ثماني مائة", "تسع مائة"},
		one:      "ألف", two: "ألفين", plural: "آلاف",
		many: [10]string{3: "ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية", "تسعة"},
	},
	"Egyptian": {
		units:    [11]string{"صفر", "واحد", "اتنين", "تلاتة", "اربعة", "خمسة", "ستة", "سبعة", "تمانية", "تسعة", "عشرة"},
		teens:    [9]string{"حداشر", "اتناشر", "تلتاشر", "اربعتاشر", "خمستاشر", "ستاشر", "سبعتاشر", "تمنتاشر", "تسعتاشر"},
		tens:     [10]string{2: "عشرين", "تلاتين", "اربعين", "خمسين", "ستين", "سبعين", "تمانين", "تسعين"},
		hundreds: [10]string{1: "مية", "ميتين", "تلتمية", "ربعمية", "خمسمية", "ستمية", "سبعمية", "تمنمية", "تسعمية"},
		one:      "الف", two: "الفين", plural: "تلاف",
		many: [10]string{3: "تلات", "اربع", "خمس", "ست", "سبع", "تمان", "تسع"},
	},
	"Gulf": {
		units:    [11]string{"صفر", "واحد", "ثنين", "ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية", "تسعة", "عشرة"},
		teens:    [9]string{"احدعش", "اثنعش", "ثلاثطعش", "أربعطعش", "خمسطعش", "سطعش", "سبعطعش", "ثمنطعش", "تسعطعش"},
		tens:     [10]string{2: "عشرين", "ثلاثين", "أربعين", "خمسين", "ستين", "سبعين", "ثمانين", "تسعين"},
		hundreds: [10]string{1: "مية", "ميتين", "ثلاثمية", "أربعمية", "خمسمية", "ستمية", "سبعمية", "ثمانمية", "تسعمية"},
		one:      "ألف", two: "ألفين", plural: "آلاف",
		many: [10]string{3: "ثلاث", "أربع", "خمس", "ست", "سبع", "ثمان", "تسع"},
	},
}

// spellNumber spells n, 0 to 9999.
func (s numberSpeech) spellNumber(n int) string {
	var parts []string
	switch thousands := n / 1000; thousands {
	case 0:
	case 1:
		parts = append(parts, s.one)
	case 2:
		parts = append(parts, s.two)
	default:
		parts = append(parts, s.many[thousands]+" "+s.plural)
	}
	if h := n / 100 % 10; h > 0 {
		parts = append(parts, s.hundreds[h])
	}
	switch rest := n % 100; {
	case rest == 0 && n > 0:
	case rest <= 10:
		parts = append(parts, s.units[rest])
	case rest < 20:
		parts = append(parts, s.teens[rest-11])
	case rest%10 > 0:
		parts = append(parts, s.units[rest%10], s.tens[rest/10])
	default:
		parts = append(parts, s.tens[rest/10])
	}
	return strings.Join(parts, " و")
}

func TestDigitsReadBackEveryNumberThatIsSpelled(t *testing.T) {
	t.Parallel()
	for name, s := range speeches {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := range 10_000 {
				// A currency after it makes مية a hundred; without one it is water as well.
				want := "الحساب " + strconv.Itoa(n) + " ريال"
				spoken := "الحساب " + s.spellNumber(n) + " ريال"
				if got := readDigits(spoken); got != want {
					t.Fatalf("Digits(%s) = %s, want %s", spoken, got, want)
				}
			}
		})
	}
}
