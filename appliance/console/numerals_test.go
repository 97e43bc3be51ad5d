package console_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"munadi/store/account"
)

// TestNumerals checks that the preference for Arabic-Indic digits applies to numbers for people on Arabic pages, and
// not to texts that are copied or submitted.
func TestNumerals(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	look := func(lang, digits string) testAnswer {
		r := httptest.NewRequest(http.MethodGet, "/console/calls/"+w.over.ID+"?lang="+lang+"&digits="+digits, nil)
		return w.sendRequest(account.Owner, r).wantStatus(http.StatusOK)
	}
	look("ar", "arab").wantTexts("٢٠٢٦-\u200e١١-\u200e٢١ \u200e٠٩:٣٠", `data-digits="arab"`, "<samp><bdi>4711</bdi></samp>", "٠:٠٥", w.over.PhoneNumber, w.over.ID, `datetime="2026-11-21`, `data-start="0.50"`)
	look("ar", "latn").wantTexts("2026-11-21 09:30").wantNoTexts("٢٠٢٦")
	look("en", "arab").wantTexts("2026-11-21 09:30").wantNoTexts("٢٠٢٦", "data-digits=\"arab\"")

	r := httptest.NewRequest(http.MethodGet, "/console/account?lang=ar&digits=arab", nil)
	w.sendRequest(account.Owner, r).wantTexts("عربية غربية 123</option>", "١٢٣</option>") // the choice shows both

	r = httptest.NewRequest(http.MethodGet, "/console/calls?lang=ar&digits=arab", nil)
	for _, c := range w.sendRequest(account.Owner, r).Result().Cookies() {
		if c.Name == "munadi_digits" && c.Value == "arab" {
			return
		}
	}
	t.Error("the choice is not remembered")
}
