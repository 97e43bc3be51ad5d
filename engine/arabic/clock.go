package arabic

import (
	"slices"
	"strings"
)

// ClockTime is a time of day. Ambiguous means that Hour is 1 to 12 without a.m. or p.m.; otherwise Hour is 0 to 23.
// Bounded means that a time before or after it was named.
type ClockTime struct {
	Hour, Minute       int
	Ambiguous, Bounded bool
}

// TimeOfDay returns the time that s names: "الساعة خمسة ونص", "الخامسة والنصف مساء", "ست إلا ربع", "17:30".
//
// After الساعة any hour counts; otherwise an hour with a part of the day or minutes is preferred to a bare number, and
// a number that counts something else (خمس دقايق, خمسة ديسمبر, يوم خمسة) is no hour. Two different hours give no
// result, unless the speaker corrects the first one ("خمسة لا ستة"). Choices:
//
//   - A part of the day without an hour ("العصر", "بعد الظهر") is no time, but midnight and midday are.
//   - 12 صباحا is 0:00 and 12 مساء is 12:00, as telephones write them; 12 بالليل is 0:00.
//   - A refused hour is none ("الساعة خمسة ما أقدر").
//   - بالليل is before midnight for hours from 5 to 11, after midnight from 12 to 4.
//   - A written hour of two digits with a leading zero ("05:30") is on the 24-hour clock.
func TimeOfDay(s string) (ClockTime, bool) {
	if c, ok := writtenTime(s); ok {
		return c, true
	}
	heard := parseSentence(splitDayPart(s))
	c, ok, named := heard.findTime()
	if !named && len(heard) <= repairLimit {
		if repaired, some := heard.repairNumbers(); some {
			c, ok, _ = repaired.findTime()
		}
	}
	return c, ok
}

// findTime returns the time that a sentence names; named is whether it names any, even if several that differ.
func (s inputSentence) findTime() (c ClockTime, ok, named bool) {
	var best timeReading
	for i := 0; i < len(s); {
		r, ok := s.timeAt(i)
		switch {
		case !ok:
			i++
			continue
		case s.isRefused(i, r.next), comparatives[s.fullWordAt(i-2)] && s.isBound(i):
			i = r.next
			continue
		case best.rank > 0 && s.isEitherOf(best.next, i):
			best.conflict = true
		case r.rank > best.rank, s.corrects(best, r, i):
			r.rank, r.bounded = max(r.rank, best.rank), timeBounds[s.fullWordAt(i-1)]
			best = r
		case r.rank == best.rank && (r.minutes != best.minutes || r.part != best.part):
			best.conflict = true
		}
		i = r.next
	}
	if best.rank == 0 || best.conflict {
		return ClockTime{}, false, best.rank > 0
	}
	if best.part == anyPart {
		best.part = s.dayPart()
	}
	c = best.toClock()
	c.Bounded = best.bounded
	return c, true, true
}

// corrects reports whether the time r at word i replaces the best one so far: after a correction word, a bare number
// only if nothing else is between.
func (s inputSentence) corrects(best, r timeReading, i int) bool {
	if best.rank == 0 || !s.isCorrected(best.next, i) {
		return false
	}
	if r.rank >= min(best.rank, 2) {
		return true
	}
	for j := best.next; j < i; j++ {
		if !corrections[s.fullWordAt(j)] && s.fullWordAt(j) != "ولا" {
			return false
		}
	}
	return true
}

// timeBounds are words before a time that is not meant itself.
var timeBounds = wordSet("قبل بعد عقب")

// timeReading is one time found in a sentence.
type timeReading struct {
	minutes  int  // since twelve on the 12-hour clock, since midnight on the 24-hour clock
	full     bool // on the 24-hour clock
	part     dayPart
	rank     int // certainty: 1 a bare number, 2 with minutes or part of the day, 3 after الساعة
	next     int
	conflict bool // contradicted by another one
	bounded  bool
}

