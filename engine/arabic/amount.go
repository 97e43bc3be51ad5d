package arabic

import (
	"math"
	"strings"
	"unicode/utf8"
)

// FindNumber returns the number in s, the first one of several that count different things (اثنين شاورما وواحد كولا),
// spoken or written: digits of either script, halves and quarters (خمسة ونص, نص كيلو, ريال إلا ربع), dozens, thousands
// of the dialects, prices in two units (عشرة ريال وخمسين هللة) and duals of nouns that are usually counted (قطعتين).
// Ambiguous words (مية, كل واحد) count only if s has no other number. After a correction word the later one counts
// ("خمسة لا ستة"). A refused number ("مو خمسة"), one of two ("خمسة أو ستة") and a bound ("أكثر من خمسة") are none.
//
// People who are named one after another are added up ("أنا وزوجتي وثلاثة أطفال" are 5), and so are shares ("واحد لي
// وواحد لزوجتي"). A piece without a number is one if it is the whole answer ("حبة بس").
//
// If a short answer has no number, a word that sounds like one counts (خمصة).
func FindNumber(s string) (n float64, ok bool) {
	heard := parseSentence(s)
	if people, ok := heard.countPeople(); ok {
		return people, true
	}
	if shared, ok := heard.sumShares(); ok {
		return shared, true
	}
	a, ok, named := heard.findCount()
	if !named && heard.isOnePiece() {
		return 1, true
	}
	if !named && len(heard) <= repairLimit {
		if repaired, some := heard.repairNumbers(); some {
			a, ok, _ = repaired.findCount()
		}
	}
	return a.value, ok
}

// FindScale returns the end of the scale that a rating names: 5 in "أربعة من خمسة", 100 in "تسعين بالمية".
func FindScale(s string) (end float64, ok bool) {
	heard := parseSentence(s)
	for i := range heard {
		a, read := heard.readAmount(i, true)
		if !read {
			continue
		}
		w := heard.fullWordAt(a.next)
		if percentWords[w] {
			return 100, true
		}
		if of, read := heard.readAmount(a.next+1, true); read && scaleWords[w] {
			return of.value, true
		}
	}
	return 0, false
}

// sumShares adds up what each of several people gets: "واحد لي واثنين لأولادي".
func (s inputSentence) sumShares() (sum float64, ok bool) {
	i, shares := 0, 0
	if wishes[s.fullWordAt(0)] {
		i++
	}
	for ; i < len(s); shares++ {
		a, read := s.readAmount(i, true)
		if !read || !strings.HasPrefix(s.fullWordAt(a.next), "ل") || shares > 0 && s[i].prefix != "و" {
			return 0, false
		}
		sum, i = sum+a.value, a.next+1
	}
	return sum, shares > 1
}

// isOnePiece reports whether an answer is the singular of what is counted, with "only" or without.
func (s inputSentence) isOnePiece() bool {
	return len(s) > 0 && len(s) <= 2 && pieces[s.fullWordAt(0)] && (len(s) == 1 || onlyWords[s.fullWordAt(1)])
}

// findCount returns the number that a sentence names; named is whether it names any, even one that does not count.
func (s inputSentence) findCount() (found numberAmount, ok, named bool) {
	for _, unlikely := range []bool{false, true} {
		for i := 0; i < len(s); {
			a, read := s.readAmount(i, unlikely)
			if !read {
				i++
				continue
			}
			named = true
			switch {
			case s.isBound(i), s.fullWordAt(i-1) == "كم", ok && s.isEitherOf(found.next, i),
				ok && i == found.next+2 && isAlternative(s.fullWordAt(i-1)):
				return numberAmount{}, false, true
			case s.isRefused(i, a.next), !ok && isAlternative(s.fullWordAt(i-1)): // ولا واحد
			case !ok, s[i].prefix != "و" && s.isCorrected(found.next, i):
				found, ok = a, true
			}
			i = a.next
		}
		if ok {
			break
		}
	}
	return found, ok, named
}

// isBound reports whether the value at word i bounds what is meant: "أكثر من خمسة", "بين خمسة وستة".
func (s inputSentence) isBound(i int) bool {
	before := s.fullWordAt(i - 1)
	return before == "بين" || before == "فوق" || before == "تحت" || before == "من" && comparatives[s.fullWordAt(i-2)]
}

// isAlternative reports whether a word joins two values of which one is meant, or all between them: أو, إلى.
func isAlternative(w string) bool { return assents[w] == either || rangeWords[w] }

// isEitherOf reports whether the value at word i is the other one of two of which one is meant, or all between them.
// The first one ends before word next: "خمسة أو ستة", "يا خمسة يا ستة", "من خمسة لستة".
func (s inputSentence) isEitherOf(next, i int) bool {
	joint := s.fullWordAt(i - 1)
	return i == next+1 && (joint == "يا" || isAlternative(joint)) ||
		i == next && strings.HasPrefix(s.fullWordAt(i), "ل")
}

