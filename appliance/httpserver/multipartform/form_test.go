package multipartform_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/httpserver/multipartform"
)

// sampleForm mirrors the parameters of testdata/oracle.py.
type sampleForm struct {
	SessionID   *string                     `header:"x-session-id" minlen:"1" maxlen:"8" pattern:"^[A-Za-z0-9._:-]+$"`
	SessionMode *string                     `header:"x-session-mode" literal:"restaurant|default"`
	File        *multipartform.UploadedFile `form:"file" required:"true"`
	Model       string                      `form:"model" default:"svc-stt" literal:"svc-stt"`
	Stream      bool                        `form:"stream"`
	Format      string                      `form:"format" default:"json" literal:"json|text|verbose_json"`
	Mode        string                      `form:"mode" default:"hybrid" enum:"hybrid|rnnt|ctc"`
	Size        *int                        `form:"size" ge:"1" le:"64"`
	Scale       *float64                    `form:"scale" gt:"0" le:"10"`
	Prompt      *string                     `form:"prompt" maxlen:"5"`
	Kinds       []string                    `form:"kinds[]" literal:"word|segment"`
}

type oracleAnswer struct {
	Fields  map[string]any    `json:"fields"`
	Headers map[string]string `json:"headers"`
	File    bool              `json:"file"`
	Detail  []any             `json:"detail"`
	Values  map[string]any    `json:"values"`
}

// TestSameAsPydantic compares with what FastAPI itself answered to the same forms.
func TestSameAsPydantic(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/pydantic.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []oracleAnswer
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		var got sampleForm
		err := multipartform.FormDecoder{}.DecodeForm(c.newRequest(t), &got)
		var bad multipartform.ValidationError
		if err != nil && !errors.As(err, &bad) {
			t.Fatalf("%v: %v", c.Fields, err)
		}
		if diff := cmp.Diff(c.Detail, asJSON(t, bad)); diff != "" {
			t.Errorf("%v %v: -FastAPI +ours\n%s", c.Fields, c.Headers, diff)
		}
		if c.Values == nil {
			continue
		}
		values := map[string]any{
			"stream": got.Stream, "size": got.Size, "scale": got.Scale, "mode": got.Mode, "prompt": got.Prompt, "kinds": got.Kinds,
		}
		if diff := cmp.Diff(any(c.Values), asJSON(t, values)); diff != "" {
			t.Errorf("%v: -FastAPI +ours\n%s", c.Fields, diff)
		}
	}
}

func (c oracleAnswer) newRequest(t *testing.T) *http.Request {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, v := range c.Fields {
		values, ok := v.([]any)
		if !ok {
			values = []any{v}
		}
		for _, one := range values {
			mustDecode(t, w.WriteField(name, one.(string)))
		}
	}
	if c.File {
		part, err := w.CreateFormFile("file", "a.wav")
		mustDecode(t, err)
		_, err = part.Write([]byte("x"))
		mustDecode(t, err)
	}
	mustDecode(t, w.Close())
	r := postForm(w.FormDataContentType(), &b)
	for k, v := range c.Headers {
		r.Header.Set(k, v)
	}
	return r
}

func asJSON(t *testing.T, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	mustDecode(t, err)
	var out any
	mustDecode(t, json.Unmarshal(text, &out))
	if list, ok := out.([]any); ok {
		return list
	}
	if out == nil {
		return []any(nil)
	}
	return out
}

