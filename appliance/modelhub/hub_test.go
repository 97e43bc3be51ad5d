package modelhub_test

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // git names objects so // as git does
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/modelhub"
)

const commit = "0123456789abcdef0123456789abcdef01234567"

// testHub answers as the real one does: small files inline with git's id, large ones by a redirect to storage.
type testHub struct {
	files   map[string][]byte
	gated   bool
	token   string            // wanted; empty: none
	headers map[string]string // that replace the redirect's; "-" removes one
	cutAt   int               // bytes after which storage breaks its first answer off; 0: never
	busy    int               // answers of 429 before a file is given
	ranges  bool              // storage honours them

	cuts    int
	asked   []string // Range headers at storage
	leaked  bool     // storage saw the token
	hub     *httptest.Server
	storage *httptest.Server
}

func startHub(t *testing.T, h *testHub) *modelhub.Hub {
	t.Helper()
	h.storage = httptest.NewServer(http.HandlerFunc(h.serveStorage))
	h.hub = httptest.NewServer(http.HandlerFunc(h.serveHub))
	t.Cleanup(func() { h.hub.Close(); h.storage.Close() })
	return &modelhub.Hub{Base: h.hub.URL, Token: h.token, Pause: time.Millisecond}
}

const large = 1000 // bytes from which a file is in storage

func (h *testHub) serveHub(w http.ResponseWriter, r *http.Request) {
	if h.token != "" && r.Header.Get("Authorization") != "Bearer "+h.token {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if h.gated {
		w.Header().Set("X-Error-Code", "GatedRepo")
		w.WriteHeader(http.StatusForbidden)
		return
	}
	switch path := r.URL.Path; {
	case path == "/api/models/org/old":
		http.Redirect(w, r, "/api/models/org/name", http.StatusTemporaryRedirect)
	case path == "/api/models/org/name" || path == "/api/models/org/name/revision/v1":
		var siblings []map[string]string
		for name := range h.files {
			siblings = append(siblings, map[string]string{"rfilename": name})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "org/name", "sha": commit, "siblings": siblings, "gated": false, "cardData": map[string]string{"license": "cc-by-4.0"},
		})
	case strings.HasPrefix(path, "/api/models/org/name/revision/"):
		w.Header().Set("X-Error-Code", "RevisionNotFound")
		w.WriteHeader(http.StatusNotFound)
	case strings.HasPrefix(path, "/org/name/resolve/"+commit+"/"):
		h.resolve(w, strings.TrimPrefix(path, "/org/name/resolve/"+commit+"/"))
	default:
		w.Header().Set("X-Error-Code", "RepoNotFound")
		w.WriteHeader(http.StatusNotFound)
	}
}

func (h *testHub) resolve(w http.ResponseWriter, name string) {
	b, ok := h.files[name]
	switch {
	case !ok:
		w.Header().Set("X-Error-Code", "EntryNotFound")
		w.WriteHeader(http.StatusNotFound)
	case h.busy > 0:
		h.busy--
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	case len(b) < large:
		w.Header().Set("Etag", fmt.Sprintf(`"%x"`, sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(b)), b...)))) //nolint:gosec // git names objects so
		_, _ = w.Write(b)
	default:
		for key, value := range map[string]string{
			"Location": h.storage.URL + "/signed/" + name, "X-Repo-Commit": commit, "X-Linked-Size": fmt.Sprint(len(b)),
			"X-Linked-Etag": fmt.Sprintf(`"%x"`, sha256.Sum256(b)),
		} {
			if other := h.headers[key]; other != "" {
				value = other
			}
			if value != "-" {
				w.Header().Set(key, value)
			}
		}
		w.WriteHeader(http.StatusFound)
	}
}

func (h *testHub) serveStorage(w http.ResponseWriter, r *http.Request) {
	h.leaked = h.leaked || r.Header.Get("Authorization") != ""
	b := h.files[strings.TrimPrefix(r.URL.Path, "/signed/")]
	h.asked = append(h.asked, r.Header.Get("Range"))
	if !h.ranges {
		r.Header.Del("Range")
	}
	if h.cutAt > 0 && h.cuts == 0 && len(h.asked) > 1 { // the first request asks for size and checksum
		h.cuts++
		w.Header().Set("Content-Length", fmt.Sprint(len(b)))
		_, _ = w.Write(b[:h.cutAt])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b))
}

func weights(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i * i >> 3)
	}
	return b
}

// pull finds and downloads org/name into dir.
func pull(ctx context.Context, hub *modelhub.Hub, dir string) (*modelhub.Model, error) {
	m, err := hub.Find(ctx, "org/name", "")
	if err != nil {
		return nil, err
	}
	return m, hub.Download(ctx, m, dir, func(int64) {})
}