var (
	comparatives = wordSet("أكثر أكتر أقل أزيد أكبر أصغر أفضل أحسن أنسب أبكر")
	scaleWords   = wordSet("من على")
	rangeWords   = wordSet("إلى لحد حتى")
)

// numberAmount is a number with its unit; next is the index of the word after it.
type numberAmount struct {
	value float64
	unit  string // folded singular, or empty
	next  int
}

// readAmount reads the number that begins with word i, with its fraction, unit and subunits.
func (s inputSentence) readAmount(i int, unlikely bool) (numberAmount, bool) {
	if s.fullWordAt(i) == "ناقص" || s.fullWordAt(i) == "سالب" {
		if a, ok := s.readAmount(i+1, unlikely); ok {
			a.value = -a.value
			return a, true
		}
	}
	a, ok := s.readCount(i, unlikely)
	if !ok {
		return a, false
	}
	a.value, a.next = s.readFraction(a.value, a.next)
	if a.unit == "" {
		a = s.readUnit(a)
	}
	a.value = math.Round(a.value*1000) / 1000
	return a, true
}

// readUnit reads the unit after a number and its fraction or subunit: "ريال ونص", "ريال وخمسين هللة", "درزن".
func (s inputSentence) readUnit(a numberAmount) numberAmount {
	if a.next >= len(s) || s[a.next-1].tail != "" {
		return a
	}
	unit, ok := measures[s.fullWordAt(a.next)]
	if !ok {
		return a
	}
	a.unit = unit
	a.next++
	if unit == dozen {
		a.value *= 12
	}
	return s.readParts(a)
}

// readParts reads the fractions and subunits after a number and its unit.
func (s inputSentence) readParts(a numberAmount) numberAmount {
	if sub, n := s.readSubunits(a.next, a.unit); n > a.next {
		a.value, a.next = a.value+sub, n
		return a
	}
	whole := 1.0
	if a.unit == dozen {
		whole = 12
	}
	n, next := s.readFraction(a.value/whole, a.next)
	a.value, a.next = n*whole, next
	return a
}

// readSubunits reads "وخمسين هللة" after a currency.
func (s inputSentence) readSubunits(i int, unit string) (value float64, next int) {
	j, ok := s.joinedByWaw(i)
	if !ok || j >= len(s) {
		return 0, i
	}
	n, end, ok := s.readPlainNumber(j, true)
	if !ok || end >= len(s) {
		return 0, i
	}
	per := subunitsPer[s.fullWordAt(end)]
	if per == 0 {
		return 0, i
	}
	if unit == "دينار" {
		per = 1000
	}
	return n / per, end + 1
}

// readCount reads a number, a fraction, a dual, or a unit that implies one ("ريال ونص").
func (s inputSentence) readCount(i int, unlikely bool) (numberAmount, bool) {
	if i >= len(s) {
		return numberAmount{}, false
	}
	if n, next, ok := s.readPlainNumber(i, unlikely); ok {
		return numberAmount{value: n, next: next}, true
	}
	w := s.fullWordAt(i)
	if n, ok := fractions[strings.TrimPrefix(strings.TrimPrefix(w, "ب"), "ال")]; ok {
		return numberAmount{value: n, next: i + 1}, true
	}
	if unit, ok := dualOf(w); ok {
		n := 2.0
		if unit == dozen {
			n = 24
		}
		return s.readParts(numberAmount{value: n, unit: unit, next: i + 1}), true
	}
	unit, ok := lookUpWord(measures, w)
	if !ok {
		return numberAmount{}, false
	}
	if unit == dozen {
		return s.readParts(numberAmount{value: 12, unit: unit, next: i + 1}), true
	}
	a := s.readParts(numberAmount{value: 1, unit: unit, next: i + 1})
	return a, a.next > i+1
}

// readPlainNumber reads digits or number words.
func (s inputSentence) readPlainNumber(i int, unlikely bool) (n float64, next int, ok bool) {
	if n, ok = parseNumeral(s.fullWordAt(i)); ok {
		if j := i + 1; j < len(s) && s.followsDirectly(j) && s[j].atom.kind == scale {
			return n * float64(s[j].atom.value), j + 1, true
		}
		return n, i + 1, true
	}
	value, next, ok := s.readWholeNumber(i)
	if !ok || !unlikely && s.isWord(i, next, value) && !s.endsWithHundred(i, next, value) {
		return 0, i, false
	}
	n, next = s.readDecimals(float64(value), next)
	return n, next, true
}

// endsWithHundred reports whether words i to next-1 begin with مية and are the answer's end, or count people: as water,
// another noun would follow the number after it ("مية وخمسة", but "مية وخمسة برجر").
func (s inputSentence) endsWithHundred(i, next, value int) bool {
	return s[i].atom.kind == hundred && value > 100 && (next == len(s) || people[s.fullWordAt(next)])
}

