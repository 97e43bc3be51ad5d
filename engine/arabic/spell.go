package arabic

import (
	"strconv"
	"strings"
	"time"
)

// Names as the bundled prompts speak them.
var (
	unitNames = [...]string{
		"صفر", "واحد", "اثنان", "ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية", "تسعة", "عشرة",
		"أحد عشر", "اثنا عشر", "ثلاثة عشر", "أربعة عشر", "خمسة عشر", "ستة عشر", "سبعة عشر", "ثمانية عشر", "تسعة عشر",
	}
	tensNames = [...]string{
		2: "عشرون", 3: "ثلاثون", 4: "أربعون", 5: "خمسون", 6: "ستون", 7: "سبعون", 8: "ثمانون", 9: "تسعون",
	}
	hundredNames = [...]string{
		1: "مائة", 2: "مائتان", 3: "ثلاثمائة", 4: "أربعمائة", 5: "خمسمائة", 6: "ستمائة", 7: "سبعمائة",
		8: "ثمانمائة", 9: "تسعمائة",
	}
	feminineNames = [...]string{
		1: "واحدة", 2: "اثنتان", 3: "ثلاث", 4: "أربع", 5: "خمس", 6: "ست", 7: "سبع", 8: "ثماني", 9: "تسع", 10: "عشر",
		11: "إحدى عشرة", 12: "اثنتا عشرة", 13: "ثلاث عشرة", 14: "أربع عشرة", 15: "خمس عشرة", 16: "ست عشرة",
		17: "سبع عشرة", 18: "ثماني عشرة", 19: "تسع عشرة",
	}
	ordinalNames = [...]string{
		1: "الأول", 2: "الثاني", 3: "الثالث", 4: "الرابع", 5: "الخامس", 6: "السادس", 7: "السابع", 8: "الثامن",
		9: "التاسع", 10: "العاشر", 11: "الحادي عشر", 12: "الثاني عشر", 20: "العشرين", 30: "الثلاثين",
	}
	hourNames = [...]string{
		1: "الواحدة", 2: "الثانية", 3: "الثالثة", 4: "الرابعة", 5: "الخامسة", 6: "السادسة", 7: "السابعة",
		8: "الثامنة", 9: "التاسعة", 10: "العاشرة", 11: "الحادية عشرة", 12: "الثانية عشرة",
	}
	dayNames = [...]string{
		time.Sunday: "الأحد", time.Monday: "الاثنين", time.Tuesday: "الثلاثاء", time.Wednesday: "الأربعاء",
		time.Thursday: "الخميس", time.Friday: "الجمعة", time.Saturday: "السبت",
	}
	monthNames = [...]string{
		1: "يناير", 2: "فبراير", 3: "مارس", 4: "أبريل", 5: "مايو", 6: "يونيو", 7: "يوليو", 8: "أغسطس",
		9: "سبتمبر", 10: "أكتوبر", 11: "نوفمبر", 12: "ديسمبر",
	}
)

const and = " و"

// SpellNumber returns n in words, in the counting form, without vowels: 125 is "مائة وخمسة وعشرون". Beyond 999,999,999
// it is spelled digit by digit.
func SpellNumber(n int) string {
	switch {
	case n < 0 && n > -1_000_000_000:
		return "ناقص " + SpellNumber(-n)
	case n < 0 || n >= 1_000_000_000:
		return SpellDigits(strconv.Itoa(n))
	case n == 0:
		return unitNames[0]
	}
	var parts []string
	if m := n / 1_000_000; m > 0 {
		parts = append(parts, spellScale(m, "مليون", "مليونان", "ملايين", "مليونا"))
	}
	if k := n / 1000 % 1000; k > 0 {
		parts = append(parts, spellScale(k, "ألف", "ألفان", "آلاف", "ألفا"))
	}
	if rest := n % 1000; rest > 0 {
		parts = append(parts, spellBelowThousand(rest))
	}
	return strings.Join(parts, and)
}