func TestCheckpointIsFetched(t *testing.T) {
	t.Parallel()
	h := &testHub{files: map[string][]byte{"README.md": nil, "model.nemo": weights(1 << 20)}, ranges: true, token: "secret"}
	hub, dir := startHub(t, h), t.TempDir()
	last := int64(0)
	m, err := hub.Find(t.Context(), "org/name", "v1")
	if err != nil {
		t.Fatal(err)
	}
	if m.Revision != commit || m.License != "cc-by-4.0" || m.Size() != 1<<20 || len(m.Files) != 1 {
		t.Errorf("found %+v", m)
	}
	if err := hub.Download(t.Context(), m, dir, func(done int64) { last = done }); err != nil {
		t.Fatal(err)
	}
	sameFile(t, dir, "model.nemo", h.files["model.nemo"])
	if last != 1<<20 {
		t.Errorf("progress ended at %d", last)
	}
	if h.leaked {
		t.Error("the token went to the storage")
	}
}

func sameFile(t *testing.T, dir, name string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes, %v; want %d", name, len(got), err, len(want))
	}
	if entries, _ := filepath.Glob(filepath.Join(dir, "*.part")); len(entries) > 0 {
		t.Errorf("%v is left", entries)
	}
}

// A connection that breaks half-way is taken up where it broke, in one command and in a second one.
func TestBrokenConnectionIsTakenUp(t *testing.T) {
	t.Parallel()
	for _, ranges := range []bool{true, false} {
		h := &testHub{files: map[string][]byte{"model.nemo": weights(1 << 20)}, cutAt: 300_000, ranges: ranges}
		hub, dir := startHub(t, h), t.TempDir()
		if _, err := pull(t.Context(), hub, dir); err != nil {
			t.Fatal(err)
		}
		sameFile(t, dir, "model.nemo", h.files["model.nemo"])
		if h.cuts != 1 || !strings.HasPrefix(h.asked[len(h.asked)-1], "bytes=") {
			t.Errorf("cut %d times, asked for %q", h.cuts, h.asked)
		}
	}
}

func TestDownloadGoesOnFromBefore(t *testing.T) {
	t.Parallel()
	h := &testHub{files: map[string][]byte{"model.nemo": weights(1 << 20)}, ranges: true}
	hub, dir := startHub(t, h), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "model.nemo.part"), h.files["model.nemo"][:700_000], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := pull(t.Context(), hub, dir); err != nil {
		t.Fatal(err)
	}
	sameFile(t, dir, "model.nemo", h.files["model.nemo"])
	if want := "bytes=700000-"; !slices.Contains(h.asked, want) {
		t.Errorf("asked for %q, want %s", h.asked, want)
	}
}

func TestOtherContentIsRefused(t *testing.T) {
	t.Parallel()
	h := &testHub{
		files: map[string][]byte{"model.nemo": weights(5000)}, ranges: true,
		headers: map[string]string{"X-Linked-Etag": `"` + strings.Repeat("ab", 32) + `"`},
	}
	hub, dir := startHub(t, h), t.TempDir()
	if _, err := pull(t.Context(), hub, dir); err == nil || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("error = %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("%s is left", entries[0].Name())
	}
}

func TestExportIsFetched(t *testing.T) {
	t.Parallel()
	h := &testHub{ranges: true, busy: 1, files: map[string][]byte{
		"encoder-model.onnx": weights(5000), "encoder-model.onnx.data": weights(9000), "encoder-model.int8.onnx": weights(2000),
		"decoder_joint-model.onnx": weights(3000), "vocab.txt": []byte("a 0\n<blk> 1\n"), "config.json": []byte("{}"),
		"../../x.nemo": weights(10), "sub/other.nemo": weights(10), "README.md": nil,
	}}
	hub, dir := startHub(t, h), t.TempDir()
	m, err := hub.Find(t.Context(), "org/name", "")
	if err != nil {
		t.Fatal(err)
	}
	h.busy = 1
	if err := hub.Download(t.Context(), m, dir, func(int64) {}); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range m.Files {
		names = append(names, f.Name)
		sameFile(t, dir, f.Name, h.files[f.Name])
	}
	want := []string{"encoder-model.onnx", "encoder-model.onnx.data", "decoder_joint-model.onnx", "vocab.txt", "config.json"}
	if !slices.Equal(names, want) {
		t.Errorf("fetched %v, want %v", names, want)
	}
}

