package text

import (
	"math"
	"slices"
	"strings"
)

// Clock is a time of day. Ambiguous says that Hour is 1 to 12 and nobody said of which half of the day; else Hour is
// 0 to 23.
type Clock struct {
	Hour, Minute int
	Ambiguous    bool
}

// TimeOfDay is the hour that s names: "الساعة خمسة ونص", "الخامسة والنصف مساء", "ست إلا ربع", "17:30".
//
// Behind الساعة any hour counts; else an hour with its part of the day or its minutes goes before a bare number, and
// a number of something (خمس دقايق, خمسة ديسمبر, يوم خمسة) is no hour. Two different hours are none, unless the
// speaker takes the first one back ("خمسة لا ستة"). Choices:
//
//   - A part of the day without an hour ("العصر", "بعد الظهر") is no time, but midnight and midday are.
//   - 12 صباحا is 0:00 and 12 مساء is 12:00, as telephones write them; 12 بالليل is 0:00.
//   - بالليل is before midnight from 5 to 11 and behind it from 12 to 4.
//   - A written hour of two digits with a leading zero ("05:30") is of the 24-hour clock.
func TimeOfDay(s string) (Clock, bool) {
	if c, ok := writtenTime(s); ok {
		return c, true
	}
	heard := hear(apart(s))
	var best reading
	for i := 0; i < len(heard); {
		r, ok := heard.timeAt(i)
		switch {
		case !ok:
			i++
			continue
		case refusals[heard.full(i-1)]:
			i = r.next
			continue
		case r.rank > best.rank, r.rank == best.rank && heard.corrected(best.next, i):
			best = r
		case r.rank == best.rank && (r.minutes != best.minutes || r.part != best.part):
			best.torn = true
		}
		i = r.next
	}
	if best.rank == 0 || best.torn {
		return Clock{}, false
	}
	if best.part == anyPart {
		best.part = heard.dayPart()
	}
	return best.clock(), true
}

// reading is one time found in a sentence.
type reading struct {
	minutes int // since twelve on the 12-hour clock, since midnight on the other
	full    bool
	part    part
	rank    int // how sure it is a time: bare number, with minutes or part of the day, behind الساعة
	next    int
	torn    bool // another one says otherwise
}

func (r reading) clock() Clock {
	h, m := r.minutes/60, r.minutes%60
	if r.full {
		return Clock{Hour: h % 24, Minute: m}
	}
	h %= 12
	if r.part == anyPart {
		if h == 0 {
			h = 12
		}
		return Clock{Hour: h, Minute: m, Ambiguous: true}
	}
	return Clock{Hour: r.part.hour(h), Minute: m}
}

// timeAt reads the time that begins with word i.
func (s sentence) timeAt(i int) (reading, bool) {
	if h, n := s.fixedTime(i); n > i {
		return reading{minutes: 60 * h, full: true, rank: 2, next: n}, true
	}
	spoken := slices.Contains(clocks, s.full(i))
	j := i
	if spoken {
		j++
	}
	hour, next, ordinal := s.hour(j, spoken)
	if next == j || !spoken && !ordinal && s.counts(i, next) {
		return reading{}, false
	}
	if s.full(i-1) == "بين" {
		return reading{torn: true, rank: 2, next: next}, true
	}
	r := reading{minutes: 60 * hour, full: hour == 0 || hour > 12, rank: 1, next: next}
	r.minutes, r.next = s.minutes(r.minutes, r.next, spoken || ordinal)
	if !r.full {
		r.minutes %= 720
	}
	r.minutes = (r.minutes + 1440) % 1440
	r.part, r.next = s.partAt(r.next)
	switch {
	case spoken:
		r.rank = 3
	case ordinal || r.next > next:
		r.rank = 2
	case s.counts(i, r.next), s.digit(i-1) && !refusals[s.full(i-2)], s.digit(r.next):
		return reading{}, false
	}
	return r, true
}

// fixedTime reads midnight and midday.
func (s sentence) fixedTime(i int) (hour, next int) {
	if _, ok := middles[s.full(i)]; !ok {
		return 0, i
	}
	if h, ok := middleOf[s.full(i+1)]; ok {
		return h, i + 2
	}
	return 0, i
}

