package httpserver_test

import (
	"testing"

	"munadi/appliance/httpserver"
)

func TestAcceptsGzip(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{
		"gzip": true, "br, GZIP;q=0.5": true, "gzip; q=1": true, "deflate,gzip": true, "gzip;q=0.001": true,
		"br, gzip, zstd": true, "deflate, GZIP;q=0.5": true, "gzip;q=1.0": true,
		"": false, "br": false, "gzip;q=0": false, "gzip; Q=0.000": false, "gzip; q=0.0": false, "xgzip": false, "x-gzip-like": false, "identity": false,
	} {
		if got := httpserver.AcceptsGzip(accept); got != want {
			t.Errorf("%q: %v, want %v", accept, got, want)
		}
	}
}
