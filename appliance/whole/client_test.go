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

// testRequest is a request to be sent; parts change it.
type testRequest struct {
	header   http.Header
	fields   [][2]string
	file     []byte
	filename string // "" = no file
}

type requestPart func(*testRequest)

func withField(name, value string) requestPart {
	return func(r *testRequest) { r.fields = append(r.fields, [2]string{name, value}) }
}

func withHeader(name, value string) requestPart {
	return func(r *testRequest) { r.header.Set(name, value) }
}

// withKey replaces the bootstrap key; "" sends none.
func withKey(value string) requestPart {
	return func(r *testRequest) {
		r.header.Del("Authorization")
		if value != "" {
			r.header.Set("Authorization", "Bearer "+value)
		}
	}
}

func withFile(content []byte) requestPart {
	return func(r *testRequest) { r.file, r.filename = content, "recording" }
}

// testAnswer is an HTTP response.
type testAnswer struct {
	Status int
	Header http.Header
	Body   []byte
}

func (a testAnswer) String() string { return string(a.Body) }

// decodeJSON decodes the body into v.
func (a testAnswer) decodeJSON(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal(a.Body, v); err != nil {
		t.Fatalf("%d %q is no JSON: %v", a.Status, a.Body, err)
	}
}

// jsonBody returns the body as a JSON object.
func (a testAnswer) jsonBody(t testing.TB) map[string]any {
	t.Helper()
	var v map[string]any
	a.decodeJSON(t, &v)
	return v
}

func newRequest(parts []requestPart) *testRequest {
	r := &testRequest{header: http.Header{"Authorization": {"Bearer " + bootstrapKey}}}
	for _, p := range parts {
		p(r)
	}
	return r
}

// newHTTPRequest returns the HTTP request: multipart if it has a form.
func (r *testRequest) newHTTPRequest(t testing.TB, method, url string) *http.Request {
	t.Helper()
	var body bytes.Buffer
	if method == http.MethodPost {
		w := multipart.NewWriter(&body)
		for _, f := range r.fields {
			mustSucceed(t, w.WriteField(f[0], f[1]))
		}
		if r.filename != "" {
			part, err := w.CreateFormFile("file", r.filename)
			mustSucceed(t, err)
			_, err = part.Write(r.file)
			mustSucceed(t, err)
		}
		mustSucceed(t, w.Close())
		r.header.Set("Content-Type", w.FormDataContentType())
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, &body)
	mustSucceed(t, err)
	req.Header = r.header
	return req
}

// multipartFile writes a form with only a file, and returns its content type.
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

// postForm sends a form.
func (a *testInstance) postForm(t testing.TB, path string, parts ...requestPart) testAnswer {
	t.Helper()
	return sendRequest(t, newRequest(parts).newHTTPRequest(t, http.MethodPost, a.URL+path))
}

func (a *testInstance) getPath(t testing.TB, path string, parts ...requestPart) testAnswer {
	t.Helper()
	return sendRequest(t, newRequest(parts).newHTTPRequest(t, http.MethodGet, a.URL+path))
}

func sendRequest(t testing.TB, r *http.Request) testAnswer {
	t.Helper()
	res, err := http.DefaultClient.Do(r)
	mustSucceed(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	mustSucceed(t, err)
	return testAnswer{res.StatusCode, res.Header, body}
}

// wantStatus fails the test unless the answer has the status.
func (a testAnswer) wantStatus(t testing.TB, status int) testAnswer {
	t.Helper()
	if a.Status != status {
		t.Fatalf("status %d, want %d: %.2000s", a.Status, status, a.Body)
	}
	return a
}

func mustSucceed(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// goldenRecording returns one of the engine's test recordings.
func goldenRecording(t testing.TB, name string) []byte {
	return readProjectFile(t, "engine/testdata/golden", name)
}

// demoSample returns one of the demo page's samples.
func demoSample(t testing.TB, name string) []byte {
	return readProjectFile(t, "assets/web/samples", name)
}

// readProjectFile reads a file of the project.
func readProjectFile(t testing.TB, elements ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(projectPath(t, elements...))
	mustSucceed(t, err)
	return b
}

// projectPath returns the absolute path of a file of the project.
func projectPath(t testing.TB, elements ...string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(append([]string{project}, elements...)...))
	mustSucceed(t, err)
	return path
}
