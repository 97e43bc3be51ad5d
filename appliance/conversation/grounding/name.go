package grounding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"munadi/engine/arabic"
)

func isLetter(r rune) bool { return unicode.IsLetter(r) }

func foldedSet(list string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		out[arabic.FoldSpelling(word)] = true
	}
	return out
}

var (
	// givenNames are names that are hardly ever another word.
	givenNames = foldedSet("محمد أحمد محمود عبدالله عبدالرحمن عبدالعزيز عبدالملك عبدالرحيم عبدالكريم عبدالقادر إبراهيم " +
		"إسماعيل يوسف يعقوب موسى عيسى سليمان داود هارون عمر عثمان طلال فيصل تركي بندر مشعل نايف متعب عبدالمجيد مصطفى حسين " +
		"ياسر عمار عمرو خالد وليد طارق زياد إياد رامي سامي هاني شريف أيمن أسامة حمزة بلال معاذ أنس زيد علاء بهاء مازن " +
		"غسان مروان نزار قاسم جاسم عبدالوهاب إلياس جورج ميشيل " +
		"فاطمة عائشة خديجة مريم زينب رقية حفصة آمنة أسماء سارة نورة هند ليلى سلمى لبنى دانة ديمة لينا رانيا " +
		"منال سعاد نجلاء هيفاء شيماء غادة سميرة سوسن نادية هالة ريما لولوة مها عبير ياسمين رزان جواهر العنود " +
		"عبدالهادي عبدالسلام عبدالحميد عبدالمحسن عبداللطيف عبدالإله سلمان سعود فهد تميم هشام بسام حسام عصام")
	// ambiguousNames are ordinary words, too: they are names only after a title or اسم.
	ambiguousNames = foldedSet("علي حسن سعد سعيد صالح سالم ناصر عادل ماهر كريم جميل أمين رشيد حكيم فارس نبيل كمال جمال " +
		"صلاح فلاح نور هدى أمل وعد شهد رحمة نعمة سعاد وفاء هناء إيمان أماني أحلام سلام ماجد راشد منصور منير بدر نجم قمر " +
		"شادي هادي راضي باسم وسام رائد زاهر ظافر غازي فواز فايز عزيز عبد شمس جود حنان حنين رغد ندى شروق ضحى " +
		"بشرى بسمة نجاة سماح عفاف إخلاص نوال سحر فجر وجدان أسيل رهف ريم دينا لمى رنا")
	familyNames = foldedSet("العتيبي القحطاني الغامدي الزهراني الحربي الشمري المطيري الدوسري العنزي السبيعي " +
		"الشهري العسيري " +
		"الأحمدي البلوي الجهني الرشيدي الشهراني الخالدي الهاجري العجمي الكعبي المنصوري الفلاسي الكندي الحداد النجار الخطيب " +
		"السيد المصري الأنصاري الهاشمي العمري")
	// cities are never another word.
	cities = foldedSet("جدة مكة الدمام الطائف تبوك أبها جازان نجران بريدة الجبيل دبي الشارقة أبوظبي القاهرة " +
		"الإسكندرية بيروت " +
		"دمشق بغداد البصرة الدوحة المنامة مسقط الرياض طرابلس بنغازي الخرطوم الرباط مراكش")
	titles = foldedSet("الدكتور الدكتورة دكتور دكتورة الأستاذ الأستاذة أستاذ أستاذة السيد السيدة سيد سيدة " +
		"المهندس المهندسة " +
		"الشيخ الآنسة الأخ الأخت الكابتن العم الطبيب الطبيبة اسمي اسمه اسمها معك معكم")
)

// isName reports whether a word is a name of somebody, of a city, or one in Latin letters.
func isName(words []string, i int) bool {
	word := strings.TrimFunc(words[i], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if first, _ := utf8.DecodeRuneInString(word); unicode.Is(unicode.Latin, first) {
		return isLatinName(words, i, word)
	}
	forms := wordForms(word)
	known := func(set map[string]bool) bool {
		return slices.ContainsFunc(forms, func(form string) bool { return set[form] })
	}
	if known(givenNames) || known(cities) {
		return true
	}
	before := ""
	if i > 0 {
		before = arabic.FoldSpelling(words[i-1])
	}
	titled := titles[before] || titles[strings.TrimPrefix(before, "و")] || titles[strings.TrimPrefix(before, "ب")] ||
		strings.HasPrefix(before, "لل") && titles["ال"+strings.TrimPrefix(before, "لل")]
	return titled && (ambiguousNames[arabic.FoldSpelling(word)] || familyNames[arabic.FoldSpelling(word)]) ||
		i > 0 && familyNames[arabic.FoldSpelling(word)] && isName(words, i-1)
}

// isLatinName reports whether a word in Latin letters is an address, or begins with a capital within a sentence.
func isLatinName(words []string, i int, word string) bool {
	if strings.ContainsAny(word, "@./") {
		return true
	}
	first, _ := utf8.DecodeRuneInString(word)
	rest := word[1:]
	start := i == 0 || strings.ContainsAny(words[i-1][len(words[i-1])-1:], ".!?:")
	return unicode.IsUpper(first) && !start && strings.ToLower(rest) == rest && len(word) > 1
}

// knowsName reports whether a word was said or stands in a known text.
func (f *Facts) knowsName(word string) bool {
	return slices.ContainsFunc(wordForms(word), func(form string) bool { return f.words[form] })
}

// wordForms returns a word folded, and without the prefixes that Arabic attaches to it.
func wordForms(word string) []string {
	folded := strings.ReplaceAll(arabic.FoldSpelling(word), " ", "")
	forms := []string{folded}
	for _, prefix := range []string{"و", "ف", "ب", "ل", "ال", "وال", "بال", "لل", "يا"} {
		if rest, ok := strings.CutPrefix(folded, prefix); ok && utf8.RuneCountInString(rest) >= 3 {
			forms = append(forms, rest)
		}
	}
	return forms
}

// joinCompounds writes names of two words as one: عبد الله as عبدالله.
func joinCompounds(words []string) []string {
	out := make([]string, 0, len(words))
	for i := 0; i < len(words); i++ {
		if slices.Contains(wordForms(words[i]), "عبد") && i+1 < len(words) {
			out = append(out, words[i]+words[i+1])
			i++
			continue
		}
		out = append(out, words[i])
	}
	return out
}