// readFraction adds "ونص", "وربع", "وثلث" to a number or subtracts "إلا ربع". After thousands it is a part of a
// thousand: ألف ونص is 1,500.
func (s inputSentence) readFraction(n float64, i int) (float64, int) {
	if i >= len(s) || i > 0 && s[i-1].tail != "" {
		return n, i
	}
	sign, j := 1.0, i
	if s.fullWordAt(i) == "الا" {
		sign, j = -1, i+1
	} else if k, ok := s.joinedByWaw(i); ok {
		j = k
	} else if !strings.HasPrefix(s.fullWordAt(i), "و") {
		return n, i
	}
	if j >= len(s) {
		return n, i
	}
	f, ok := fractions[strings.TrimPrefix(strings.TrimPrefix(s.fullWordAt(j), "و"), "ال")]
	if !ok {
		return n, i
	}
	for _, unit := range []float64{1_000_000, 1000} {
		if n >= unit && math.Mod(n, unit) == 0 {
			f *= unit
			break
		}
	}
	return n + sign*f, j + 1
}

// dualOf finds the unit of a dual: برجرين, قطعتان.
func dualOf(w string) (unit string, ok bool) {
	for _, front := range strippedForms(w) {
		for _, ending := range []string{"ين", "ان"} {
			stem, cut := strings.CutSuffix(front, ending)
			if !cut || utf8.RuneCountInString(stem) < 2 {
				continue
			}
			if single, a := strings.CutSuffix(stem, "ت"); a && countable[single+"ه"] {
				return canonicalUnit(single + "ه"), true
			}
			if countable[stem] {
				return canonicalUnit(stem), true
			}
		}
	}
	return "", false
}

// canonicalUnit returns the unit that a folded singular belongs to, or itself.
func canonicalUnit(w string) string {
	if unit, ok := measures[w]; ok {
		return unit
	}
	return w
}

// dozen is the unit that is twelve of something.
const dozen = "درزن"

// fractions are parts of one, by folded word.
var fractions = map[string]float64{
	"نص": .5, "نصف": .5, "نصفا": .5, "ربع": .25, "ربعا": .25, "ثلث": 1. / 3, "تلت": 1. / 3, "ثلثا": 1. / 3,
	"ثلثين": 2. / 3, "تلتين": 2. / 3,
}

// measures maps a folded unit word to its folded singular.
var measures = unitTable(
	"ريال ريالات ريالا", "جنيه جنيهات جنيها جني", "درهم دراهم درهما", "دينار دنانير دينارا",
	"ليره ليرات", "دولار دولارات دولارا", "يورو", "شيكل شيقل شواكل",
	"كيلو كيلوات كيلوغرام كيلوجرام", "لتر لترات ليتر", "درزن دزينه دسته درازن", "ساعه ساعات", "دقيقه دقائق دقايق",
	"يوم ايام", "اسبوع اسابيع", "شهر شهور اشهر",
	"شخص اشخاص نفر انفار", "حبه حبات", "قطعه قطع", "وجبه وجبات", "علبه علب", "صحن صحون", "كوب اكواب", "كاس كاسات",
)

// people are folded words for people and times, which nobody orders with water.
var people = wordSet("شخص أشخاص نفر أنفار فرد أفراد ضيف ضيوف يوم أيام ساعة ساعات دقيقة دقائق مرة مرات سنة")

var (
	pieces    = wordSet("حبة قطعة وجبة علبة صحن طبق كوب كأس نفر شخص")
	onlyWords = wordSet("بس فقط وبس لا غير")
)

// subunitsPer is the number of coins in one unit of the currency; a dinar has 1,000.
var subunitsPer = map[string]float64{
	"هلله": 100, "هللات": 100, "قرش": 100, "قروش": 100, "فلس": 100, "فلوس": 100, "سنت": 100, "سنتات": 100,
	"اغوره": 100,
}

// countable are folded singulars whose duals mean two of them. It is a list because many other words have the same
// ending: ياسمين, تمرين, الحين.
var countable = wordSet("ريال جنيه درهم دينار ليرة دولار كيلو لتر درزن دزينة ساعة دقيقة يوم أسبوع شهر شخص نفر " +
	"حبة قطعة وجبة " +
	"ولد بنت رضيع علبة صحن كوب كأس كرتون كرتونة كيس طبق طلب طاولة قارورة زجاجة قنينة مرة ضيف طفل " +
	"برجر برغر بيتزا بيتزة ساندويتش ساندوتش سندويش شاورما شاورمة رغيف بيضة فطيرة كنافة عصير قهوة شاي بيبسي كبسة " +
	"سلطة فلافل نجمة نقطة درجة " +
	"سمبوسة دجاجة سمكة مشروب كوكاكولا ماء موية")

func unitTable(rows ...string) map[string]string {
	out := map[string]string{}
	for _, row := range rows {
		words := strings.Fields(row)
		for _, w := range words {
			out[w] = words[0]
		}
	}
	return out
}
