package text

import (
	"math"
	"strings"
	"unicode/utf8"
)

// Number is the first number in s, spoken or written: digits of either script, halves and quarters (خمسة ونص, نص
// كيلو, ريال إلا ربع), dozens, thousands of the dialects, prices in two units (عشرة ريال وخمسين هللة) and duals of
// what is usually counted (قطعتين). Words that are a number as likely as something else (مية, كل واحد) count only
// where nothing else is one.
func Number(s string) (n float64, ok bool) {
	a, ok := amountIn(hear(s), func(amount) bool { return true })
	return a.value, ok
}

// Price is the first amount of money in s, or the first number where no currency is named. currency is the unit as
// the dictionary writes it (ريال, جنيه, درهم, دينار, ليرة, دولار, يورو, شيكل), or empty.
func Price(s string) (value float64, currency string, ok bool) {
	heard := hear(s)
	a, ok := amountIn(heard, func(a amount) bool { return currencies[a.unit] != "" })
	if !ok {
		a, ok = amountIn(heard, func(amount) bool { return true })
	}
	return a.value, currencies[a.unit], ok
}

// amount is a number of something; next is the word behind it.
type amount struct {
	value float64
	unit  string // folded singular, or empty
	next  int
}

// amountIn finds the first amount that is good; unlikely ones only where no likely one is.
func amountIn(s sentence, good func(amount) bool) (amount, bool) {
	for _, unlikely := range []bool{false, true} {
		for i := 0; i < len(s); {
			a, ok := s.amount(i, unlikely)
			switch {
			case ok && good(a):
				return a, true
			case ok:
				i = a.next
			default:
				i++
			}
		}
	}
	return amount{}, false
}

// amount reads the number that begins with word i, with its unit and the parts of it behind.
func (s sentence) amount(i int, unlikely bool) (amount, bool) {
	if s.full(i) == "ناقص" || s.full(i) == "سالب" {
		if a, ok := s.amount(i+1, unlikely); ok {
			a.value = -a.value
			return a, true
		}
	}
	a, ok := s.count(i, unlikely)
	if !ok {
		return a, false
	}
	a.value, a.next = s.part(a.value, a.next)
	if a.unit == "" {
		a = s.measured(a)
	}
	a.value = math.Round(a.value*1000) / 1000
	return a, true
}

// measured reads the unit behind a number and what follows it: "ريال ونص", "ريال وخمسين هللة", "درزن".
func (s sentence) measured(a amount) amount {
	if a.next >= len(s) || s[a.next-1].tail != "" {
		return a
	}
	unit, ok := measures[s.full(a.next)]
	if !ok {
		return a
	}
	a.unit = unit
	a.next++
	if unit == dozen {
		a.value *= 12
	}
	return s.parts(a)
}

// parts reads what follows a number and its unit.
func (s sentence) parts(a amount) amount {
	if sub, n := s.subunits(a.next, a.unit); n > a.next {
		a.value, a.next = a.value+sub, n
		return a
	}
	whole := 1.0
	if a.unit == dozen {
		whole = 12
	}
	n, next := s.part(a.value/whole, a.next)
	a.value, a.next = n*whole, next
	return a
}

// subunits reads "وخمسين هللة" behind a currency.
func (s sentence) subunits(i int, unit string) (value float64, next int) {
	j, ok := s.and(i)
	if !ok || j >= len(s) {
		return 0, i
	}
	n, end, ok := s.plain(j, true)
	if !ok || end >= len(s) {
		return 0, i
	}
	per := subunitsPer[s.full(end)]
	if per == 0 {
		return 0, i
	}
	if unit == "دينار" {
		per = 1000
	}
	return n / per, end + 1
}

// count reads a number, a fraction, a dual, or a unit that stands for one of itself ("ريال ونص").
func (s sentence) count(i int, unlikely bool) (amount, bool) {
	if i >= len(s) {
		return amount{}, false
	}
	if n, next, ok := s.plain(i, unlikely); ok {
		return amount{value: n, next: next}, true
	}
	w := s.full(i)
	if n, ok := fractions[strings.TrimPrefix(strings.TrimPrefix(w, "ب"), "ال")]; ok {
		return amount{value: n, next: i + 1}, true
	}
	if unit, ok := dualOf(w); ok {
		n := 2.0
		if unit == dozen {
			n = 24
		}
		return s.parts(amount{value: n, unit: unit, next: i + 1}), true
	}
	unit, ok := has(measures, w)
	if !ok {
		return amount{}, false
	}
	if unit == dozen {
		return s.parts(amount{value: 12, unit: unit, next: i + 1}), true
	}
	a := s.parts(amount{value: 1, unit: unit, next: i + 1})
	return a, a.next > i+1
}

// plain reads digits or number words.
func (s sentence) plain(i int, unlikely bool) (n float64, next int, ok bool) {
	if n, ok = numeral(s.full(i)); ok {
		if j := i + 1; j < len(s) && s.follows(j) && s[j].atom.kind == scale {
			return n * float64(s[j].atom.value), j + 1, true
		}
		return n, i + 1, true
	}
	value, next, ok := s.whole(i)
	if !ok || !unlikely && s.isWord(i, next, value) {
		return 0, i, false
	}
	n, next = s.decimals(float64(value), next)
	return n, next, true
}

// part adds "ونص", "وربع", "وثلث" to a number or takes "إلا ربع" from it. Behind thousands it is a part of a
// thousand: ألف ونص is 1,500.
func (s sentence) part(n float64, i int) (float64, int) {
	if i >= len(s) || i > 0 && s[i-1].tail != "" {
		return n, i
	}
	sign, j := 1.0, i
	if s.full(i) == "الا" {
		sign, j = -1, i+1
	} else if k, ok := s.and(i); ok {
		j = k
	} else if !strings.HasPrefix(s.full(i), "و") {
		return n, i
	}
	if j >= len(s) {
		return n, i
	}
	f, ok := fractions[strings.TrimPrefix(strings.TrimPrefix(s.full(j), "و"), "ال")]
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
	for _, front := range fronts(w) {
		for _, ending := range []string{"ين", "ان"} {
			stem, cut := strings.CutSuffix(front, ending)
			if !cut || utf8.RuneCountInString(stem) < 2 {
				continue
			}
			if single, a := strings.CutSuffix(stem, "ت"); a && countable[single+"ه"] {
				return canonical(single + "ه"), true
			}
			if countable[stem] {
				return canonical(stem), true
			}
		}
	}
	return "", false
}

// canonical is the unit that a folded singular belongs to, or itself.
func canonical(w string) string {
	if unit, ok := measures[w]; ok {
		return unit
	}
	return w
}
