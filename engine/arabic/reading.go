package arabic

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// ReadAloud returns a written text in the words that a reader says: numbers, money, percentages, dates, times,
// telephone numbers, titles and other abbreviations. Words stay as they are, with their marks and punctuation.
//
// A text without Arabic letters and with Latin ones is returned as it is: its numbers are read in its language.
func ReadAloud(text string) string {
	if !hasLetterOf(text, unicode.Arabic) && hasLetterOf(text, unicode.Latin) {
		return text
	}
	text = strings.Map(readingRune, text)
	for _, rule := range readingRules {
		text = rule.written.ReplaceAllStringFunc(text, func(found string) string {
			said := rule.say(rule.written.FindStringSubmatch(found))
			if said == "" {
				return found
			}
			return said
		})
	}
	text = readTitles(text)
	return strings.TrimSpace(doubledSpace.ReplaceAllString(text, " "))
}

func hasLetterOf(text string, script *unicode.RangeTable) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) && unicode.Is(script, r) })
}

// readingRune returns the Western form of digits, separators and the percent sign, and spaces for directional marks.
func readingRune(r rune) rune {
	switch r {
	case '٪':
		return '%'
	case '٬':
		return ','
	case '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u2066', '\u2067', '\u2069', '\u00a0':
		return ' '
	}
	return WesternDigit(r)
}

var doubledSpace = regexp.MustCompile(`[ \t]{2,}`)

// readingRule replaces what it finds in writing by words; an empty answer leaves it as it is. Rules are applied in
// order, so that a number of a date is no number any more.
type readingRule struct {
	written *regexp.Regexp
	say     func(groups []string) string
}

var readingRules = []readingRule{
	{regexp.MustCompile(`(يوم |بتاريخ |تاريخ )?\b(\d{4})-(\d{1,2})-(\d{1,2})\b`), func(g []string) string {
		return readDate(g[1], g[2], g[3], g[4])
	}},
	{regexp.MustCompile(`(يوم |بتاريخ |تاريخ )?\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b`), func(g []string) string {
		return readDate(g[1], g[4], g[3], g[2])
	}},
	{regexp.MustCompile(`(الساعة )?\b(\d{1,2}):(\d{2})\b` +
		`(?: ?(صباحا|صباحًا|مساء|مساءً|ص|م|AM|PM|am|pm)(?:[ .،,؛؟!:)]|$))?`), readClock},
	{regexp.MustCompile(`\+\d{7,15}\b|\b0\d{6,14}\b|\b\d{10,15}\b`), func(g []string) string {
		return strings.TrimSpace(map[bool]string{true: "زائد "}[g[0][0] == '+'] + SpellDigits(g[0]))
	}},
	{regexp.MustCompile(`\b(\d{4}) ?(م|هـ|ه)(?:[ .،,؛؟!:)]|$)`), func(g []string) string {
		era := "هجري"
		if g[2] == "م" {
			era = "ميلادي"
		}
		return readNumber(g[1]) + " " + era + lastMark(g[0])
	}},
	{regexp.MustCompile(`([$€£]) ?(` + numeral + `)|` +
		`(` + numeral + `) ?(ر\.س\.?|د\.إ\.?|ج\.م\.?|د\.ك\.?|ر\.ق\.?|SAR|AED|EGP|KWD|QAR|USD|[$€£])`), readMoney},
	{regexp.MustCompile(`(` + numeral + `) ?%`), func(g []string) string { return readNumber(g[1]) + " بالمائة" }},
	{regexp.MustCompile(`\b(\d{1,4}) ?[-–] ?(\d{1,4})\b`), func(g []string) string {
		return readNumber(g[1]) + " إلى " + readNumber(g[2])
	}},
	{regexp.MustCompile(`(-|−)?(` + numeral + `)(?: ([\p{Arabic}]+))?`), readCounted},
	{regexp.MustCompile(`%`), func([]string) string { return " بالمائة " }},
	{regexp.MustCompile(`&`), func([]string) string { return " و" }},
	{regexp.MustCompile(`@`), func([]string) string { return " آت " }},
	{regexp.MustCompile(`ص\.ب\.?`), func([]string) string { return "صندوق بريد" }},
	{regexp.MustCompile(`إلخ\.?|الخ\.\.`), func([]string) string { return "إلى آخره" }},
	{regexp.MustCompile(`\bDr\.`), func([]string) string { return "Doctor" }},
	{regexp.MustCompile(`\bMr\.`), func([]string) string { return "Mister" }},
}

// numeral is a number in digits, with separators of thousands and decimals.
const numeral = `\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`

func lastMark(found string) string {
	r, _ := utf8.DecodeLastRuneInString(found)
	if unicode.IsLetter(r) || r == 'ـ' {
		return ""
	}
	return string(r)
}

// readDate returns a day with its year; the word before it, which may be empty, stays. What is no day of the Gregorian
// calendar is read as its numbers.
func readDate(before, year, month, day string) string {
	d, err := time.Parse("2006-1-2", year+"-"+month+"-"+day)
	if err != nil || d.Year() < 1900 { // years of the Hijri calendar are other days
		return before + strings.Join([]string{
			readNumber(strings.TrimLeft(day, "0")), readNumber(strings.TrimLeft(month, "0")), readNumber(year),
		}, " ")
	}
	said := SpellDate(d)
	if strings.HasPrefix(before, "يوم") {
		before = ""
	}
	return before + said + " عام " + oblique(readNumber(year))
}

