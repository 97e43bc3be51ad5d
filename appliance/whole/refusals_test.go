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

// violation is one entry of a 422.
type violation struct {
	Type  string         `json:"type"`
	Loc   []any          `json:"loc"`
	Msg   string         `json:"msg"`
	Input any            `json:"input"`
	Ctx   map[string]any `json:"ctx"`
}

// violations are the entries of a 422.
func (a answer) violations(t testing.TB) []violation {
	t.Helper()
	var body struct{ Detail []violation }
	a.want(t, http.StatusUnprocessableEntity).decode(t, &body)
	if len(body.Detail) == 0 {
		t.Fatalf("no violations in %s", a)
	}
	return body.Detail
}

// detail is the sentence of any other failure.
func (a answer) detail(t testing.TB) string {
	t.Helper()
	body := a.object(t)
	s, ok := body["detail"].(string)
	if !ok || len(body) != 1 || s == "" {
		t.Fatalf("%d %s is not {\"detail\": sentence}", a.Status, a)
	}
	return s
}

// TestKeys: 401 before anything else is looked at, for whatever is no live key.
func TestKeysThatOpenNothing(t *testing.T) {
	t.Parallel()
	a := shared(t)
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
		for _, ask := range []func(...part) answer{
			func(p ...part) answer { return a.post(t, transcriptions, p...) },
			func(p ...part) answer { return a.post(t, debugDecode, p...) },
			func(p ...part) answer { return a.post(t, jobs, p...) },
			func(p ...part) answer { return a.get(t, "/compat/v1/models", p...) },
			func(p ...part) answer { return a.get(t, "/compat/v1/models/svc-stt", p...) },
			func(p ...part) answer { return a.get(t, jobs+"/x", p...) },
		} {
			got := ask(key(""), header("Authorization", value)).want(t, http.StatusUnauthorized)
			if got.Header.Get("WWW-Authenticate") != "Bearer" || got.detail(t) == "" {
				t.Errorf("%s: %v %s", name, got.Header, got)
			}
		}
	}
	// The scheme's name has no case (RFC 9110 §11.1).
	a.get(t, "/compat/v1/models", key(""), header("Authorization", "bearer "+bootstrapKey)).want(t, 200)
}

func TestMissingFile(t *testing.T) {
	t.Parallel()
	a := shared(t)
	const want = `{"detail":[{"type":"missing","loc":["body","file"],"msg":"Field required","input":null}]}`
	for _, path := range []string{transcriptions, jobs, debugDecode} {
		if got := a.post(t, path).want(t, 422); strings.TrimSpace(got.String()) != want {
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
			must(t, err)
			r.Header.Set("Authorization", "Bearer "+bootstrapKey)
			if kind != "" {
				r.Header.Set("Content-Type", kind)
			}
			if got := send(t, r).want(t, 422); strings.TrimSpace(got.String()) != want {
				t.Errorf("%s with %s: %s", path, kind, got)
			}
		}
	}
}

// TestViolations: Pydantic's words, all violations at once.
func TestViolations(t *testing.T) {
	t.Parallel()
	a := shared(t)
	sound := file(golden(t, "g00.wav"))
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
		for _, v := range a.post(t, c.path, sound, field(c.name, c.value)).violations(t) {
			right := v.Type == c.kind && reflect.DeepEqual(v.Loc, []any{"body", c.name}) && v.Input == c.value && v.Msg != ""
			if !right || !reflect.DeepEqual(v.Ctx, c.ctx) {
				t.Errorf("%s=%s: %+v", c.name, c.value, v)
			}
		}
	}
	all := a.post(t, transcriptions, field("model", "x"), field("stream", "x"), field("language", "x"),
		field("response_format", "x"), header("x-session-id", "with space")).violations(t)
	if len(all) != 6 {
		t.Errorf("six faults, told of %d: %+v", len(all), all)
	}
}

