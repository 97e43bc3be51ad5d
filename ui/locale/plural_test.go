package locale_test

import (
	"testing"

	"munadi/ui/calls"
	"munadi/ui/dashboard"
	"munadi/ui/locale"
)

// TestCountedNouns: Arabic has six forms of a counted noun (CLDR: zero, one, two, few, many, other), English two.
func TestCountedNouns(t *testing.T) {
	t.Parallel()
	for l, want := range map[locale.Language]map[int]string{
		locale.Arabic: {
			0: "لا مكالمات", 1: "مكالمة واحدة", 2: "مكالمتان", 3: "3 مكالمات", 10: "10 مكالمات", 11: "11 مكالمة",
			99: "99 مكالمة", 100: "100 مكالمة", 102: "102 مكالمة", 103: "103 مكالمات", 1000: "1,000 مكالمة",
		},
		locale.English: {0: "0 calls", 1: "one call", 2: "2 calls", 3: "3 calls", 11: "11 calls", 100: "100 calls"},
	} {
		for n, text := range want {
			if got := locale.CountedCalls(l).Fill(n); got != text {
				t.Errorf("%s, %d: %q, want %q", l, n, got, text)
			}
		}
	}
	lines := dashboard.OfLines.In(locale.Arabic)
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
		"مكالمتان تنتظران من يتابعهما.":                              calls.AfterToday.In(l),
		"مكالمتان مجدولتان تطابقان التصفية":                          calls.BulkFound.In(l),
		"مكالمتان حان موعدهما قبل اليوم، ولم يبدأ الاتصال بهما بعد.": dashboard.OverdueWhy.In(l),
		"من مكالمتين انتهتا":                                         dashboard.OfEnded.In(l),
		"تعذّرت قراءة مكالمتين أتلفهما القرص، فبقيتا كما هما.":       calls.CallErasedUnreadable.In(l),
		"بُحث في مكالمتين، وهما كل ما هنا.":                          calls.SearchAll.In(l),
	} {
		if got := text.Fill(2); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
