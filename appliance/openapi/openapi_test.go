package openapi_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"munadi/appliance/openapi"
)

func fetchPath(t *testing.T, path string) *httptest.ResponseRecorder {
	t.Helper()
	e := echo.New()
	if err := openapi.MountDocs(e, ""); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d", path, w.Code)
	}
	return w
}

func TestDocumentIsValid(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(fetchPath(t, "/openapi.json").Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	if doc.Info.Version != "1.0.2" || !strings.HasPrefix(doc.OpenAPI, "3.1") {
		t.Errorf("version %s of OpenAPI %s", doc.Info.Version, doc.OpenAPI)
	}
}

// TestPage: the page names every operation and schema, its links lead somewhere, and nothing comes from elsewhere.
func TestPage(t *testing.T) {
	t.Parallel()
	w := fetchPath(t, "/docs")
	html := strings.ReplaceAll(w.Body.String(), "<wbr>", "") // where a line may break is no part of the text
	for _, want := range []string{"/compat/v1/audio/transcriptions", "ctc_ws_intersection_threshold", "0.001", "≥ 0.01, ≤ 10 or null", "Needs a bearer token"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, link := range regexp.MustCompile(`(?:href|src)="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		switch target := link[1]; {
		case strings.HasPrefix(target, "#"):
			if !strings.Contains(html, `id="`+target[1:]+`"`) {
				t.Errorf("%s leads nowhere", target)
			}
		default:
			fetchPath(t, target)
		}
	}
	if regexp.MustCompile(`<script|<style| style=| on\w+=|https?://`).MatchString(html) {
		t.Error("the page has scripts, inline styles or foreign origins")
	}
	if csp := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") {
		t.Errorf("Content-Security-Policy: %s", csp)
	}
}
