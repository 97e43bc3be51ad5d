package kit

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"
)

// TestFlashIsForThePersonsPage checks that a message is shown by the next page that a person opens, once, and not taken
// by a script's request in between.
func TestFlashIsForThePersonsPage(t *testing.T) {
	t.Parallel()
	sent := httptest.NewRecorder()
	FlashMessage(echo.New().NewContext(httptest.NewRequest(http.MethodPost, "/", nil), sent), "cancelled")
	for mode, want := range map[string]bool{"cors": false, "same-origin": false, "no-cors": false, "navigate": true, "": true} {
		r, answer := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
		for _, one := range sent.Result().Cookies() {
			r.AddCookie(one)
		}
		if mode != "" {
			r.Header.Set("Sec-Fetch-Mode", mode)
		}
		said := TakeFlash(echo.New().NewContext(r, answer))
		if got := said != nil && said.Text == "cancelled" && !said.Bad; got != want {
			t.Errorf("mode %q: shown %v, want %v", mode, got, want)
		}
		if cleared := len(answer.Result().Cookies()) > 0; cleared != want {
			t.Errorf("mode %q: cleared %v, want %v", mode, cleared, want)
		}
	}
}
