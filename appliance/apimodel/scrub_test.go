package apimodel_test

import (
	"testing"

	"munadi/appliance/apimodel"
)

func TestScrub(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"key mnd_AbC123_x was used":                          "key ••• was used",
		"link=http://127.0.0.1:8080/console/setup/a-b_c9 x":  "link=http://127.0.0.1:8080/console/setup/••• x",
		"GET /api/v1/calls/c/recording?t=abc.def&x=1":        "GET /api/v1/calls/c/recording?t=•••&x=1",
		"Authorization: Bearer abc.def":                      "Authorization: Bearer •••",
		"called +966512345678 twice":                         "called +9665•••••78 twice",
		"called 0512345678":                                  "called 05123•••••78",
		"remote=192.0.2.7:4711 listen=127.0.0.1:8080":        "remote=[address]:4711 listen=127.0.0.1:8080",
		"remote=[2001:db8::1]:9 local=[::1]:80":              "remote=[address]:9 local=[::1]:80",
		"address=2001:db8::1 from:2001:db8:0:0:1::2: gone":   "address=[address] from:[address]: gone",
		"node:10.0.0.5 mapped ::ffff:192.0.2.1 own ::1":      "node:[address] mapped [address]:[address] own ::1",
		"time=2026-11-21T09:30:00.000Z took=12.5ms n=123456": "time=2026-11-21T09:30:00.000Z took=12.5ms n=123456",
	} {
		if got := apimodel.ScrubText(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