func mustDecode(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func postForm(kind string, body io.Reader) *http.Request {
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/", body)
	r.Header.Set("Content-Type", kind)
	return r
}

const (
	filePart  = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.wav\"\r\n\r\nRIFF\r\n"
	modelPart = "--b\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nsvc-stt\r\n"
	closing   = "--b--\r\n"
)

// TestBrokenBodies checks that every malformed body gives violations with their location, and no other error.
func TestBrokenBodies(t *testing.T) {
	t.Parallel()
	const boundary = "multipart/form-data; boundary=b"
	cases := []struct {
		name, kind, body string
		want             string // type@loc of each violation
	}{
		{"no body", "", "", "missing@file"},
		{"json", "application/json", `{"file":"x"}`, "missing@file"},
		{"content type is garbage", "multipart/form-data; boundary", "x", "missing@file"},
		{"no boundary parameter", "multipart/form-data", filePart + closing, "missing@file"},
		{"not multipart", boundary, "hello", "missing@file"},
		{"empty multipart", boundary, closing, "missing@file"},
		{"urlencoded", "application/x-www-form-urlencoded", "model=svc-stt", "missing@file"},
		{"urlencoded with a file", "application/x-www-form-urlencoded", "file=x&%zz", "missing@file"},
		{"urlencoded, odd escapes", "application/x-www-form-urlencoded", "model=%zz&stream=on;off&mode=%72nnt", "missing@file literal_error@model bool_parsing@stream"},
		{"file breaks off", boundary, modelPart + strings.TrimSuffix(filePart, "\r\n"), "audio_decode_error@file"},
		{"field breaks off", boundary, filePart + strings.TrimSuffix(modelPart, "\r\n"), "multipart_error@"},
		{"no closing boundary", boundary, filePart, "audio_decode_error@file"},
		{"headers break off", boundary, filePart + "--b\r\nContent-Dispo", "multipart_error@"},
		{"too many parts", boundary, filePart + strings.Repeat(modelPart, 1001) + closing, "too_long@"},
		{"huge field", boundary, filePart + strings.Replace(modelPart, "svc", strings.Repeat("a", 1<<20), 1) + closing, "string_too_long@model"},
		{"texts that are huge together", boundary, filePart + strings.Repeat(strings.Replace(modelPart, "svc", strings.Repeat("a", 1<<20-100), 1), 3) + closing, "too_long@ literal_error@model"},
		{"file behind too many parts", boundary, strings.Repeat(modelPart, 1001) + filePart + closing, "too_long@"},
		{"file behind a huge field", boundary, strings.Replace(modelPart, "svc", strings.Repeat("a", 1<<20), 1) + filePart + closing, "string_too_long@model"},
		{"huge headers", boundary, "--b\r\n" + strings.Repeat("X-A: b\r\n", 1<<17) + "\r\n" + filePart + closing, "multipart_error@"},
		{"choice not UTF-8", boundary, filePart + strings.Replace(modelPart, "svc", "\xff\xfe", 1) + closing, "literal_error@model"},
		{"text not UTF-8", boundary, filePart + strings.Replace(modelPart, "model", "prompt", 1) + strings.NewReplacer("model", "prompt", "svc", "\xff\xfe").Replace(modelPart) + closing, "string_unicode@prompt"},
		{"file input left empty", boundary, "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\n\r\n" + closing, "missing@file"},
		{"file and fields in any order", boundary, filePart + modelPart + closing, ""},
		{"fields first", boundary, modelPart + filePart + closing + "epilogue", ""},
		{"nameless part", boundary, "--b\r\n\r\nx\r\n" + filePart + closing, ""},
		{"two files", boundary, filePart + filePart + closing, ""},
		{"a file, then text in its place", boundary, filePart + strings.Replace(modelPart, "model", "file", 1) + closing, "value_error@file"},
		{"text, then a file in its place", boundary, strings.Replace(modelPart, "model", "file", 1) + filePart + closing, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var dst sampleForm
			err := multipartform.FormDecoder{MaxFile: 4 << 20}.DecodeForm(postForm(c.kind, strings.NewReader(c.body)), &dst)
			if got := summarizeErrors(t, err); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if (err == nil) != (dst.File != nil) {
				t.Errorf("err %v, but file %v", err, dst.File)
			}
		})
	}
}

