package arabic

import (
	"strings"
	"time"
)

// looseDay reads a day of the week, a day counted from today, or "يوم خمسة" at word i.
func (s inputSentence) looseDay(i int, today time.Time) (time.Time, int) {
	for _, read := range []func(int, time.Time) (time.Time, int){
		s.numberedDay, s.readWeekday, s.fromToday, s.partOfMonth,
	} {
		if d, next := read(i, today); next > i {
			return d, next
		}
	}
	return today, i
}

// partOfMonth reads "نص الشهر", the 15th, and "آخر الشهر الجاي" or "آخر يناير", the last day, at word i: the next one
// from today on.
func (s inputSentence) partOfMonth(i int, today time.Time) (time.Time, int) {
	part, named := monthParts[s.fullWordAt(i)]
	dayOf := func(m time.Month) time.Time {
		if part == monthEnd {
			m++
		}
		return time.Date(today.Year(), m, part, 0, 0, 0, 0, time.UTC)
	}
	if m, next, ok := s.readMonth(i + 1); named && ok { // "آخر يناير"
		if d := dayOf(m); !d.Before(today) {
			return d, next
		}
		return dayOf(m + 12), next
	}
	if _, month := lookUpWord(thisMonth, s.fullWordAt(i+1)); !named || !month {
		return today, i
	}
	if nextWords[s.fullWordAt(i+2)] {
		return dayOf(today.Month() + 1), i + 3
	}
	if d := dayOf(today.Month()); !d.Before(today) {
		return d, i + 2
	}
	return dayOf(today.Month() + 1), i + 2
}

// numberedDay reads "يوم خمسة", the next fifth of a month.
func (s inputSentence) numberedDay(i int, today time.Time) (time.Time, int) {
	if s.fullWordAt(i) != "يوم" && s.fullWordAt(i) != "تاريخ" || i+1 >= len(s) {
		return today, i
	}
	if _, ok := weekdays["ال"+s.fullWordAt(i+1)]; ok {
		return today, i
	}
	day, next := s.dayOfMonth(i + 1)
	if next == i+1 || measures[s.fullWordAt(next)] != "" {
		return today, i
	}
	return nextDay(today, day), next
}

// readWeekday reads الخميس, يوم خميس, "الخميس الأسبوع الجاي", "الخميس بعد الجاي".
func (s inputSentence) readWeekday(i int, today time.Time) (time.Time, int) {
	j := i
	named := s.fullWordAt(i) == "يوم" || s.fullWordAt(i) == "نهار"
	if named {
		j++
	}
	day, ok := weekdays[s.fullWordAt(j)]
	if !ok {
		day, ok = s.looseWeekday(j, named)
	}
	if !ok {
		return today, i
	}
	d := today.AddDate(0, 0, int(day-today.Weekday()+6)%7+1)
	if s.fullWordAt(i-1) == "اليوم" && day == today.Weekday() {
		return today, j + 1
	}
	next := j + 1
	if w := s.fullWordAt(next); w == "من" || w == "في" || w == "هذا" || w == "اللي" {
		next++
	}
	_, week := lookUpWord(thisWeek, s.fullWordAt(next))
	switch {
	case week && nextWords[s.fullWordAt(next+1)]:
		return nextWeek(today, day), next + 2
	case pastWords[s.fullWordAt(next)] || s.fullWordAt(i-1) == "كل", thisMonth[s.fullWordAt(next)]:
		return time.Time{}, next + 1 // a past day, every week, or the last Thursday of the month
	case s.isNotThis(next):
		return d.AddDate(0, 0, 7), next + 2
	case nextWords[s.fullWordAt(next)] && s.isNotThis(next+1):
		return d.AddDate(0, 0, 7), next + 3
	case s.fullWordAt(next) == "بعد" && nextWords[s.fullWordAt(next+1)], s.fullWordAt(next) == "بعده":
		return d.AddDate(0, 0, 7), next + 1
	case nextWords[s.fullWordAt(next)]:
		return d, next + 1
	}
	return d, j + 1
}

// isNotThis reports whether "مو هذا" begins with word i.
func (s inputSentence) isNotThis(i int) bool {
	return refusals[s.fullWordAt(i)] && thisOne[s.fullWordAt(i+1)]
}

