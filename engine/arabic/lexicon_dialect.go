package arabic

import "strings"

// dialectNumbers are number words of the dialects by value, in ordinary spelling; words of 13 to 19 and of thousands
// are put together from stems and endings below. Sources, as for testdata/dialects: E. Chan, "Numeral Systems of the
// World's Languages" (Egyptian, Gulf, Iraqi, Levantine, Moroccan, Tunisian Arabic); Lingualism, "Arabic vs. Arabic: a
// dialect sampler", numbers.
var dialectNumbers = map[int]string{
	0:  "زيرو",
	2:  "جوج زوز",
	8:  "تمانة",
	9:  "تسعود",
	11: "حداشر احداشر احدعشر احدعش حدعشر حدعش دعش ادعش ايدعش هدعش حداش احداش",
	12: "اتناشر اطناشر اثناشر اثنعشر اثنعش اثناعش اتنعش اتنعشر ثنعش ثنعشر تنعش تنعشر " +
		"اطنعش طنعش طنعشر طناش اطناش تناش اثناش",
	200: "ميتان",
}

// localNumbers are number words that are more often another word: alone they count in answers only.
var localNumbers = map[int]string{
	0: "سفر", 2: "زوج تنين", 4: "ربعة", 200: "متين",
}

func withDialectNumbers(known map[string]numberAtom) map[string]numberAtom {
	for value, words := range dialectNumbers {
		for w := range wordSet(words) {
			known[w] = numberAtom{kind: kindOfValue(value), value: value}
		}
	}
	for value, words := range localNumbers {
		for w := range wordSet(words) {
			known[w] = numberAtom{kind: kindOfValue(value), value: value, ambiguous: true, local: true}
		}
	}
	for _, w := range []string{"تالاف", "الالاف"} {
		known[w] = numberAtom{kind: plural, value: 1000}
	}
	known["ملاين"] = numberAtom{kind: plural, value: 1_000_000}
	return known
}

func kindOfValue(value int) numberKind {
	switch {
	case value < 10:
		return unit
	case value < 20:
		return teen
	}
	return hundreds
}

// The numbers 13-19 in one word are one of these stems and one of these endings: تلت-اشر, ثلاث-طعش, خمس-طاش. So are
// thousands with the t of the dialects: خمس-تالاف.
var (
	teenStems = map[string]int{
		"ثلاث": 3, "تلات": 3, "تلاث": 3, "ثلات": 3, "تلت": 3, "ثلث": 3, "ثلت": 3, "تلث": 3, "تل": 3, "ثل": 3, "تلا": 3,
		"ثلا": 3, "اربع": 4, "ربع": 4, "خمس": 5, "ست": 6, "س": 6, "سبع": 7, "ثمن": 8, "تمن": 8, "ثمان": 8, "تمان": 8,
		"تسع": 9,
	}
	teenEndings     = []string{"تاشر", "طاشر", "طعشر", "تعشر", "طعش", "تعش", "طاش", "تاش"}
	thousandEndings = []string{"تالاف", "الاف"}
)

// lookUpDialect returns the meaning of a number word that is put together.
func lookUpDialect(folded string) numberAtom {
	for _, ending := range teenEndings {
		if stem, ok := strings.CutSuffix(folded, ending); ok && teenStems[stem] > 0 {
			return numberAtom{kind: teen, value: 10 + teenStems[stem]}
		}
	}
	for _, ending := range thousandEndings {
		stem, ok := strings.CutSuffix(folded, ending)
		if !ok {
			continue
		}
		n := hundredStems[stem]
		if stem == "عشر" {
			n = 10
		}
		if n > 0 {
			return numberAtom{kind: scale, value: 1000 * n}
		}
	}
	return numberAtom{}
}

// markShortUnits marks the short forms that are numbers only before a scale: تلت مية, ربع تلاف, تمن تلاف.
func markShortUnits(words []inputWord) {
	for i := range max(len(words)-1, 0) {
		w, next := &words[i], words[i+1]
		if w.atom.kind != other && w.atom.kind != fraction || w.tail != "" || next.prefix != "" ||
			next.atom.kind != hundred && next.atom.kind != plural {
			continue
		}
		for _, prefix := range []string{"", "و"} {
			rest, ok := strings.CutPrefix(w.said, prefix)
			if n := hundredStems[rest]; ok && n > 0 {
				w.folded, w.prefix = rest, prefix
				w.atom = numberAtom{kind: unit, value: n, ambiguous: true, local: true}
			}
		}
	}
}
