package whole_test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

const (
	transcriptions = "/compat/v1/audio/transcriptions"
	jobs           = "/compat/v1/audio/jobs"
	debugDecode    = "/debug/decode"
)

// request is one to be sent; parts change it.
type request struct {
	header   http.Header
	fields   [][2]string
	file     []byte
	filename string // "" = no file
}

type part func(*request)

func field(name, value string) part {
	return func(r *request) { r.fields = append(r.fields, [2]string{name, value}) }
}

func header(name, value string) part { return func(r *request) { r.header.Set(name, value) } }

// key replaces the bootstrap key; "" sends none.
func key(value string) part {
	return func(r *request) {
		r.header.Del("Authorization")
		if value != "" {
			r.header.Set("Authorization", "Bearer "+value)
		}
	}
}

func file(content []byte) part {
	return func(r *request) { r.file, r.filename = content, "recording" }
}

// answer is what came back.
type answer struct {
	Status int
	Header http.Header
	Body   []byte
}

func (a answer) String() string { return string(a.Body) }

// decode reads the body as JSON into v.
func (a answer) decode(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal(a.Body, v); err != nil {
		t.Fatalf("%d %q is no JSON: %v", a.Status, a.Body, err)
	}
}

// object is the body as a JSON object.
func (a answer) object(t testing.TB) map[string]any {
	t.Helper()
	var v map[string]any
	a.decode(t, &v)
	return v
}

func newRequest(parts []part) *request {
	r := &request{header: http.Header{"Authorization": {"Bearer " + bootstrapKey}}}
	for _, p := range parts {
		p(r)
	}
	return r
}

// build makes the HTTP request: multipart when it has a form, bare otherwise.
func (r *request) build(t testing.TB, method, url string) *http.Request {
	t.Helper()
	var body bytes.Buffer
	if method == http.MethodPost {
		w := multipart.NewWriter(&body)
		for _, f := range r.fields {
			must(t, w.WriteField(f[0], f[1]))
		}
		if r.filename != "" {
			part, err := w.CreateFormFile("file", r.filename)
			must(t, err)
			_, err = part.Write(r.file)
			must(t, err)
		}
		must(t, w.Close())
		r.header.Set("Content-Type", w.FormDataContentType())
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, &body)
	must(t, err)
	req.Header = r.header
	return req
}

// multipartFile writes a form that holds nothing but a file, and returns its content type.
func multipartFile(w io.Writer, content []byte) (kind string, err error) {
	form := multipart.NewWriter(w)
	part, err := form.CreateFormFile("file", "take.wav")
	if err != nil {
		return "", err
	}
	if _, err = part.Write(content); err != nil {
		return "", err
	}
	return form.FormDataContentType(), form.Close()
}

// post sends a form.
func (a *instance) post(t testing.TB, path string, parts ...part) answer {
	t.Helper()
	return send(t, newRequest(parts).build(t, http.MethodPost, a.URL+path))
}

// get asks.
func (a *instance) get(t testing.TB, path string, parts ...part) answer {
	t.Helper()
	return send(t, newRequest(parts).build(t, http.MethodGet, a.URL+path))
}

func send(t testing.TB, r *http.Request) answer {
	t.Helper()
	res, err := http.DefaultClient.Do(r)
	must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(t, err)
	return answer{res.StatusCode, res.Header, body}
}

// want fails the test unless the answer has the status.
func (a answer) want(t testing.TB, status int) answer {
	t.Helper()
	if a.Status != status {
		t.Fatalf("status %d, want %d: %.2000s", a.Status, status, a.Body)
	}
	return a
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// golden is one of the engine's recordings with a text of its own.
func golden(t testing.TB, name string) []byte { return read(t, "engine/testdata/golden", name) }

// sample is one of the demo page's examples.
func sample(t testing.TB, name string) []byte { return read(t, "assets/web/samples", name) }

// read is a file of the project.
func read(t testing.TB, elements ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(projectPath(t, elements...))
	must(t, err)
	return b
}

// projectPath is a path in the project, absolute.
func projectPath(t testing.TB, elements ...string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(append([]string{project}, elements...)...))
	must(t, err)
	return path
}