func TestRefusalsSayWhatToDo(t *testing.T) {
	t.Parallel()
	big := map[string][]byte{"model.nemo": weights(5000)}
	for name, c := range map[string]struct {
		hub            *testHub
		model, version string
		want           string
	}{
		"gated":        {&testHub{files: big, gated: true}, "org/name", "", "accept its conditions"},
		"no token":     {&testHub{files: big, token: "x"}, "org/name", "", "HF_TOKEN"},
		"no model":     {&testHub{files: big}, "org/none", "", "no model org/none"},
		"no revision":  {&testHub{files: big}, "org/name", "v9", "no revision v9"},
		"nothing":      {&testHub{files: map[string][]byte{"a.bin": nil}}, "org/name", "", "nothing that can be imported"},
		"two":          {&testHub{files: map[string][]byte{"a.nemo": nil, "b.nemo": nil}}, "org/name", "", "a.nemo"},
		"no checksum":  {&testHub{files: map[string][]byte{"m.nemo": weights(40 << 20)}, headers: map[string]string{"X-Linked-Etag": "-"}}, "org/name", "", "no SHA-256"},
		"other commit": {&testHub{files: big, headers: map[string]string{"X-Repo-Commit": strings.Repeat("f", 40)}}, "org/name", "", "instead of"},
		"elsewhere":    {&testHub{files: big, headers: map[string]string{"Location": "file:///etc/passwd"}}, "org/name", "", "no address"},
		"round":        {&testHub{files: big, headers: map[string]string{"Location": "/org/name/resolve/" + commit + "/model.nemo"}}, "org/name", "", "redirects"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hub := startHub(t, c.hub)
			if name == "no token" {
				hub.Token = ""
			}
			_, err := hub.Find(t.Context(), c.model, c.version)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error = %v, want %q", err, c.want)
			}
		})
	}
}

func TestRenamedModelIsFound(t *testing.T) {
	t.Parallel()
	hub := startHub(t, &testHub{files: map[string][]byte{"model.nemo": weights(5000)}, ranges: true})
	m, err := hub.Find(t.Context(), "org/old", "")
	if err != nil || m.Name != "org/name" {
		t.Errorf("found %+v, %v", m, err)
	}
}

func TestUnreachableHub(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(nil)
	server.Close()
	_, err := (&modelhub.Hub{Base: server.URL}).Find(t.Context(), "org/name", "")
	var unreachable *modelhub.UnreachableError
	if !errors.As(err, &unreachable) || !strings.Contains(err.Error(), server.URL) {
		t.Errorf("error = %v, want UnreachableError", err)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"org/name":              {"org/name", ""},
		"org/name@v1.0":         {"org/name", "v1.0"},
		"org/name@refs/pr/1":    {"org/name", "refs/pr/1"},
		"parakeet-tdt_ctc-110m": {"nvidia/parakeet-tdt_ctc-110m", ""},
	} {
		name, revision, err := modelhub.ParseName(text)
		if err != nil || name != want[0] || revision != want[1] {
			t.Errorf("%s: %q, %q, %v", text, name, revision, err)
		}
	}
	for _, bad := range []string{"", "name", "../name", "org/../x", "a/b/c", "org/name@../x", "org/na me", "org/name@a b"} {
		if name, revision, err := modelhub.ParseName(bad); err == nil {
			t.Errorf("%q: %q, %q", bad, name, revision)
		}
	}
}

func TestKnownModelsAreWhole(t *testing.T) {
	t.Parallel()
	known := modelhub.KnownModels()
	if len(known) < 3 || known[0].Languages[0] != "ar" {
		t.Errorf("known: %+v", known)
	}
	for _, k := range known {
		if _, _, err := modelhub.ParseName(k.Name); err != nil || k.License == "" || k.Megabytes == 0 || k.About == "" {
			t.Errorf("%+v, %v", k, err)
		}
		for _, r := range k.Rates {
			if r.Source == "" || r.What == "" || r.WER <= 0 {
				t.Errorf("%s: %+v", k.Name, r)
			}
		}
	}
}

// FuzzHubAnswers: whatever a hub says, only files of the fixed names are chosen and nothing breaks.
func FuzzHubAnswers(f *testing.F) {
	f.Add([]byte(`{"sha":"`+commit+`","siblings":[{"rfilename":"a.nemo"}],"cardData":{"license":"x"}}`), `"`+strings.Repeat("ab", 32)+`"`, "7", 302, "/x")
	f.Add([]byte(`{"sha":"","siblings":null}`), "", "-1", 200, "")
	f.Add([]byte(`{"sha":"`+commit+`","siblings":[{"rfilename":"../a.nemo"}],"cardData":[]}`), "W/\"x\"", "1e9", 404, "http://[")
	f.Fuzz(func(t *testing.T, answer []byte, etag, size string, status int, location string) {
		transport := roundTripper(func(r *http.Request) (*http.Response, error) {
			w := httptest.NewRecorder()
			if strings.HasPrefix(r.URL.Path, "/api/") {
				_, _ = w.Write(answer)
				return w.Result(), nil
			}
			w.Header()["X-Linked-Etag"], w.Header()["X-Linked-Size"] = []string{etag}, []string{size}
			w.Header()["Location"] = []string{location}
			w.WriteHeader(200 + (status%400+400)%400)
			return w.Result(), nil
		})
		m, err := (&modelhub.Hub{Base: "http://hub.invalid", Transport: transport}).Find(t.Context(), "org/name", "")
		if err != nil {
			return
		}
		for _, file := range m.Files {
			if filepath.Base(file.Name) != file.Name || strings.HasPrefix(file.Name, ".") || file.Size <= 0 {
				t.Errorf("chosen: %+v", file)
			}
		}
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