// hour reads the number of an hour: an ordinal, a cardinal, or digits. free lets the 24-hour clock in.
func (s sentence) hour(i int, free bool) (hour, next int, ordinal bool) {
	w, limit := s.full(i), 12
	if free {
		limit = 24
	}
	if h, n := s.ordinalHour(i); n > i {
		return h, n, true
	}
	if i >= len(s) {
		return 0, i, false
	}
	if n, ok := numeral(w); ok && n == math.Trunc(n) && n >= 0 && int(n) <= limit && (free || n > 0) {
		return int(n), i + 1, false
	}
	if h, n := s.cardinalHour(i); n > i && h <= limit && (free || h > 0) {
		return h, n, false
	}
	if h, ok := nearly(ordinalHours, w); ok && free && h != eleven {
		return h, i + 1, true // misheard, but behind الساعة nothing else comes
	}
	return 0, i, false
}

// eleven marks الحادية, which is an hour only with عشرة behind it.
const eleven = -1

func (s sentence) ordinalHour(i int) (hour, next int) {
	h, ok := has(ordinalHours, s.full(i))
	tenth := s.full(i+1) == "عشره" || s.full(i+1) == "عشر"
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
func (s sentence) cardinalHour(i int) (hour, next int) {
	switch a := s[i].atom; {
	case a.kind == ten, a.kind == teen, a.kind == tens && a.value == 20:
		return a.value, i + 1
	case a.kind == unit && a.value > 0 && s.follows(i+1) && s[i+1].atom.kind == ten && s.makeTeen(i):
		return 10 + a.value, i + 2
	case a.kind == unit && !a.bound:
		return a.value, i + 1
	case s.full(i) == "وحده":
		return 1, i + 1
	}
	return 0, i
}

// counts tells whether the number in words i to next-1 is a number of something else than hours.
func (s sentence) counts(i, next int) bool {
	before, after := s.full(i-1), s.full(next)
	if beforeNumber[before] || s[i].atom.value == 1 && slices.Contains(beforeOne, before) {
		return true
	}
	_, measure := measures[after]
	_, _, month := s.month(next)
	return measure || month || afterNumber[after]
}

// digit tells whether word i is a number below a hundred, as beside another one in a telephone number.
func (s sentence) digit(i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	k := s[i].atom.kind
	return k == unit || k == ten || k == teen || k == tens
}

// minutes reads what is added to the hour or taken from it: "ونص وخمسة", "إلا ربع". firm says that a time is being
// told for sure, so that any number of minutes counts and و may be missing.
func (s sentence) minutes(t, i int, firm bool) (minutes, next int) {
	for range 3 {
		n, end := s.minutePart(i, firm)
		if end == i {
			break
		}
		t, i = t+n, end
	}
	return t, i
}

func (s sentence) minutePart(i int, firm bool) (n, next int) {
	if i <= 0 || i >= len(s) || s[i-1].tail != "" {
		return 0, i
	}
	sign, joined, j := 1, false, i
	switch w := s.full(i); {
	case w == "الا" || w == "الي" && fractions[strings.TrimPrefix(s.full(i+1), "ال")] > 0:
		sign, joined, j = -1, true, i+1
	case w == "و":
		joined, j = true, i+1
	case strings.HasPrefix(w, "و") && s[i].folded != "وحده":
		joined = true
	}
	if j >= len(s) {
		return 0, i
	}
	w := strings.TrimPrefix(s.full(j), "و")
	if f, ok := fractions[strings.TrimPrefix(w, "ال")]; ok && f < .6 {
		return sign * int(60*f+.5), s.skipUnit(j + 1)
	}
	value, end := s.belowHundred(j)
	if n, ok := numeral(s.full(j)); ok {
		value, end = int(n), j+1
	}
	unit := end < len(s) && minuteUnits[s.full(end)]
	switch {
	case end == j || value < 1 || value > 59 || !joined && !unit && (!firm || value < 10):
		return 0, i
	case !unit && !firm && value%5 != 0:
		return 0, i
	}
	return sign * value, s.skipUnit(end)
}

// skipUnit steps over دقيقة behind minutes.
func (s sentence) skipUnit(i int) int {
	if minuteUnits[s.full(i)] {
		return i + 1
	}
	return i
}