// TestFileNames checks that a part counts as a file with any file name.
func TestFileNames(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		`form-data; name="file"; filename="a.wav"`:              "a.wav",
		`form-data; name="file"; filename="C:\x\"`:              `C:\x\`,
		`form-data; name="file"; filename="a"b.wav"`:            `a"b.wav`,
		`form-data; filename="a"b;.wav" ; name="file"`:          `a"b;.wav`,
		`form-data; name="file"; filename=a b.wav`:              "a b.wav",
		`form-data; name="file"; filename=صوت.wav`:              "صوت.wav",
		`form-data; name=file; filename="a.wav`:                 `"a.wav`,
		`form-data; name="file"; filename="x/1"; filename="2"`:  "2",
		`attachment; name="file"; filename="../../etc/passwd"`:  "passwd",
		`form-data; name="file"; filename*=UTF-8''%D8%B5%D8%AA`: "صت",
	} {
		var dst sampleForm
		body := "--b\r\nContent-Disposition: " + header + "\r\n\r\nRIFF\r\n" + closing
		if err := (multipartform.FormDecoder{}).DecodeForm(postForm("multipart/form-data; boundary=b", strings.NewReader(body)), &dst); err != nil {
			t.Errorf("%s: %v", header, err)
			continue
		}
		if dst.File.Filename != want {
			t.Errorf("%s is called %q, want %q", header, dst.File.Filename, want)
		}
		mustDecode(t, dst.File.Close())
	}
}

// TestChoiceInAnotherEncoding checks that a choice in another encoding is decoded as Starlette does, as Latin-1.
func TestChoiceInAnotherEncoding(t *testing.T) {
	t.Parallel()
	var dst sampleForm
	body := strings.NewReader(filePart + strings.Replace(modelPart, "svc-stt", "caf\xe9", 1) + closing)
	err := multipartform.FormDecoder{}.DecodeForm(postForm("multipart/form-data; boundary=b", body), &dst)
	var bad multipartform.ValidationError
	if !errors.As(err, &bad) || len(bad) != 1 || bad[0].Input != "café" {
		t.Errorf("got %v", err)
	}
}

func summarizeErrors(t *testing.T, err error) string {
	t.Helper()
	var bad multipartform.ValidationError
	if err != nil && !errors.As(err, &bad) {
		t.Fatal(err)
	}
	var all []string
	for _, v := range bad {
		name := ""
		if len(v.Loc) > 1 {
			name, _ = v.Loc[1].(string)
		}
		all = append(all, v.Type+"@"+name)
	}
	return strings.Join(all, " ")
}

func FuzzDecode(f *testing.F) {
	f.Add("multipart/form-data; boundary=b", []byte(modelPart+filePart+closing), "table-7")
	f.Add("multipart/form-data; boundary=b", []byte(filePart), "")
	f.Add("application/x-www-form-urlencoded", []byte("size=4.0&scale=1e3&kinds[]=word"), "a b")
	f.Add("multipart/form-data", []byte("--b"), "\xff")
	f.Fuzz(func(t *testing.T, kind string, body []byte, session string) {
		r := postForm(kind, bytes.NewReader(body))
		r.Header["X-Session-Id"] = []string{session}
		var dst sampleForm
		err := multipartform.FormDecoder{MaxFile: 1 << 16}.DecodeForm(r, &dst)
		var bad multipartform.ValidationError
		switch {
		case err == nil:
			if dst.File == nil {
				t.Fatal("no error and no file")
			}
			mustDecode(t, dst.File.Close())
		case errors.As(err, &bad):
			if _, err := json.Marshal(bad); err != nil || len(bad) == 0 {
				t.Fatalf("%d violations that JSON can't hold: %v", len(bad), err)
			}
		case !errors.Is(err, multipartform.ErrTooLarge):
			t.Fatalf("a broken body is not a fault of ours: %v", err)
		}
	})
}

// FuzzQuery checks that any query is accepted within its limits or refused with violations that name the field.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{"limit=5&cursor=abc", "limit=", "limit=%00&limit=7", "format=srt", "&&=;%zz", "limit=1e3&cursor=\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		var q struct {
			Limit  int     `query:"limit" default:"50" ge:"1" le:"200"`
			Cursor string  `query:"cursor" maxlen:"10"`
			Format *string `query:"format" literal:"json|srt"`
		}
		r := &http.Request{URL: &url.URL{RawQuery: query}}
		err := multipartform.DecodeQuery(r, &q)
		var bad multipartform.ValidationError
		switch {
		case err == nil && (q.Limit < 1 || q.Limit > 200 || len([]rune(q.Cursor)) > 10 || q.Format != nil && *q.Format == ""):
			t.Errorf("taken: %+v", q)
		case err != nil && (!errors.As(err, &bad) || len(bad) == 0 || bad[0].Loc[0] != "query"):
			t.Errorf("refused: %v", err)
		}
		if _, err := json.Marshal(bad); err != nil {
			t.Error(err)
		}
	})
}

// TestRules: choices that replace a tag's, and a field that must be there in spite of its default.
func TestRules(t *testing.T) {
	t.Parallel()
	decoder := multipartform.FormDecoder{Rules: map[string]multipartform.FieldRule{
		"model": {Choices: []string{"a", "b"}, Required: true}, "format": {Choices: []string{"srt"}},
		"mode": {Choices: []string{"rnnt"}, Fits: func(value string) bool { return strings.HasPrefix(value, "rnnt-") }},
	}}
	for body, want := range map[string]string{
		"model=a&format=srt":              "",
		"model=&format=srt":               "[body model]: Field required",
		"format=srt":                      "[body model]: Field required",
		"format=srt&model=svc-stt":        "[body model]: Input should be 'a' or 'b'",
		"model=b&format=json":             "[body format]: Input should be 'srt'",
		"format=srt&model=b&mode=perhaps": "[body mode]: Input should be 'rnnt'",
		"format=srt&model=b&mode=rnnt-2":  "",
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		var form struct {
			Model  string `form:"model" default:"svc-stt" literal:"svc-stt"`
			Format string `form:"format" default:"json" literal:"json|text"`
			Mode   string `form:"mode" default:"rnnt" literal:"hybrid"`
		}
		got := ""
		if err := decoder.DecodeForm(r, &form); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}
