package arabic

import (
	"math"
	"slices"
)

// fixedTime reads midnight and midday.
func (s inputSentence) fixedTime(i int) (hour, next int) {
	if _, ok := middles[s.fullWordAt(i)]; !ok {
		return 0, i
	}
	if h, ok := middleOf[s.fullWordAt(i+1)]; ok {
		return h, i + 2
	}
	return 0, i
}

// readHour reads the number of an hour: an ordinal, a cardinal, or digits. With free, hours of the 24-hour clock too.
func (s inputSentence) readHour(i int, free bool) (hour, next int, ordinal bool) {
	w, limit := s.fullWordAt(i), 12
	if free {
		limit = 24
	}
	if h, n := s.ordinalHour(i); n > i {
		return h, n, true
	}
	if i >= len(s) {
		return 0, i, false
	}
	if n, ok := parseNumeral(w); ok && n == math.Trunc(n) && n >= 0 && int(n) <= limit && (free || n > 0) {
		return int(n), i + 1, false
	}
	if h, n := s.cardinalHour(i); n > i && h <= limit && (free || h > 0) {
		return h, n, false
	}
	if h, ok := lookUpSimilar(ordinalHours, w); ok && free && h != eleven {
		return h, i + 1, true // misheard: only an hour can follow الساعة
	}
	return 0, i, false
}

// eleven marks الحادية, which is an hour only with عشرة after it.
const eleven = -1

func (s inputSentence) ordinalHour(i int) (hour, next int) {
	h, ok := lookUpWord(ordinalHours, s.fullWordAt(i))
	tenth := s.fullWordAt(i+1) == "عشره" || s.fullWordAt(i+1) == "عشر"
	switch {
	case !ok || h == eleven && !tenth:
		return 0, i
	case h == eleven || h == 1 && tenth:
		return 11, i + 2
	case h == 2 && tenth:
		return 12, i + 2
	}
	return h, i + 1
}

// cardinalHour reads a number that no ten follows: خمسة وعشرين is five and twenty minutes.
func (s inputSentence) cardinalHour(i int) (hour, next int) {
	switch a := s[i].atom; {
	case a.kind == ten, a.kind == teen, a.kind == tens && a.value == 20:
		return a.value, i + 1
	case a.kind == unit && a.value > 0 && s.followsDirectly(i+1) && s[i+1].atom.kind == ten && s.makeTeen(i):
		return 10 + a.value, i + 2
	case a.kind == unit && !a.bound:
		return a.value, i + 1
	case s.fullWordAt(i) == "وحده":
		return 1, i + 1
	}
	return 0, i
}

// countsSomethingElse reports whether the number in words i to next-1 counts something other than hours.
func (s inputSentence) countsSomethingElse(i, next int) bool {
	before, after := s.fullWordAt(i-1), s.fullWordAt(next)
	if beforeNumber[before] || s[i].atom.value == 1 && slices.Contains(beforeOne, before) {
		return true
	}
	_, measure := measures[after]
	_, _, month := s.readMonth(next)
	return measure || month || afterNumber[after]
}
