package arabic

import (
	"regexp"
	"strconv"
	"strings"
)

// dayPart is a part of the day.
type dayPart int

const (
	anyPart dayPart = iota
	morning
	midday
	afternoon // from noon to midnight
	night
)

// to24Hour converts an hour of the 12-hour clock (0 for twelve) to the 24-hour clock.
func (p dayPart) to24Hour(h int) int {
	switch p {
	case midday: // 11 الظهر is before noon, 2 الظهر after it
		if h == 10 || h == 11 {
			return h
		}
		return h + 12
	case afternoon:
		return h + 12
	case night:
		if h >= 5 {
			return h + 12
		}
	}
	return h
}

var parts = map[string]dayPart{
	"صباح": morning, "صباحا": morning, "الصبح": morning, "صبح": morning, "الصباح": morning, "الصبحيه": morning,
	"الفجر": morning, "فجرا": morning, "الضحي": morning, "ضحي": morning, "ص": morning, "am": morning, "a.m": morning,
	"الظهر": midday, "ظهرا": midday, "ظهر": midday, "الضهر": midday, "ضهر": midday, "الظهريه": midday,
	"العصر": afternoon, "عصرا": afternoon, "عصر": afternoon, "المغرب": afternoon, "مغرب": afternoon,
	"مساء": afternoon, "المساء": afternoon, "المسا": afternoon, "مسا": afternoon, "مساءا": afternoon, "مسائا": afternoon,
	"العشاء": afternoon, "العشا": afternoon, "العشيه": afternoon, "لعشيه": afternoon, "عشيه": afternoon,
	"المسويه": afternoon, "م": afternoon, "pm": afternoon, "p.m": afternoon,
	"الليل": night, "ليلا": night, "ليل": night, "الليله": night, "بليل": night,
}

// greetings are words after which صباح and مساء do not mean a part of the day.
var greetings = wordSet("الخير النور الورد الفل الياسمين الخيرات")

// partAt reads the part of the day that begins at word i, after at most two prepositions.
func (s inputSentence) partAt(i int) (dayPart, int) {
	for j := i; j < min(i+3, len(s)); j++ {
		p, ok := parts[s.fullWordAt(j)]
		if !ok {
			p, ok = lookUpWord(parts, s.fullWordAt(j))
			ok = ok && len(s.fullWordAt(j)) > len("بم")
		}
		switch {
		case ok && !greetings[s.fullWordAt(j+1)]:
			if p == midday && s.fullWordAt(j-1) == "بعد" {
				p = afternoon
			}
			return p, j + 1
		case !partLinks[s.fullWordAt(j)]:
			return anyPart, i
		}
	}
	return anyPart, i
}

// dayPart returns the part of the day named anywhere in the sentence.
func (s inputSentence) dayPart() dayPart {
	for i, w := range s {
		if w.folded == "م" || w.folded == "ص" || partLinks[w.folded] {
			continue
		}
		if p, next := s.partAt(i); next > i {
			if p == midday && s.fullWordAt(i-1) == "بعد" {
				return afternoon
			}
			return p
		}
	}
	return anyPart
}

var (
	partLinks   = wordSet("في بعد من ب فى قبل تمام بالضبط بالظبط صلاة هذا هذي وقت على")
	minuteUnits = wordSet("دقيقة دقائق دقايق دقيقتين دقيقه دئايئ")
	// lessWords stand before the minutes that are missing from the hour.
	lessWords  = wordSet("إلا غير قل ناقص")
	fewMinutes = map[string]int{"دقيقه": 1, "دقيقتان": 2, "دقيقتين": 2} // said without a number
	// beforeNumber and afterNumber are words next to which a number is no hour; units are in measures.
	beforeNumber = wordSet("يوم شهر رقم طاولة شقة عمارة مبنى دور فرع باب تاريخ")
	afterNumber  = wordSet("دقيقة دقائق دقايق ساعات مرات بالمية بالمئة برجر بيتزا شاورما سنة سنين سنوات " +
		"طاولات أطفال كبار افراد ألف مية مئة")
	middles  = map[string]bool{"منتصف": true, "نص": true, "نصف": true}
	middleOf = map[string]int{"الليل": 0, "ليل": 0, "النهار": 12, "اليوم": 12}
)

var ordinalHours = map[string]int{
	"الواحده": 1, "الوحده": 1, "الثانيه": 2, "التانيه": 2, "الثالثه": 3, "التالته": 3, "الثالته": 3, "التالثه": 3,
	"الرابعه": 4, "الخامسه": 5, "السادسه": 6, "الساته": 6, "السابعه": 7, "الثامنه": 8, "التامنه": 8, "التاسعه": 9,
	"العاشره": 10, "الحاديه": eleven, "الحداشر": 11, "الاتناشر": 12, "الاثنا": 2, "الاطنعش": 12,
}

var (
	writtenClock = regexp.MustCompile(`(?:^|[^\d:./-])(\d{1,2})\s?[:٫]\s?(\d{2})(?:[^\d:/-]|$)`)
	oneWord      = regexp.MustCompile(`(\d)(ص|م|am|pm|a\.m|p\.m)`)
)

// writtenTime finds 17:30 and 5:30 م.
func writtenTime(s string) (ClockTime, bool) {
	digits := strings.Join(limitedFields(westernDigits(s)), " ")
	m := writtenClock.FindStringSubmatchIndex(digits)
	if m == nil {
		return ClockTime{}, false
	}
	hour, _ := strconv.Atoi(digits[m[2]:m[3]])
	minute, _ := strconv.Atoi(digits[m[4]:m[5]])
	if hour > 24 || minute > 59 || hour == 24 && minute > 0 {
		return ClockTime{}, false
	}
	rest := parseSentence(splitDayPart(digits[m[4]:]))
	p, _ := rest.partAt(1)
	if p == anyPart {
		p = parseSentence(digits).dayPart()
	}
	zero := digits[m[2]] == '0'
	r := timeReading{minutes: 60*hour + minute, full: hour == 0 || hour > 12 || zero && p == anyPart, part: p}
	return r.toClock(), true
}

// splitDayPart separates a number from the part of the day attached to it by a space: 5م, 10pm.
func splitDayPart(s string) string { return oneWord.ReplaceAllString(westernDigits(s), "$1 $2") }

// westernDigits writes the digits of both Arabic scripts as 0-9.
func westernDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if d := foldRune(r); d >= '0' && d <= '9' {
			return d
		}
		return r
	}, s)
}
