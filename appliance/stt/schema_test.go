package stt_test

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/multipartform"
	"munadi/appliance/monitor/metrics"
	"munadi/appliance/openapi"
	"munadi/appliance/stt"
)

func publishedDocument(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := loadDocument()
	mustSucceed(t, err)
	return doc
}

// loadDocument parses the document once for all tests.
var loadDocument = sync.OnceValues(func() (*openapi3.T, error) {
	document, err := openapi.DocumentJSON()
	if err != nil {
		return nil, err
	}
	return openapi3.NewLoader().LoadFromData(document)
})

// TestEveryRouteIsPublished: the listener's routes and the document's operations are the same set.
func TestEveryRouteIsPublished(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	b.health.MountProbes(b.echo)
	metrics.NewMetrics().MountMetrics(b.echo, "")
	mustSucceed(t, openapi.MountDocs(b.echo, ""))
	var routes, heads, operations []string
	for _, r := range b.echo.Routes() {
		switch {
		case r.Method == echo.RouteNotFound || r.Path == "/docs/style.css":
		case r.Method == http.MethodHead:
			heads = append(heads, "GET "+r.Path)
		default:
			routes = append(routes, r.Method+" "+r.Path)
		}
	}
	doc := publishedDocument(t)
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			if path == "/" || strings.HasPrefix(path, "/api/v1/") {
				continue // the demo page and the call platform are other rooms'
			}
			operations = append(operations, method+" "+strings.NewReplacer("{", ":", "}", "").Replace(path))
			if op.OperationID == "" || op.Summary == "" {
				t.Errorf("%s %s lacks its id or summary", method, path)
			}
			if op.RequestBody != nil {
				invalid := 422
				if strings.HasPrefix(path, stt.OpenAIRoot+"/") {
					invalid = 400
				}
				for _, status := range []int{401, 403, 413, invalid, 429, 503} {
					if op.Responses.Status(status) == nil {
						t.Errorf("%s %s lacks %d", method, path, status)
					}
				}
			}
		}
	}
	slices.Sort(routes)
	slices.Sort(operations)
	if !slices.Equal(routes, operations) {
		t.Errorf("routes\n%s\noperations\n%s", strings.Join(routes, "\n"), strings.Join(operations, "\n"))
	}
	for _, head := range heads {
		if !slices.Contains(routes, head) {
			t.Errorf("HEAD without %s", head)
		}
	}
}

// TestFormsMatchTheSchema holds every tag against the schema: names, defaults, choices and ranges.
func TestFormsMatchTheSchema(t *testing.T) {
	t.Parallel()
	doc := publishedDocument(t)
	for name, form := range map[string]any{
		"TranscriptionRequest": stt.TranscriptionForm{}, "OpenAITranscriptionRequest": stt.TranscriptionForm{},
		"DebugRequest": stt.DebugForm{},
	} {
		schema := doc.Components.Schemas[name].Value
		var rules map[string]multipartform.FieldRule
		if name == "OpenAITranscriptionRequest" {
			rules = newSTTFixture(t).OpenAIRules()
		}
		seen := 0
		for _, f := range reflect.VisibleFields(reflect.TypeOf(form)) {
			field := f.Tag.Get("form")
			if len(f.Index) > 1 { // of an embedded struct
				field, _, _ = strings.Cut(f.Tag.Get("json"), ",")
			}
			if field == "" || field == "callback_url" && rules != nil { // of jobs
				continue
			}
			seen++
			p := schema.Properties[field]
			if p == nil {
				t.Errorf("%s lacks %s", name, field)
				continue
			}
			if rules[field].Required { // model: its choices are known to the running program alone
				if !slices.Contains(schema.Required, field) || len(p.Value.Enum) > 0 {
					t.Errorf("%s.%s is published as optional, or with choices", name, field)
				}
				continue
			}
			choices := rules[field].Choices
			if rules != nil && field == "language" { // known to the running program alone, too
				choices = []string{}
			}
			if choices != nil {
				own := `literal:"` + f.Tag.Get("literal")
				f.Tag = reflect.StructTag(strings.Replace(string(f.Tag), own, `literal:"`+strings.Join(choices, "|"), 1))
			}
			if got, want := describeEvents(p.Value, slices.Contains(schema.Required, field)), taggedEvents(f); got != want {
				t.Errorf("%s.%s: published %s, tagged %s", name, field, got, want)
			}
		}
		if seen != len(schema.Properties) {
			t.Errorf("%s has %d properties, the form %d fields", name, len(schema.Properties), seen)
		}
	}
}

func describeEvents(s *openapi3.Schema, required bool) string {
	nullable := len(s.AnyOf) > 0
	if nullable {
		s = s.AnyOf[0].Value
	}
	if s.Items != nil {
		s = s.Items.Value
	}
	var enum []string
	for _, e := range s.Enum {
		enum = append(enum, fmt.Sprint(e))
	}
	maxlen := ""
	if s.MaxLength != nil {
		maxlen = strconv.FormatUint(*s.MaxLength, 10)
	}
	preset := ""
	if s.Default != nil {
		preset = fmt.Sprint(s.Default)
	}
	return fmt.Sprintf("nullable=%v required=%v default=%s enum=%s ge=%s gt=%s le=%s max=%s", nullable, required, preset,
		strings.Join(enum, "|"), limitedReader(s.Min), limitedReader(s.ExclusiveMin.Value), limitedReader(s.Max), maxlen)
}

func limitedReader(v *float64) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(*v)
}

func taggedEvents(f reflect.StructField) string {
	tag := f.Tag
	nullable := f.Type.Kind() == reflect.Pointer && f.Type.Elem().Kind() != reflect.Struct
	return fmt.Sprintf("nullable=%v required=%v default=%s enum=%s ge=%s gt=%s le=%s max=%s", nullable, tag.Get("required") == "true",
		tag.Get("default"), tag.Get("literal")+tag.Get("enum"), tag.Get("ge"), tag.Get("gt"), tag.Get("le"), tag.Get("maxlen"))
}

// asPublished checks an answer against the document: its status, its headers and its body.
func asPublished(t *testing.T, r *http.Request, w *httptest.ResponseRecorder, pattern string) {
	t.Helper()
	item := publishedDocument(t).Paths.Value(pattern)
	if item == nil || item.GetOperation(r.Method) == nil {
		return // an unknown route
	}
	answer := item.GetOperation(r.Method).Responses.Status(w.Code)
	if answer == nil {
		if w.Code != http.StatusInternalServerError {
			t.Errorf("%s %s: %d is not published", r.Method, pattern, w.Code)
		}
		return
	}
	for name, h := range answer.Value.Headers {
		if h.Value.Required && w.Header().Get(name) == "" {
			t.Errorf("%s %s: %d lacks the header %s", r.Method, pattern, w.Code, name)
		}
	}
	kind, _, err := mime.ParseMediaType(w.Header().Get("Content-Type"))
	mustSucceed(t, err)
	content := answer.Value.Content[kind]
	if content == nil {
		t.Errorf("%s %s: %d with %s is not published", r.Method, pattern, w.Code, kind)
		return
	}
	if kind != "application/json" {
		return
	}
	var body any
	mustSucceed(t, json.Unmarshal(w.Body.Bytes(), &body))
	if err := content.Schema.Value.VisitJSON(body, openapi3.EnableJSONSchema2020()); err != nil {
		t.Errorf("%s %s: %d: %v\n%s", r.Method, pattern, w.Code, err, w.Body)
	}
}
