package whole_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// violationEntry is one entry of a 422 answer.
type violationEntry struct {
	Type  string         `json:"type"`
	Loc   []any          `json:"loc"`
	Msg   string         `json:"msg"`
	Input any            `json:"input"`
	Ctx   map[string]any `json:"ctx"`
}

// violationEntries returns the entries of a 422 answer.
func (a testAnswer) violationEntries(t testing.TB) []violationEntry {
	t.Helper()
	var body struct{ Detail []violationEntry }
	a.wantStatus(t, http.StatusUnprocessableEntity).decodeJSON(t, &body)
	if len(body.Detail) == 0 {
		t.Fatalf("no violations in %s", a)
	}
	return body.Detail
}

// failureDetail returns the message of any other failure.
func (a testAnswer) failureDetail(t testing.TB) string {
	t.Helper()
	body := a.jsonBody(t)
	s, ok := body["detail"].(string)
	if !ok || len(body) != 1 || s == "" {
		t.Fatalf("%d %s is not {\"detail\": sentence}", a.Status, a)
	}
	return s
}

// TestKeysThatOpenNothing checks that invalid credentials get 401 before anything else is checked.
func TestKeysThatOpenNothing(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	for name, value := range map[string]string{
		"none": "", "empty": "Bearer ", "scheme": "Basic " + bootstrapKey, "bare": bootstrapKey,
		"unknown":         "Bearer somebody-elses-key-000",
		"short":           "Bearer x",
		"prefix":          "Bearer " + bootstrapKey[:len(bootstrapKey)-1],
		"other case":      "Bearer " + strings.ToUpper(bootstrapKey),
		"two":             "Bearer " + bootstrapKey + " " + bootstrapKey,
		"generated shape": "Bearer mnd_0000000000000000000000000000000000000000000000000",
		"no latin":        "Bearer مفتاح-مفتاح-مفتاح",
		"huge":            "Bearer " + strings.Repeat("k", 20_000),
	} {
		for _, ask := range []func(...requestPart) testAnswer{
			func(p ...requestPart) testAnswer { return a.postForm(t, transcriptions, p...) },
			func(p ...requestPart) testAnswer { return a.postForm(t, debugDecode, p...) },
			func(p ...requestPart) testAnswer { return a.postForm(t, jobs, p...) },
			func(p ...requestPart) testAnswer { return a.getPath(t, "/compat/v1/models", p...) },
			func(p ...requestPart) testAnswer { return a.getPath(t, "/compat/v1/models/svc-stt", p...) },
			func(p ...requestPart) testAnswer { return a.getPath(t, jobs+"/x", p...) },
		} {
			got := ask(withKey(""), withHeader("Authorization", value)).wantStatus(t, http.StatusUnauthorized)
			if got.Header.Get("WWW-Authenticate") != "Bearer" || got.failureDetail(t) == "" {
				t.Errorf("%s: %v %s", name, got.Header, got)
			}
		}
	}
	// The scheme's name has no case (RFC 9110 §11.1).
	a.getPath(t, "/compat/v1/models", withKey(""), withHeader("Authorization", "bearer "+bootstrapKey)).wantStatus(t, 200)
}

func TestMissingFile(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	const want = `{"detail":[{"type":"missing","loc":["body","file"],"msg":"Field required","input":null}]}`
	for _, path := range []string{transcriptions, jobs, debugDecode} {
		if got := a.postForm(t, path).wantStatus(t, 422); strings.TrimSpace(got.String()) != want {
			t.Errorf("%s: %s", path, got)
		}
		for kind, body := range map[string]string{
			"application/json":                  `{"file":"x"}`,
			"":                                  "",
			"multipart/form-data":               "no boundary",
			"multipart/form-data; boundary=abc": "never begins",
			"application/x-www-form-urlencoded": "model=svc-stt",
		} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.URL+path, strings.NewReader(body))
			mustSucceed(t, err)
			r.Header.Set("Authorization", "Bearer "+bootstrapKey)
			if kind != "" {
				r.Header.Set("Content-Type", kind)
			}
			if got := sendRequest(t, r).wantStatus(t, 422); strings.TrimSpace(got.String()) != want {
				t.Errorf("%s with %s: %s", path, kind, got)
			}
		}
	}
}

// TestViolations checks that all violations are reported at once, in Pydantic's words.
func TestViolations(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	sound := withFile(goldenRecording(t, "g00.wav"))
	for _, c := range []struct {
		path, name, value, kind string
		ctx                     map[string]any
	}{
		{transcriptions, "model", "whisper-1", "literal_error", map[string]any{"expected": "'svc-stt'"}},
		{transcriptions, "language", "en", "literal_error", map[string]any{"expected": "'ar'"}},
		{transcriptions, "response_format", "srt", "literal_error", map[string]any{"expected": "'json', 'text' or 'verbose_json'"}},
		{transcriptions, "stream", "maybe", "bool_parsing", nil},
		{transcriptions, "temperature", "warm", "float_parsing", nil},
		{jobs, "stream", "2", "bool_parsing", nil},
		{debugDecode, "mode", "beam", "enum", map[string]any{"expected": "'hybrid', 'rnnt' or 'ctc'"}},
		{debugDecode, "beam_size", "4.5", "int_parsing", nil},
		{debugDecode, "beam_enabled", "ja", "bool_parsing", nil},
		{debugDecode, "ctc_weight", "1.5", "less_than_equal", map[string]any{"le": 1.0}},
		{debugDecode, "ctc_weight", "heavy", "float_parsing", nil},
	} {
		for _, v := range a.postForm(t, c.path, sound, withField(c.name, c.value)).violationEntries(t) {
			right := v.Type == c.kind && reflect.DeepEqual(v.Loc, []any{"body", c.name}) && v.Input == c.value && v.Msg != ""
			if !right || !reflect.DeepEqual(v.Ctx, c.ctx) {
				t.Errorf("%s=%s: %+v", c.name, c.value, v)
			}
		}
	}
	all := a.postForm(t, transcriptions, withField("model", "x"), withField("stream", "x"), withField("language", "x"),
		withField("response_format", "x"), withHeader("x-session-id", "with space")).violationEntries(t)
	if len(all) != 6 {
		t.Errorf("six faults, %d reported: %+v", len(all), all)
	}
}

