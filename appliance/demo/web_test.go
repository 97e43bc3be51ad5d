package demo_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"munadi/appliance/demo"
	"munadi/ui/component"
	"munadi/ui/locale"
)

func startServer(t *testing.T, d demo.Dependencies) *echo.Echo {
	t.Helper()
	e := echo.New()
	if err := demo.MountDemo(e, d); err != nil {
		t.Fatal(err)
	}
	return e
}

func fetchPage(e *echo.Echo, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w
}

func TestLanguageChoice(t *testing.T) {
	t.Parallel()
	e := startServer(t, demo.Dependencies{})
	for _, tt := range []struct{ name, path, cookie, want, keeps string }{
		{"nothing chosen", "/", "", "ar", ""},
		{"asked for", "/?lang=en", "", "en", "munadi_lang=en"},
		{"remembered", "/", "munadi_lang=en", "en", ""},
		{"asked for beats remembered", "/?lang=ar", "munadi_lang=en", "ar", "munadi_lang=ar"},
		{"unknown", "/?lang=%3Cscript%3E", "munadi_lang=xx", "ar", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := fetchPage(e, tt.path, "Cookie", tt.cookie, "Accept-Language", "fr")
			l := locale.Language(tt.want)
			start := `<html lang="` + tt.want + `" dir="` + l.TextDirection() + `"`
			if w.Code != 200 || !strings.Contains(w.Body.String(), start) || w.Header().Get("Content-Language") != tt.want {
				t.Errorf("status %d, Content-Language %q", w.Code, w.Header().Get("Content-Language"))
			}
			if got := w.Header().Get("Set-Cookie"); !strings.HasPrefix(got, tt.keeps) || (got == "") != (tt.keeps == "") {
				t.Errorf("Set-Cookie %q, want %q", got, tt.keeps)
			}
		})
	}
}

func TestThemeChoice(t *testing.T) {
	t.Parallel()
	e := startServer(t, demo.Dependencies{})
	for path, want := range map[string]string{"/": "auto", "/?theme=dark": "dark", "/?theme=blue": "auto"} {
		if body := fetchPage(e, path).Body.String(); !strings.Contains(body, `data-theme="`+want+`"`) {
			t.Errorf("%s does not show %s", path, want)
		}
	}
}

func TestPageSaysWhatItIs(t *testing.T) {
	t.Parallel()
	d := demo.Dependencies{
		Version: "9.8.7", PublicURL: "https://stt.example.org/",
		Model: component.ModelCard{
			Name: "other-model", Label: map[locale.Language][]string{locale.Arabic: {"نموذج <آخر>"}},
			Offer: "/console/system/models/offer?model=a/b",
		},
	}
	e := startServer(t, d)
	ar, en := fetchPage(e, "/").Body.String(), fetchPage(e, "/?lang=en").Body.String()
	example := "https://stt.example.org/compat/v1/audio"
	for _, want := range []string{"9.8.7", "other-model", "نموذج &lt;آخر&gt;", example, "<noscript>", `href="/console/system/models/offer?model=a/b"`} {
		if !strings.Contains(ar, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if !strings.Contains(en, locale.DefaultLabel(locale.English)[1]) {
		t.Error("a language without a label does not get the built-in model's")
	}
	if body := fetchPage(startServer(t, demo.Dependencies{}), "/").Body.String(); !strings.Contains(body, "http://example.com/compat/v1") {
		t.Error("without a public URL the examples do not use the request's host")
	}
}

func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	e := startServer(t, demo.Dependencies{})
	for _, path := range []string{"/", "/favicon.ico", "/assets/nothing/here.css"} {
		h := fetchPage(e, path).Header()
		csp := h.Get("Content-Security-Policy")
		if !strings.Contains(csp, "default-src 'self'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: policy %q", path, csp)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") == "" ||
			!strings.Contains(h.Get("Permissions-Policy"), "microphone=(self)") {
			t.Errorf("%s: headers %v", path, h)
		}
	}
}

func TestAssets(t *testing.T) {
	t.Parallel()
	e := startServer(t, demo.Dependencies{})
	body := fetchPage(e, "/").Body.String()
	addresses := regexp.MustCompile(`/assets/[^"]+`).FindAllString(body, -1)
	if len(addresses) < 10 {
		t.Fatalf("the page names %d assets", len(addresses))
	}
	for _, address := range addresses {
		w := fetchPage(e, address)
		if strings.Count(address, "/") == 2 {
			continue // the bare prefix, for scripts
		}
		if w.Code != 200 || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: status %d, Cache-Control %q", address, w.Code, w.Header().Get("Cache-Control"))
		}
	}
	if w := fetchPage(e, "/assets/000000000000/css/base.css"); w.Code != 404 || w.Header().Get("Cache-Control") != "" {
		t.Errorf("another build's asset: status %d, Cache-Control %q", w.Code, w.Header().Get("Cache-Control"))
	}
}

func TestSampleHasRanges(t *testing.T) {
	t.Parallel()
	e := startServer(t, demo.Dependencies{})
	address := regexp.MustCompile(`/assets/[^"]+confirm.flac`).FindString(fetchPage(e, "/").Body.String())
	w := fetchPage(e, address, "Range", "bytes=0-3")
	if w.Code != 206 || w.Body.String() != "fLaC" || w.Header().Get("Content-Type") != "audio/flac" {
		t.Errorf("status %d, type %q, body %q", w.Code, w.Header().Get("Content-Type"), w.Body.String())
	}
}

func TestCompression(t *testing.T) {
	t.Parallel()
	e := startServer(t, demo.Dependencies{})
	plain := fetchPage(e, "/").Body.String()
	for _, tt := range []struct {
		accept string
		packed bool
	}{
		{"gzip, deflate, br", true},
		{"br;q=1, GZIP;q=0.5", true},
		{"gzip;q=0", false},
		{"gzip; q=0.0", false},
		{"br", false},
		{"", false},
	} {
		w := fetchPage(e, "/", "Accept-Encoding", tt.accept)
		if packed := w.Header().Get("Content-Encoding") == "gzip"; packed != tt.packed {
			t.Errorf("Accept-Encoding %q: compressed %v", tt.accept, packed)
			continue
		}
		body := w.Body.String()
		if tt.packed {
			r, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			all, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			body = string(all)
		}
		if body != plain {
			t.Errorf("Accept-Encoding %q: another page", tt.accept)
		}
	}
}
