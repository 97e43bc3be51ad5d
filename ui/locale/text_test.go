package locale_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"munadi/ui/locale"
)

func TestMessagesAreComplete(t *testing.T) {
	t.Parallel()
	ar, en := locale.DemoMessages(locale.Arabic), locale.DemoMessages(locale.English)
	placeholder := regexp.MustCompile(`\{\w+\}`)
	seen := map[string]bool{}
	for i, m := range ar {
		if m.Text == "" || en[i].Text == "" {
			t.Errorf("%s is empty in a language", m.Key)
		}
		if seen[m.Key] {
			t.Errorf("the key %s is used twice", m.Key)
		}
		seen[m.Key] = true
		a, b := placeholder.FindAllString(m.Text, -1), placeholder.FindAllString(en[i].Text, -1)
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			t.Errorf("%s fills in %v in Arabic, %v in English", m.Key, a, b)
		}
	}
	for key := range seen {
		if strings.HasSuffix(key, "_do") && !seen[strings.TrimSuffix(key, "_do")] {
			t.Errorf("%s advises on nothing", key)
		}
	}
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	for _, l := range locale.AllLanguages() {
		if got, ok := locale.ParseLang(string(l)); !ok || got != l {
			t.Errorf("ParseLang(%q) = %q, %v", l, got, ok)
		}
		if l.OtherLanguage().OtherLanguage() != l || l.OtherLanguage() == l {
			t.Errorf("%s switches to %s", l, l.OtherLanguage())
		}
	}
	if l, ok := locale.ParseLang("de"); ok || l != locale.Arabic {
		t.Errorf("ParseLang(de) = %q, %v", l, ok)
	}
	if locale.Arabic.TextDirection() != "rtl" || locale.English.TextDirection() != "ltr" {
		t.Error("directions are wrong")
	}
}

// TestArabicDigits: the order of a date's parts and of a time behind it is the same in both digits.
func TestArabicDigits(t *testing.T) {
	t.Parallel()
	for latin, want := range map[string]string{
		"2026-11-21 17:20": "٢٠٢٦-\u200e١١-\u200e٢١ \u200e١٧:٢٠", "09:00–17:00": "٠٩:٠٠–\u200e١٧:٠٠", "1 - 2 - 3": "١ - \u200e٢ - \u200e٣",
		"5 من 50": "٥ من ٥٠", "-1.5": "-١.٥", "": "",
	} {
		if got := locale.ArabicDigits(latin); got != want {
			t.Errorf("%q is %q, want %q", latin, got, want)
		}
	}
}