// TestEmptyValuesAreNull checks that a form field without a value gets its default, as in FastAPI.
func TestEmptyValuesAreNull(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	got := a.postForm(t, transcriptions, withFile(goldenRecording(t, "g00.wav")), withField("model", ""), withField("stream", ""),
		withField("response_format", ""), withField("language", ""), withField("prompt", ""), withField("temperature", "")).wantStatus(t, 200)
	if text := got.jsonBody(t)["text"]; text != goldenText {
		t.Errorf("%v", text)
	}
	a.postForm(t, debugDecode, withFile(goldenRecording(t, "g00.wav")), withField("beam_size", ""), withField("ctc_weight", "")).wantStatus(t, 200)
}

func TestSessionIDs(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	sound := withFile(goldenRecording(t, "g00.wav"))
	for _, good := range []string{"a", "table-7", "A.b_c:d-9", strings.Repeat("s", 128)} {
		a.postForm(t, transcriptions, sound, withHeader("x-session-id", good)).wantStatus(t, 200)
	}
	for _, bad := range []string{strings.Repeat("s", 129), "a b", "a/b", "جلسة", "a,b", "<x>"} {
		v := a.postForm(t, transcriptions, sound, withHeader("x-session-id", bad)).violationEntries(t)[0]
		if !reflect.DeepEqual(v.Loc, []any{"header", "x-session-id"}) {
			t.Errorf("%q: %+v", bad, v)
		}
	}
	v := a.postForm(t, transcriptions, sound, withHeader("x-session-mode", "bar")).violationEntries(t)[0]
	if v.Type != "literal_error" || !reflect.DeepEqual(v.Loc, []any{"header", "x-session-mode"}) {
		t.Errorf("%+v", v)
	}
}

// TestLimits checks that files that are too large or too long get 413, with and without an announced length.
func TestLimits(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{args: []string{"--max-upload", "64KiB", "--max-duration", "3s"}})
	small := withFile(goldenRecording(t, "g00.wav"))
	large := withFile(append(goldenRecording(t, "g00.wav"), make([]byte, 200<<10)...))
	for _, path := range []string{transcriptions, debugDecode} {
		a.postForm(t, path, small).wantStatus(t, 200)
		if d := a.postForm(t, path, large).wantStatus(t, 413).failureDetail(t); d == "" {
			t.Errorf("%s: %s", path, d)
		}
		r := newRequest([]requestPart{large}).newHTTPRequest(t, http.MethodPost, a.URL+path)
		r.ContentLength = -1 // chunked
		sendRequest(t, r).wantStatus(t, 413).failureDetail(t)
		lasting := a.postForm(t, path, withFile(demoSample(t, "appointment.flac"))).wantStatus(t, 413)
		if size := len(demoSample(t, "appointment.flac")); size < 64<<10 && !strings.Contains(lasting.failureDetail(t), "long") {
			t.Errorf("%s", lasting)
		}
		// FLAC of silence: a small file of several hours.
		if d := a.postForm(t, path, withFile(flacOfSilence(t, 4))).wantStatus(t, 413).failureDetail(t); !strings.Contains(d, "longer") {
			t.Errorf("%s", d)
		}
	}
	if left := leftoverUploads(t, a); len(left) > 0 {
		t.Errorf("uploads are left: %v", left)
	}
}

// leftoverUploads returns the files of uploads below the data and cache folders.
func leftoverUploads(t testing.TB, a *testInstance) []string {
	t.Helper()
	var found []string
	for _, pattern := range []string{a.Data + "/jobs/*", a.Data + "/cache/uploads/*", cacheDir() + "/uploads/*"} {
		some, err := filepath.Glob(pattern)
		mustSucceed(t, err)
		for _, f := range some {
			if _, err := os.Stat(f); err == nil {
				found = append(found, f)
			}
		}
	}
	return found
}

func TestModels(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	var list struct {
		Object string
		Data   []json.RawMessage
	}
	a.getPath(t, "/compat/v1/models").wantStatus(t, 200).decodeJSON(t, &list)
	if list.Object != "list" || len(list.Data) != 1 {
		t.Fatalf("%+v", list)
	}
	one := a.getPath(t, "/compat/v1/models/svc-stt").wantStatus(t, 200)
	var m, listed struct {
		ID, Object string
		Created    int64
		OwnedBy    string `json:"owned_by"`
	}
	one.decodeJSON(t, &m)
	mustSucceed(t, json.Unmarshal(list.Data[0], &listed))
	if m.ID != "svc-stt" || m.Object != "model" || m.Created <= 0 || m.OwnedBy == "" || m != listed {
		t.Errorf("%+v, listed %+v", m, listed)
	}
	a.getPath(t, "/compat/v1/models/whisper-1").wantStatus(t, 404).failureDetail(t)
}