// nextWeek returns a day of the week that begins next Sunday.
func nextWeek(today time.Time, day time.Weekday) time.Time {
	return today.AddDate(0, 0, 7-int(today.Weekday())+int(day))
}

// looseWeekday finds a day without its article after يوم, or with something before it (للخميس), or misspelled.
func (s inputSentence) looseWeekday(i int, named bool) (time.Weekday, bool) {
	w := s.fullWordAt(i)
	if w == "" {
		return 0, false
	}
	if named {
		if d, ok := weekdays["ال"+w]; ok {
			return d, true
		}
	}
	if rest, ok := strings.CutPrefix(w, "لل"); ok {
		if d, known := weekdays["ال"+rest]; known {
			return d, true
		}
	}
	if rest, ok := strings.CutPrefix(w, "ال"); !ok || rest == "" {
		if d, known := weekdays[strings.TrimLeft(w, "وبلع")]; known {
			return d, true
		}
	}
	if w == "خميس" || w == "جمعه" || w == "سبت" {
		return weekdays["ال"+w], true
	}
	if (named || len(s) == 1) && s[i].atom.kind == other && !similarToWeekdays[w] {
		return lookUpSimilar(weekdays, w)
	}
	return 0, false
}

// fromToday reads اليوم, بكرة, بعد بكرة, بعد ثلاثة أيام, الأسبوع الجاي.
func (s inputSentence) fromToday(i int, today time.Time) (time.Time, int) {
	w := s.fullWordAt(i)
	if w == "بعد" || w == "عقب" || w == "خلال" {
		return s.readDaysAfter(i+1, i, today)
	}
	if thisWeek[w] && nextWords[s.fullWordAt(i+1)] {
		if day, next := s.readWeekday(i+2, today); next > i+2 {
			return nextWeek(today, day.Weekday()), next
		}
		return today.AddDate(0, 0, 7), i + 2
	}
	days, ok := nearDays[w]
	if !ok {
		days, ok = nearDays[strings.TrimLeft(w, "ول")]
	}
	if w == "اللي" && nearDays[s.fullWordAt(i-1)] == 1 && s.fullWordAt(i+1) == "بعده" { // "مو بكرة اللي بعده"
		return today.AddDate(0, 0, 2), i + 2
	}
	ok = ok || nowWords[w] && s.isShortAnswer() && (w != "هلا" || len(s) == 1) // "هلا" also greets
	if !ok {
		return today, i
	}
	if w == "اليوم" && s.fullWordAt(i-1) == "من" { // "بعد خمسة أيام من اليوم"
		return today, i
	}
	if w == "اليوم" {
		_, ordinal := ordinalDays[s.fullWordAt(i+1)]
		_, day := weekdays[s.fullWordAt(i+1)]
		if ordinal || day || qualifiers[s.fullWordAt(i+1)] || nextWords[s.fullWordAt(i+1)] { // part of another date
			return today, i
		}
	}
	return today.AddDate(0, 0, days), i + 1
}

// readDaysAfter reads the days after بعد at word i; from is where بعد is.
func (s inputSentence) readDaysAfter(i, from int, today time.Time) (time.Time, int) {
	w := s.fullWordAt(i)
	if days, ok := nearDays[w]; ok && days == 1 {
		return today.AddDate(0, 0, 2), i + 1
	}
	if days, ok := nearDays[s.fullWordAt(i+1)]; ok && days == 1 && (w == "بعد" || w == "عقب") { // "بعد بعد بكرة"
		return today.AddDate(0, 0, 3), i + 2
	}
	if p, ok := periods[w]; ok {
		return today.AddDate(0, p.months, p.days), i + 1
	}
	n, next, ok := s.plainAt(i)
	p, known := periods[s.fullWordAt(next)]
	if !ok || !known || n < 1 || n > 366 {
		return today, from
	}
	return today.AddDate(0, int(n)*p.months, int(n)*p.days), next + 1
}

func (s inputSentence) plainAt(i int) (n float64, next int, ok bool) {
	if i >= len(s) {
		return 0, i, false
	}
	return s.readPlainNumber(i, true)
}
