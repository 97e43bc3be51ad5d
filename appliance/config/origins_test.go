package config_test

import (
	"testing"

	"munadi/appliance/config"
)

func TestOrigins(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "*": "*", "https://App.Example.com": "https://app.example.com", "http://localhost:3000": "http://localhost:3000",
		"https://a.example:443, http://b.example:80": "https://a.example,http://b.example", "https://[2001:db8::1]:8443": "https://[2001:db8::1]:8443",
	} {
		var o config.OriginList
		if err := o.UnmarshalText([]byte(text)); err != nil || string(o) != want {
			t.Errorf("%q reads as %q, %v", text, o, err)
		}
	}
	for _, text := range []string{
		"app.example.com", "https://", "ftp://a.example", "https://a.example/", "https://a.example/path", "https://u@a.example", "null",
		"https://*.example.com", "https://a.example?x", "https://a.example:", "javascript:alert(1)", "https://a.example#x", "//a.example",
	} {
		var o config.OriginList
		if err := o.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q reads as %q", text, o)
		}
	}
}

func TestOriginsAllow(t *testing.T) {
	t.Parallel()
	some := config.OriginList("https://app.example.com,http://localhost:3000")
	for origin, want := range map[string]bool{
		"https://app.example.com": true, "HTTPS://APP.EXAMPLE.COM": true, "https://app.example.com:443": true,
		"http://localhost:3000": true, "http://app.example.com": false, "https://app.example.com:8443": false,
		"https://evil.app.example.com": false, "https://app.example.com.evil.example": false, "null": false, "": false,
		"http://localhost": false, "*": false,
	} {
		if some.AllowsOrigin(origin) != want {
			t.Errorf("%q: %v", origin, !want)
		}
	}
	if !config.OriginList("*").AllowsOrigin("https://anything.example") || config.OriginList("").AllowsOrigin("https://anything.example") {
		t.Error("* allows all, and nothing allows none")
	}
}