// oblique returns a number in words in the case that follows a noun or a preposition.
func oblique(number string) string {
	words := strings.Fields(number)
	for i, w := range words {
		switch {
		case strings.HasSuffix(w, "ان") && w != "ثمان":
			words[i] = strings.TrimSuffix(w, "ان") + "ين"
		case strings.HasSuffix(w, "ون") && w != "مليون":
			words[i] = strings.TrimSuffix(w, "ون") + "ين"
		}
	}
	return strings.Join(words, " ")
}

// readClock returns a time of day; the part of the day that is written decides between morning and evening.
func readClock(g []string) string {
	hour, _ := strconv.Atoi(g[2])
	minute, _ := strconv.Atoi(g[3])
	if hour > 24 || minute > 59 {
		return ""
	}
	switch part := strings.ToLower(g[4]); {
	case part == "":
	case (part == "م" || part == "pm" || strings.HasPrefix(part, "مساء")) && hour < 12:
		hour += 12
	case (part == "ص" || part == "am" || strings.HasPrefix(part, "صباح")) && hour == 12:
		hour = 0
	}
	mark := ""
	if g[4] != "" {
		mark = lastMark(g[0])
	}
	return SpellTime(hour, minute) + mark
}

// currencies are the words of currencies by their signs.
var currencies = map[string][2]string{ // one or many, 3 to 10
	"ر.س": {"ريال سعودي", "ريالات سعودية"}, "SAR": {"ريال سعودي", "ريالات سعودية"},
	"د.إ": {"درهم إماراتي", "دراهم إماراتية"}, "AED": {"درهم إماراتي", "دراهم إماراتية"},
	"ج.م": {"جنيه مصري", "جنيهات مصرية"}, "EGP": {"جنيه مصري", "جنيهات مصرية"},
	"د.ك": {"دينار كويتي", "دنانير كويتية"}, "KWD": {"دينار كويتي", "دنانير كويتية"},
	"ر.ق": {"ريال قطري", "ريالات قطرية"}, "QAR": {"ريال قطري", "ريالات قطرية"},
	"$": {"دولار", "دولارات"}, "USD": {"دولار", "دولارات"}, "€": {"يورو", "يورو"},
	"£": {"جنيه إسترليني", "جنيهات إسترلينية"},
}

func readMoney(g []string) string {
	sign, number := g[1], g[2]
	if sign == "" {
		sign, number = g[4], g[3]
	}
	names := currencies[strings.TrimSuffix(sign, ".")]
	name := names[0]
	if n, err := strconv.Atoi(number); err == nil && n%100 >= 3 && n%100 <= 10 {
		name = names[1]
	}
	return readNumber(number) + " " + name
}

// units are abbreviations that are units after a number only.
var units = map[string]string{
	"كم": "كيلومتر", "كغ": "كيلوغرام", "كجم": "كيلوغرام", "سم": "سنتيمتر", "مم": "مليمتر", "ملم": "مليمتر",
	"مل": "مليلتر",
}

// feminineNouns are counted nouns of feminine gender that do not end in ta marbuta, in the forms that follow numbers.
var feminineNouns = wordSet("دقائق دقايق ساعات سنوات سنين ليال ليالي مرات ثوان ثواني دقيقة ساعة سنة ليلة مرة ثانية " +
	"غرف غرفة جلسات جلسة زيارات زيارة قطع قطعة درجات درجة صفحات صفحة رسائل رسالة نسخ نسخة شقق شقة طاولات طاولة " +
	"خطوات خطوة حبات حبة جرعات جرعة أسئلة حلقات نقاط نقطة")

// readCounted returns a number in the gender that what follows asks for: ثلاث دقائق, but ثلاثة أيام.
func readCounted(g []string) string {
	said, noun := readNumber(g[2]), g[3]
	if said == "" {
		return ""
	}
	if g[1] != "" {
		said = "ناقص " + said
	}
	n, err := strconv.Atoi(g[2])
	if err == nil && g[1] == "" && feminineNouns[FoldSpelling(noun)] {
		said = spellFeminine(n, said)
	}
	if unit := units[noun]; unit != "" {
		noun = unit
	}
	if noun != "" {
		return said + " " + noun
	}
	return said
}

// spellFeminine returns a number of feminine things.
func spellFeminine(n int, masculine string) string {
	small := n % 100
	switch {
	case small == 0 || n >= 1_000_000 || n != small && small < 3:
		return masculine
	case small < len(feminineNames):
		small, masculine = n%100, strings.TrimSuffix(masculine, unitNames[small])
		return masculine + feminineNames[small]
	case small%10 == 0:
		return masculine
	}
	tail := unitNames[small%10] + and + tensNames[small/10]
	unit := feminineNames[small%10]
	switch small % 10 {
	case 1:
		unit = "إحدى"
	case 8:
		unit = "ثمان"
	}
	return strings.TrimSuffix(masculine, tail) + unit + and + tensNames[small/10]
}

// readNumber returns a number in digits in words: from a leading zero on digit by digit, a half as one, other decimals
// after the comma.
func readNumber(number string) string {
	number = strings.ReplaceAll(number, ",", "")
	whole, decimals, fraction := strings.Cut(number, ".")
	if len(whole) > 1 && whole[0] == '0' || len(whole) > 9 {
		return SpellDigits(whole)
	}
	n, err := strconv.Atoi(whole)
	if err != nil {
		return ""
	}
	said := SpellNumber(n)
	switch {
	case !fraction:
	case decimals == "5" && n == 0:
		said = "نصف"
	case decimals == "5":
		said += " ونصف"
	case decimals[0] == '0' || len(decimals) > 2:
		said += " فاصلة " + SpellDigits(decimals)
	default:
		said += " فاصلة " + readNumber(decimals)
	}
	return said
}