// TestEmptyValuesAreNull: a form field without a value takes its default, as FastAPI reads it.
func TestEmptyValuesAreNull(t *testing.T) {
	t.Parallel()
	a := shared(t)
	got := a.post(t, transcriptions, file(golden(t, "g00.wav")), field("model", ""), field("stream", ""),
		field("response_format", ""), field("language", ""), field("prompt", ""), field("temperature", "")).want(t, 200)
	if text := got.object(t)["text"]; text != goldenText {
		t.Errorf("%v", text)
	}
	a.post(t, debugDecode, file(golden(t, "g00.wav")), field("beam_size", ""), field("ctc_weight", "")).want(t, 200)
}

func TestSessionIDs(t *testing.T) {
	t.Parallel()
	a := shared(t)
	sound := file(golden(t, "g00.wav"))
	for _, good := range []string{"a", "table-7", "A.b_c:d-9", strings.Repeat("s", 128)} {
		a.post(t, transcriptions, sound, header("x-session-id", good)).want(t, 200)
	}
	for _, bad := range []string{strings.Repeat("s", 129), "a b", "a/b", "جلسة", "a,b", "<x>"} {
		v := a.post(t, transcriptions, sound, header("x-session-id", bad)).violations(t)[0]
		if !reflect.DeepEqual(v.Loc, []any{"header", "x-session-id"}) {
			t.Errorf("%q: %+v", bad, v)
		}
	}
	v := a.post(t, transcriptions, sound, header("x-session-mode", "bar")).violations(t)[0]
	if v.Type != "literal_error" || !reflect.DeepEqual(v.Loc, []any{"header", "x-session-mode"}) {
		t.Errorf("%+v", v)
	}
}

// TestLimits: files that are too large or too long are 413, whether their length is announced or not.
func TestLimits(t *testing.T) {
	t.Parallel()
	a := start(t, settings{args: []string{"--max-upload", "64KiB", "--max-duration", "3s"}})
	small := file(golden(t, "g00.wav"))
	large := file(append(golden(t, "g00.wav"), make([]byte, 200<<10)...))
	for _, path := range []string{transcriptions, debugDecode} {
		a.post(t, path, small).want(t, 200)
		if d := a.post(t, path, large).want(t, 413).detail(t); d == "" {
			t.Errorf("%s: %s", path, d)
		}
		r := newRequest([]part{large}).build(t, http.MethodPost, a.URL+path)
		r.ContentLength = -1 // chunked
		send(t, r).want(t, 413).detail(t)
		lasting := a.post(t, path, file(sample(t, "appointment.flac"))).want(t, 413)
		if size := len(sample(t, "appointment.flac")); size < 64<<10 && !strings.Contains(lasting.detail(t), "long") {
			t.Errorf("%s", lasting)
		}
		// A small file can hold hours: FLAC of silence.
		if d := a.post(t, path, file(flacOfSilence(t, 4))).want(t, 413).detail(t); !strings.Contains(d, "longer") {
			t.Errorf("%s", d)
		}
	}
	if left := leftovers(t, a); len(left) > 0 {
		t.Errorf("uploads are left: %v", left)
	}
}

// leftovers are the files of uploads below the data and cache folders.
func leftovers(t testing.TB, a *instance) []string {
	t.Helper()
	var found []string
	for _, pattern := range []string{a.Data + "/jobs/*", a.Data + "/cache/uploads/*", cacheDir() + "/uploads/*"} {
		some, err := filepath.Glob(pattern)
		must(t, err)
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
	a := shared(t)
	var list struct {
		Object string
		Data   []json.RawMessage
	}
	a.get(t, "/compat/v1/models").want(t, 200).decode(t, &list)
	if list.Object != "list" || len(list.Data) != 1 {
		t.Fatalf("%+v", list)
	}
	one := a.get(t, "/compat/v1/models/svc-stt").want(t, 200)
	var m, listed struct {
		ID, Object string
		Created    int64
		OwnedBy    string `json:"owned_by"`
	}
	one.decode(t, &m)
	must(t, json.Unmarshal(list.Data[0], &listed))
	if m.ID != "svc-stt" || m.Object != "model" || m.Created <= 0 || m.OwnedBy == "" || m != listed {
		t.Errorf("%+v, listed %+v", m, listed)
	}
	a.get(t, "/compat/v1/models/whisper-1").want(t, 404).detail(t)
}
