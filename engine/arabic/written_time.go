package arabic

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// clockWords precede an hour, with the article.
var clockWords = []string{"الساعه", "عالساعه", "للساعه", "بالساعه", "والساعه"}

// clockAt writes a time after الساعة, which stays, or one that a part of the day follows.
func (w *spanWriter) clockAt(i int) (writtenSpan, bool) {
	if span, ok := w.writtenClock(i); ok {
		return span, true
	}
	s := w.day
	r, ok := s.timeAt(i)
	if named := slices.Contains(clockWords, s.fullWordAt(i-1)); named && s[i-1].tail == "" {
		r, ok = s.timeAt(i - 1)
		ok = ok && r.next > i
	} else if ok {
		ok = s.isSurelyTime(i, r)
	}
	if !ok || r.conflict {
		return writtenSpan{}, false
	}
	return writtenSpan{kind: timeSpan, texts: []string{r.clockText()}, first: i, last: r.next - 1}, true
}

// isSurelyTime reports whether a time without الساعة is one: its part of the day was said, in a word of its own.
func (s inputSentence) isSurelyTime(i int, r timeReading) bool {
	return r.part != anyPart && !r.full && len([]rune(s.fullWordAt(r.next-1))) > 1 &&
		!slices.Contains(clocks, s.fullWordAt(i)) && !slices.Contains(clocks, s.fullWordAt(i-1))
}

// clockText returns a time as HH:MM.
func (r timeReading) clockText() string {
	c := r.toClock()
	return fmt.Sprintf("%02d:%02d", c.Hour, c.Minute)
}

var writtenHour = regexp.MustCompile(`^(\d{1,2}):(\d{2})$`)

// writtenClock writes "5:30 م" on the 24-hour clock.
func (w *spanWriter) writtenClock(i int) (writtenSpan, bool) {
	m := writtenHour.FindStringSubmatch(WesternDigits(w.raw[i]))
	if m == nil {
		return writtenSpan{}, false
	}
	hour, _ := strconv.Atoi(m[1])
	minute, _ := strconv.Atoi(m[2])
	part, next := w.s.partAt(i + 1)
	if part == anyPart || hour < 1 || hour > 12 || minute > 59 {
		return writtenSpan{}, false
	}
	r := timeReading{minutes: (60*hour + minute) % 720, part: part}
	return writtenSpan{kind: timeSpan, texts: []string{r.clockText()}, first: i, last: next - 1}, true
}

// dateAt writes a date with its year. A day of the week before it is part of it.
func (w *spanWriter) dateAt(i int) (writtenSpan, bool) {
	s, j := w.day, i
	for range 2 {
		if _, day := weekdays[s.fullWordAt(j)]; day || s.fullWordAt(j) == "يوم" {
			j++
		}
	}
	if j >= len(s) {
		return writtenSpan{}, false
	}
	day, k := s.dayOfMonth(j)
	if k == j {
		return writtenSpan{}, false
	}
	for range 2 {
		if dateLinks[s.fullWordAt(k)] {
			k++
		}
	}
	month, k2, ok := s.readMonth(k)
	if !ok {
		month, k2, ok = s.monthNumber(k, false)
	}
	if !ok {
		return writtenSpan{}, false
	}
	year, end, said := s.readYear(k2)
	if !said {
		return writtenSpan{}, false
	}
	d := dayIn(year, month, day)
	if d.IsZero() {
		return writtenSpan{}, false
	}
	for at := i; at < end-1; at++ {
		if s[at].tail != "" && s[at].tail != "،" {
			return writtenSpan{}, false
		}
	}
	text := d.Format("2006-01-02")
	return writtenSpan{kind: dateSpan, texts: []string{text}, first: i, last: end - 1}, true
}
