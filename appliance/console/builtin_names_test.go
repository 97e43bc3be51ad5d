package console_test

import (
	"net/http"
	"strings"
	"testing"

	"munadi/store/account"
)

// TestBuiltInNames checks that built-in scenarios have names and descriptions only in the page's language.
func TestBuiltInNames(t *testing.T) {
	w := newFixture(t)
	for lang, want := range map[string][2]string{
		"ar": {"طلب من مطعم", "Takes an order"}, "en": {"Restaurant order", "يأخذ طلبا"},
	} {
		got := w.getPage(account.Owner, "/scenarios?lang="+lang).wantStatus(http.StatusOK).Body.String()
		if !strings.Contains(got, want[0]) || strings.Contains(got, want[1]) {
			t.Errorf("%s: want %q without %q", lang, want[0], want[1])
		}
		form := w.getPage(account.Operator, "/calls/new?scenario=restaurant_order&lang="+lang).wantStatus(http.StatusOK)
		if told := map[string]string{"ar": "بالريال", "en": "In riyals"}; lang == "ar" {
			form.wantTexts(told["ar"]).wantNoTexts(told["en"])
		} else {
			form.wantTexts(told["en"]).wantNoTexts(told["ar"])
		}
	}
}
