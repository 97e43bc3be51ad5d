package contactfile

import (
	"slices"
	"strings"
	"unicode"

	"munadi/engine/arabic"
)

// PhoneField is the name of the telephone number's field.
const PhoneField = "phone_number"

// ContactField is what a column may hold: the telephone number, or a variable of the scenario.
type ContactField struct {
	Name   string   // [PhoneField], or a variable's name
	Labels []string // display names in all languages
	Kind   ValueKind
}

// sampleRows is the number of rows that are examined to match a column.
const sampleRows = 50

// minMatchScore is the least score of a match: half of the values, or the header.
const minMatchScore = 5

// MatchColumns guesses the field of each column by header and content; empty if no field fits. Each field is matched to
// at most one column.
func MatchColumns(t ContactTable, fields []ContactField, rules ReadingRules) []string {
	matched := make([]string, len(t.Header))
	for _, field := range fields {
		best, most := -1, minMatchScore-1
		for i := range t.Header {
			if matched[i] != "" {
				continue
			}
			if score := scoreColumn(t, i, field, rules); score > most {
				best, most = i, score
			}
		}
		if best >= 0 {
			matched[best] = field.Name
		}
	}
	return matched
}

// FindNameColumn returns the column that holds people's names, by its header; -1 without one.
func FindNameColumn(t ContactTable) int {
	return slices.Index(MatchColumns(t, []ContactField{{Name: nameWord, Kind: TextValue}}, ReadingRules{}), nameWord)
}

// nameWord is a synonym of the headers of names.
const nameWord = "name"

// scoreColumn returns how well a column fits a field, from 0 to 20: up to 10 for its header and 10 for its values.
func scoreColumn(t ContactTable, column int, field ContactField, rules ReadingRules) int {
	header := scoreHeader(foldName(t.Header[column]), append([]string{field.Name}, field.Labels...))
	values := scoreValues(t, column, field.Kind, rules)
	switch field.Kind {
	case PhoneValue:
		if values < 5 {
			return 0
		}
		return header + values
	case DateValue, TimeValue:
		if values < 5 {
			return 0
		}
		return header + values/2
	}
	return header
}

// scoreHeader compares a folded header with the names of a field: 10 for equal names, 7 for synonyms, else 0.
func scoreHeader(header string, names []string) (score int) {
	for _, name := range names {
		switch folded := foldName(name); {
		case folded == "":
		case header == folded:
			return 10
		case sharesMeaning(header, folded):
			score = 7
		}
	}
	return score
}

// scoreValues returns how many tenths of a column's first values can be read as a kind.
func scoreValues(t ContactTable, column int, kind ValueKind, rules ReadingRules) int {
	filled, fits := 0, 0
	for _, row := range t.Rows[:min(sampleRows, len(t.Rows))] {
		if row[column] == "" {
			continue
		}
		filled++
		if isOfKind(row[column], kind, rules) {
			fits++
		}
	}
	if filled == 0 {
		return 0
	}
	return 10 * fits / filled
}

// isReadable reports whether a text is a value of its kind, even if it can be read in two ways.
func isReadable(v ValueReading) bool {
	return v.Doubt == OrderUnknown || v.Doubt == ClockUnknown || v.isRead()
}

// isOfKind reports whether a value can be read as a kind.
func isOfKind(text string, kind ValueKind, rules ReadingRules) bool {
	switch kind {
	case PhoneValue:
		_, ok := NormalizeNumber(text, rules.Region)
		return ok || SplitNumbers(text, rules.Region) != nil
	case DateValue:
		return isReadable(readDate(text, rules)) && !excelDate.MatchString(westernDigits(text))
	case TimeValue:
		return isReadable(readTime(text, rules)) && !bareHour.MatchString(westernDigits(text))
	}
	return true
}

// synonymGroups returns groups of words with one meaning in headers and in names of variables.
func synonymGroups() [][]string {
	return [][]string{
		{
			"جوال", "هاتف", "تلفون", "موبايل", "محمول", "واتساب",
			"phone", "mobile", "tel", "telephone", "cell", "msisdn", "whatsapp",
		},
		{"اسم", "مريض", "عميل", "زبون", "مستفيد", "name", "patient", "customer", "client"},
		{"تاريخ", "يوم", "date", "day"},
		{"وقت", "ساعه", "زمن", "time", "hour"},
		{"طبيب", "دكتور", "معالج", "doctor", "physician", "dr"},
		{"فرع", "عياده", "موقع", "branch", "clinic", "location"},
		{"مبلغ", "قيمه", "سعر", "amount", "price", "total"},
		{"رقم الطلب", "طلب", "order"},
	}
}

// sharesMeaning reports whether two folded names contain synonyms.
func sharesMeaning(a, b string) bool {
	inA, inB := strings.Fields(a), strings.Fields(b)
	return slices.ContainsFunc(synonymGroups(), func(words []string) bool {
		means := func(word string) bool {
			return slices.ContainsFunc(words, func(one string) bool { return foldName(one) == word })
		}
		return slices.ContainsFunc(inA, means) && slices.ContainsFunc(inB, means)
	})
}

// foldName normalizes a name for comparison: lower case, without diacritics, punctuation and Arabic articles.
func foldName(name string) string {
	words := strings.FieldsFunc(strings.ToLower(arabic.FoldSpelling(name)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	for i, word := range words {
		if rest, found := strings.CutPrefix(word, "ال"); found && len(rest) > 3 {
			words[i] = rest
		}
	}
	return strings.Join(words, " ")
}
