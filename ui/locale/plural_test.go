package locale_test

import (
	"reflect"
	"strings"
	"testing"

	"munadi/ui/locale"
)

// TestCountedNouns: Arabic has six forms of a counted noun (CLDR: zero, one, two, few, many, other), English two.
func TestCountedNouns(t *testing.T) {
	t.Parallel()
	for l, want := range map[locale.Language]map[int]string{
		locale.Arabic: {
			0: "لا مكالمات", 1: "مكالمة واحدة", 2: "مكالمتان", 3: "3 مكالمات", 10: "10 مكالمات", 11: "11 مكالمة",
			99: "99 مكالمة", 100: "100 مكالمة", 102: "102 مكالمة", 103: "103 مكالمات", 1000: "1000 مكالمة",
		},
		locale.English: {0: "0 calls", 1: "one call", 2: "2 calls", 3: "3 calls", 11: "11 calls", 100: "100 calls"},
	} {
		for n, text := range want {
			if got := locale.CountedCalls(l).Fill(n); got != text {
				t.Errorf("%s, %d: %q, want %q", l, n, got, text)
			}
		}
	}
	lines := locale.DashboardIn(locale.Arabic).OfLines
	for n, text := range map[int]string{
		0: "بلا خطوط", 1: "من خط واحد", 2: "من خطين", 3: "من 3 خطوط", 11: "من 11 خطًا", 100: "من 100 خط",
	} {
		if got := lines.Fill(n); got != text {
			t.Errorf("%d lines: %q, want %q", n, got, text)
		}
	}
}

// TestArabicDuals: verbs and pronouns after two of something are dual.
func TestArabicDuals(t *testing.T) {
	t.Parallel()
	l := locale.Arabic
	for want, text := range map[string]locale.CountedText{
		"مكالمتان تنتظران من يتابعهما.":                              locale.AfterIn(l).Today,
		"مكالمتان مجدولتان تطابقان التصفية":                          locale.CallsIn(l).BulkFound,
		"مكالمتان حان موعدهما قبل اليوم، ولم يبدأ الاتصال بهما بعد.": locale.DashboardIn(l).OverdueWhy,
		"من مكالمتين انتهتا":                                         locale.DashboardIn(l).OfEnded,
		"تعذّرت قراءة مكالمتين أتلفهما القرص، فبقيتا كما هما.":       locale.CallIn(l).ErasedUnreadable,
		"بُحث في مكالمتين، وهما كل ما هنا.":                          locale.SearchIn(l).All,
	} {
		if got := text.Fill(2); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestCountedTextsAreComplete: every counted text of every page reads well for 0, 1, 2, 3, 11 and 100: none is empty but
// for counts that are never said, and none shows a placeholder of the number or English grammar in Arabic.
func TestCountedTextsAreComplete(t *testing.T) {
	t.Parallel()
	for _, l := range locale.AllLanguages() {
		for _, table := range []any{
			locale.CallsIn(l), locale.CallIn(l), locale.DashboardIn(l), locale.ScenariosIn(l), locale.SuppressionsIn(l),
			locale.SignInIn(l), locale.PhrasesIn(l), locale.ConsoleIn(l), locale.AfterIn(l), locale.EditorIn(l),
			locale.ModelsIn(l), locale.SearchIn(l), locale.VersionsIn(l),
		} {
			v := reflect.ValueOf(table)
			for i := range v.NumField() {
				text, counted := v.Field(i).Interface().(locale.CountedText)
				if !counted {
					continue
				}
				for _, n := range []int{0, 1, 2, 3, 11, 100} {
					got := text.Fill(n)
					if got == "" && n > 0 || strings.Contains(got, "{n}") || n > 2 && !strings.ContainsAny(got, "0123456789") {
						t.Errorf("%s: %s.%s says %q for %d", l, v.Type().Name(), v.Type().Field(i).Name, got, n)
					}
				}
			}
		}
	}
}