func (r timeReading) toClock() ClockTime {
	h, m := r.minutes/60, r.minutes%60
	if r.full {
		return ClockTime{Hour: h % 24, Minute: m}
	}
	h %= 12
	if r.part == anyPart {
		if h == 0 {
			h = 12
		}
		return ClockTime{Hour: h, Minute: m, Ambiguous: true}
	}
	return ClockTime{Hour: r.part.to24Hour(h), Minute: m}
}

// timeAt reads the time that begins with word i.
func (s inputSentence) timeAt(i int) (timeReading, bool) {
	if h, n := s.fixedTime(i); n > i {
		return timeReading{minutes: 60 * h, full: true, rank: 2, next: n}, true
	}
	spoken := slices.Contains(clocks, s.fullWordAt(i))
	j := i
	if spoken {
		j++
	}
	hour, next, ordinal := s.readHour(j, spoken)
	if next == j || !spoken && !ordinal && s.countsSomethingElse(i, next) {
		return timeReading{}, false
	}
	if s.fullWordAt(i-1) == "بين" {
		return timeReading{conflict: true, rank: 2, next: next}, true
	}
	r := timeReading{minutes: 60 * hour, full: hour == 0 || hour > 12, rank: 1, next: next}
	r.minutes, r.next = s.readMinutes(r.minutes, r.next, spoken || ordinal)
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
	case s.countsSomethingElse(i, r.next), s.isDigitWord(i-1) && !refusals[s.fullWordAt(i-2)], s.isDigitWord(r.next):
		return timeReading{}, false
	}
	return r, true
}

// isDigitWord reports whether word i is a number below a hundred, as in a telephone number.
func (s inputSentence) isDigitWord(i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	k := s[i].atom.kind
	return k == unit || k == ten || k == teen || k == tens
}

// readMinutes reads the minutes added to or subtracted from the hour: "ونص وخمسة", "إلا ربع". firm means that the words
// are certainly a time, so any number of minutes is accepted and و may be missing.
func (s inputSentence) readMinutes(t, i int, firm bool) (minutes, next int) {
	for range 3 {
		n, end := s.minutePart(i, firm)
		if end == i {
			break
		}
		t, i = t+n, end
	}
	return t, i
}

func (s inputSentence) minutePart(i int, firm bool) (n, next int) {
	if i <= 0 || i >= len(s) || s[i-1].tail != "" {
		return 0, i
	}
	sign, joined, j := 1, false, i
	switch w := s.fullWordAt(i); {
	case lessWords[w] || w == "الي" && fractions[strings.TrimPrefix(s.fullWordAt(i+1), "ال")] > 0:
		sign, joined, j = -1, true, i+1
	case w == "و":
		joined, j = true, i+1
	case strings.HasPrefix(w, "و") && s[i].folded != "وحده":
		joined = true
	}
	if j >= len(s) {
		return 0, i
	}
	w := strings.TrimPrefix(s.fullWordAt(j), "و")
	if n := hundredStems[w]; n > 0 && minuteUnits[s.fullWordAt(j+1)] { // تلت دقايق, تمن دقايق
		return sign * n, j + 2
	}
	if f, ok := fractions[strings.TrimPrefix(w, "ال")]; ok && f < .6 {
		return sign * int(60*f+.5), s.skipUnit(j + 1)
	}
	if n := fewMinutes[w]; joined && n > 0 {
		return sign * n, j + 1
	}
	value, end := s.belowHundred(j)
	if n, ok := parseNumeral(s.fullWordAt(j)); ok {
		value, end = int(n), j+1
	}
	unit := end < len(s) && minuteUnits[s.fullWordAt(end)]
	switch {
	case end == j || value < 1 || value > 59 || !joined && !unit && (!firm || value < 10):
		return 0, i
	case !unit && !firm && value%5 != 0:
		return 0, i
	}
	return sign * value, s.skipUnit(end)
}

// skipUnit steps over دقيقة after minutes.
func (s inputSentence) skipUnit(i int) int {
	if minuteUnits[s.fullWordAt(i)] {
		return i + 1
	}
	return i
}
