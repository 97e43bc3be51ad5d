package arabic

import "strings"

// numberKind is the role of a number word in a compound.
type numberKind int

const (
	other    numberKind = iota
	unit                // 1-9
	ten                 // 10, and the second half of 11-19
	teen                // 11-19 in one word
	tens                // 20-90
	hundred             // 100, and the second half of 300-900
	hundreds            // 200-900 in one word
	scale               // 1,000 or 1,000,000: alone, or after its multiplier
	double              // 2,000 or 2,000,000
	plural              // thousands or millions: only after 3-10
	fraction            // half or quarter, in hundredths: only after و
)

// numberAtom is the meaning of one number word.
type numberAtom struct {
	kind      numberKind
	value     int
	long      bool // ends in ta marbuta: ثلاثة, not ثلاث; 13-19 pair a long word with a short one
	bound     bool // a number only in a compound: أحد, إحدى, اثنا
	ambiguous bool // ambiguous, also an ordinary word: see the package comment
	local     bool // alone a number in answers only: زوج is two in the Maghreb, and a husband
}

// atoms is keyed by folded spelling; those of the dialects are in lexicon_dialect.go.
var atoms = withDialectNumbers(map[string]numberAtom{
	"صفر":  {kind: unit, value: 0, ambiguous: true},
	"واحد": {kind: unit, value: 1, ambiguous: true}, "واحده": {kind: unit, value: 1, ambiguous: true},
	"وحده": {kind: unit, value: 1, ambiguous: true},
	"احد":  {kind: unit, value: 1, bound: true}, "احدي": {kind: unit, value: 1, bound: true},
	"اثنا": {kind: unit, value: 2, bound: true}, "اثني": {kind: unit, value: 2, bound: true},
	"اثنتا": {kind: unit, value: 2, bound: true}, "اثنتي": {kind: unit, value: 2, bound: true},
	"اثنان": {kind: unit, value: 2}, "اثنين": {kind: unit, value: 2, ambiguous: true},
	"اثنتان": {kind: unit, value: 2}, "اثنتين": {kind: unit, value: 2}, "ثنتان": {kind: unit, value: 2},
	"اتنين": {kind: unit, value: 2, ambiguous: true}, "ثنين": {kind: unit, value: 2, ambiguous: true},
	"ثنتين": {kind: unit, value: 2}, "تنتين": {kind: unit, value: 2}, "اتنتين": {kind: unit, value: 2},
	"ثلاثه": {kind: unit, value: 3, long: true}, "ثلاث": {kind: unit, value: 3},
	"تلاته": {kind: unit, value: 3, long: true}, "تلات": {kind: unit, value: 3},
	"تلاثه": {kind: unit, value: 3, long: true}, "ثلاته": {kind: unit, value: 3, long: true},
	"اربعه": {kind: unit, value: 4, long: true}, "اربع": {kind: unit, value: 4},
	"خمسه": {kind: unit, value: 5, long: true}, "خمس": {kind: unit, value: 5},
	"سته": {kind: unit, value: 6, long: true}, "ست": {kind: unit, value: 6, ambiguous: true},
	"سبعه": {kind: unit, value: 7, long: true}, "سبع": {kind: unit, value: 7},
	"ثمانيه": {kind: unit, value: 8, long: true}, "ثماني": {kind: unit, value: 8}, "ثمان": {kind: unit, value: 8},
	"تمانيه": {kind: unit, value: 8, long: true}, "تماني": {kind: unit, value: 8}, "تمان": {kind: unit, value: 8},
	"تمنيه": {kind: unit, value: 8, long: true}, "ثمنيه": {kind: unit, value: 8, long: true},
	"تسعه": {kind: unit, value: 9, long: true}, "تسع": {kind: unit, value: 9},
	"عشره": {kind: ten, value: 10, long: true}, "عشر": {kind: ten, value: 10},

	"عشرون": {kind: tens, value: 20}, "عشرين": {kind: tens, value: 20},
	"ثلاثون": {kind: tens, value: 30}, "ثلاثين": {kind: tens, value: 30}, "تلاتين": {kind: tens, value: 30},
	"تلاثين": {kind: tens, value: 30},
	"اربعون": {kind: tens, value: 40}, "اربعين": {kind: tens, value: 40},
	"خمسون": {kind: tens, value: 50}, "خمسين": {kind: tens, value: 50},
	"ستون": {kind: tens, value: 60}, "ستين": {kind: tens, value: 60},
	"سبعون": {kind: tens, value: 70}, "سبعين": {kind: tens, value: 70},
	"ثمانون": {kind: tens, value: 80}, "ثمانين": {kind: tens, value: 80}, "تمانين": {kind: tens, value: 80},
	"تسعون": {kind: tens, value: 90}, "تسعين": {kind: tens, value: 90},

	"مئه": {kind: hundred, value: 100}, "مائه": {kind: hundred, value: 100},
	"ميه": {kind: hundred, value: 100, ambiguous: true}, "ميت": {kind: hundred, value: 100, ambiguous: true},
	"مئتان": {kind: hundreds, value: 200}, "مئتين": {kind: hundreds, value: 200}, "مئتا": {kind: hundreds, value: 200},
	"مائتان": {kind: hundreds, value: 200}, "مائتين": {kind: hundreds, value: 200},
	"مائتا": {kind: hundreds, value: 200}, "ميتين": {kind: hundreds, value: 200},

	"الف": {kind: scale, value: 1000, ambiguous: true}, "مليون": {kind: scale, value: 1_000_000},
	"الفان": {kind: double, value: 1000}, "الفين": {kind: double, value: 1000}, "الفا": {kind: double, value: 1000},
	"مليونان": {kind: double, value: 1_000_000}, "مليونين": {kind: double, value: 1_000_000},
	"مليونا": {kind: double, value: 1_000_000},
	"الاف":   {kind: plural, value: 1000}, "تلاف": {kind: plural, value: 1000},
	"ملايين": {kind: plural, value: 1_000_000},

	"نص": {kind: fraction, value: 50}, "نصف": {kind: fraction, value: 50}, "ربع": {kind: fraction, value: 25},
})

// The hundreds 300-900 in one word are one of these stems and one of these endings.
var (
	hundredStems = map[string]int{
		"ثلاث": 3, "تلات": 3, "تلت": 3, "ثلث": 3, "ثلت": 3, "تلث": 3, "اربع": 4, "ربع": 4, "اربعه": 4, "خمس": 5, "خمسه": 5,
		"ست": 6, "سته": 6, "سبع": 7, "سبعه": 7, "ثماني": 8, "ثمان": 8, "تمان": 8, "تماني": 8, "تمن": 8, "ثمن": 8,
		"تسع": 9, "تسعه": 9,
	}
	hundredEndings = []string{"مئه", "مائه", "ميه", "ميت"}
)

// lookUp returns the meaning of a folded word without prefix.
func lookUp(folded string) numberAtom {
	if a, ok := atoms[folded]; ok {
		return a
	}
	for _, ending := range hundredEndings {
		if stem, ok := strings.CutSuffix(folded, ending); ok {
			if n := hundredStems[stem]; n > 0 {
				return numberAtom{kind: hundreds, value: 100 * n}
			}
		}
	}
	return lookUpDialect(folded)
}
