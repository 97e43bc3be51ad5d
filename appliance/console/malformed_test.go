package console_test

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// malformedForms are bodies of requests that no form of the console sends, by content type.
var malformedForms = []struct{ contentType, body string }{
	{"application/x-www-form-urlencoded", ""},
	{"application/x-www-form-urlencoded", "%zz=%"},
	{"application/json", "{}"},
	{"multipart/form-data", ""},
	{"multipart/form-data; boundary=y", "--x"},
	{"text/plain", "a=b;c"},
}

// malformedValues are values that no field of the console has.
var malformedValues = []string{"", "\x00", "-1", "../../../etc/passwd", `{"a":`, "[]", strings.Repeat("9", 400), "2026-13-45T99:99", "\u202e😀"}

// malformedFields are names of fields of the console's forms.
var malformedFields = strings.Fields(`name scope role id number phone_number scenario_id scenario at when text action json reason
	url enabled time_zone password current new again state query table once index content max_attempts delay_minutes device
	latency person sample use entry exit model path revision recipients session scheduled_at step op key from to label version form`)

// TestMalformedForms checks that a request that is no form, or has wrong values in every field, is refused as the
// client's fault on every route: never with a status from 500.
func TestMalformedForms(t *testing.T) {
	t.Parallel()
	send := func(w *consoleFixture, name, contentType, body string) {
		t.Helper()
		path := w.fillPattern(strings.TrimPrefix(name, "POST "))
		r := httptest.NewRequest("POST", "/console"+path, strings.NewReader(body))
		r.Header.Set("Content-Type", contentType)
		r.Header.Set("X-CSRF-Token", "csrf-"+string(governor))
		if got := w.sendRequest(governor, r); got.Code >= 500 {
			t.Errorf("%s of %s %.40q: %d", name, contentType, body, got.Code)
		}
	}
	for name := range signedInRoutes() {
		if !strings.HasPrefix(name, "POST") {
			continue
		}
		w := newFixture(t)
		for _, form := range malformedForms {
			send(w, name, form.contentType, form.body)
		}
		for _, value := range malformedValues {
			all := url.Values{}
			for _, field := range malformedFields {
				all.Set(field, value)
			}
			send(w, name, "application/x-www-form-urlencoded", all.Encode())
		}
	}
}