// spellScale spells a number of thousands or millions: by n the noun is singular, dual, plural or accusative.
func spellScale(n int, one, two, few, many string) string {
	switch {
	case n == 1:
		return one
	case n == 2:
		return two
	case n == 200:
		return "مائتا " + one
	case n%100 >= 3 && n%100 <= 10:
		return spellBelowThousand(n) + " " + few
	case n%100 > 10:
		return spellBelowThousand(n) + " " + many
	}
	return spellBelowThousand(n) + " " + one
}

func spellBelowThousand(n int) string {
	var parts []string
	if n >= 100 {
		parts = append(parts, hundredNames[n/100])
	}
	switch rest := n % 100; {
	case rest == 0:
	case rest < 20:
		parts = append(parts, unitNames[rest])
	case rest%10 == 0:
		parts = append(parts, tensNames[rest/10])
	default:
		parts = append(parts, unitNames[rest%10], tensNames[rest/10])
	}
	return strings.Join(parts, and)
}

// SpellTime spells a time of day on the twelve-hour clock: "الساعة الخامسة والنصف مساء". It is صباحا until noon, ظهرا
// from 12:00, مساء from 13:00 and ليلا from 0:00 to 0:59. Quarters have their words, other minutes are
// counted: "الساعة الثانية عشرة وخمس دقائق ظهرا". Times beyond 24 hours are taken modulo a day.
func SpellTime(hour, minute int) string {
	t := ((hour*60+minute)%1440 + 1440) % 1440
	h, m := t/60, t%60
	period, tail := spellPeriod(h), ""
	switch m {
	case 0:
	case 15:
		tail = " والربع"
	case 30:
		tail = " والنصف"
	case 45:
		h, tail = h+1, " إلا ربعا"
	default:
		tail = and + spellMinutes(m)
	}
	return "الساعة " + hourNames[(h+11)%12+1] + tail + " " + period
}

// spellPeriod returns the part of the day of an hour, 0 to 23.
func spellPeriod(hour int) string {
	switch {
	case hour == 0:
		return "ليلا"
	case hour < 12:
		return "صباحا"
	case hour == 12:
		return "ظهرا"
	}
	return "مساء"
}

// spellMinutes spells 1 to 59 minutes: دقيقة is feminine; it takes the dual for 2, the plural from 3 to 10, the
// singular otherwise.
func spellMinutes(n int) string {
	switch {
	case n == 1:
		return "دقيقة"
	case n == 2:
		return "دقيقتان"
	case n <= 10:
		return feminineNames[n] + " دقائق"
	case n < 20:
		return feminineNames[n] + " دقيقة"
	case n%10 == 0:
		return tensNames[n/10] + " دقيقة"
	case n%10 == 1:
		return "إحدى" + and + tensNames[n/10] + " دقيقة"
	}
	unit := feminineNames[n%10]
	if n%10 == 8 {
		unit = "ثمان"
	}
	return unit + and + tensNames[n/10] + " دقيقة"
}

// SpellDate spells a date without its year: "يوم الخميس الثالث من ديسمبر".
func SpellDate(d time.Time) string {
	return "يوم " + dayNames[d.Weekday()] + " " + spellOrdinal(d.Day()) + " من " + monthNames[d.Month()]
}

// spellOrdinal returns the ordinal of a day of the month, 1 to 31, definite and masculine like يوم.
func spellOrdinal(n int) string {
	switch {
	case n < len(ordinalNames) && ordinalNames[n] != "":
		return ordinalNames[n]
	case n < 20:
		return ordinalNames[n%10] + " عشر"
	case n%10 == 1:
		return "الحادي" + " و" + ordinalNames[n/10*10]
	}
	return ordinalNames[n%10] + " و" + ordinalNames[n/10*10]
}

// SpellDigits spells the digits of a telephone number or a code one by one; other characters are dropped.
func SpellDigits(s string) string {
	var names []string
	for _, r := range s {
		if d := foldRune(r); d >= '0' && d <= '9' {
			names = append(names, unitNames[d-'0'])
		}
	}
	return strings.Join(names, " ")
}
