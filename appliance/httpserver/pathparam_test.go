package httpserver_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver"
)

func TestDecodePathParam(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		"/+966512345601": "+966512345601", "/%2B966512345601": "+966512345601", "/%252B966512345601": "%2B966512345601",
		"/a%20b": "a b", "/a%2520b": "a%20b", "/%D9%A1": "١", "/%252B%2B": "%2B+",
	} {
		e, got := echo.New(), ""
		e.GET("/:number", func(c echo.Context) (err error) {
			got, err = httpserver.DecodePathParam(c, "number")
			return err
		})
		e.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, sent, nil))
		if got != want {
			t.Errorf("%s is read as %q, not %q", sent, got, want)
		}
	}
}
