package modelhub_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/modelhub"
	"munadi/appliance/modelhub/hubtest"
)

const commit = hubtest.Commit

func startHub(t *testing.T, h *hubtest.ModelHub) *modelhub.Hub {
	t.Helper()
	h.StartHub(t)
	return &modelhub.Hub{Base: h.URL, Token: h.Token, Pause: time.Millisecond}
}

func fakeWeights(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i * i >> 3)
	}
	return b
}

// pullModel finds org/name and downloads it into dir.
func pullModel(ctx context.Context, hub *modelhub.Hub, dir string) (*modelhub.Model, error) {
	m, err := hub.Find(ctx, "org/name", "")
	if err != nil {
		return nil, err
	}
	return m, hub.Download(ctx, m, dir, func(int64) {})
}

func TestCheckpointIsFetched(t *testing.T) {
	t.Parallel()
	h := &hubtest.ModelHub{Files: map[string][]byte{"README.md": nil, "model.nemo": fakeWeights(1 << 20)}, Ranges: true, Token: "secret"}
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
	sameFile(t, dir, "model.nemo", h.Files["model.nemo"])
	if last != 1<<20 {
		t.Errorf("progress ended at %d", last)
	}
	if h.HasLeaked() {
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

// A storage that fails for a while (502) is asked again, and a connection that breaks half-way is taken up where it broke.
func TestBrokenConnectionIsTakenUp(t *testing.T) {
	t.Parallel()
	for _, ranges := range []bool{true, false} {
		h := &hubtest.ModelHub{Files: map[string][]byte{"model.nemo": fakeWeights(1 << 20)}, CutAt: 300_000, Ranges: ranges, Failing: 2}
		hub, dir := startHub(t, h), t.TempDir()
		if _, err := pullModel(t.Context(), hub, dir); err != nil {
			t.Fatal(err)
		}
		sameFile(t, dir, "model.nemo", h.Files["model.nemo"])
		if h.CutCount() != 1 || !strings.HasPrefix(h.AskedRanges()[len(h.AskedRanges())-1], "bytes=") {
			t.Errorf("cut %d times, asked for %q", h.CutCount(), h.AskedRanges())
		}
	}
}

func TestDownloadGoesOnFromBefore(t *testing.T) {
	t.Parallel()
	h := &hubtest.ModelHub{Files: map[string][]byte{"model.nemo": fakeWeights(1 << 20)}, Ranges: true}
	hub, dir := startHub(t, h), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "model.nemo.part"), h.Files["model.nemo"][:700_000], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := pullModel(t.Context(), hub, dir); err != nil {
		t.Fatal(err)
	}
	sameFile(t, dir, "model.nemo", h.Files["model.nemo"])
	if want := "bytes=700000-"; !slices.Contains(h.AskedRanges(), want) {
		t.Errorf("asked for %q, want %s", h.AskedRanges(), want)
	}
}

// A storage that does not give the rest of a file gives the whole of it.
func TestRestThatIsRefused(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"416", "bytes 5-9/1048576"} {
		h := &hubtest.ModelHub{Files: map[string][]byte{"model.nemo": fakeWeights(1 << 20)}, Ranges: true, NoRange: answer}
		hub, dir := startHub(t, h), t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "model.nemo.part"), h.Files["model.nemo"][:700_000], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := pullModel(t.Context(), hub, dir); err != nil {
			t.Fatal(answer, err)
		}
		sameFile(t, dir, "model.nemo", h.Files["model.nemo"])
	}
}

// Whoever stops a download, or has no room for it, is told what is kept, and what is needed.
func TestStoppedAndRefusedDownloadsSayWhatToDo(t *testing.T) {
	t.Parallel()
	h := &hubtest.ModelHub{Files: map[string][]byte{"model.nemo": fakeWeights(1 << 20)}, Ranges: true, Hold: make(chan struct{})}
	hub := startHub(t, h)
	m, err := hub.Find(t.Context(), "org/name", "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	err = hub.Download(ctx, m, t.TempDir(), func(done int64) {
		if done > 0 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "the downloaded part is kept") {
		t.Errorf("a download that was stopped: %v", err)
	}
	m.Files[0].Size = 1 << 60
	err = hub.Download(t.Context(), m, t.TempDir(), func(int64) {})
	if err == nil || !strings.Contains(err.Error(), "the download needs 1152921") {
		t.Errorf("a download that the disk has no room for: %v", err)
	}
}

func TestOtherContentIsRefused(t *testing.T) {
	t.Parallel()
	h := &hubtest.ModelHub{
		Files: map[string][]byte{"model.nemo": fakeWeights(5000)}, Ranges: true,
		Headers: map[string]string{"X-Linked-Etag": `"` + strings.Repeat("ab", 32) + `"`},
	}
	hub, dir := startHub(t, h), t.TempDir()
	if _, err := pullModel(t.Context(), hub, dir); err == nil || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("error = %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("%s is left", entries[0].Name())
	}
}

// Of two concurrent downloads into one folder the second is refused, and the first is complete.
func TestSecondDownloadAtOnceIsRefused(t *testing.T) {
	t.Parallel()
	h := &hubtest.ModelHub{Files: map[string][]byte{"model.nemo": fakeWeights(1 << 20)}, Ranges: true, Hold: make(chan struct{})}
	hub, dir := startHub(t, h), t.TempDir()
	m, err := hub.Find(t.Context(), "org/name", "")
	if err != nil {
		t.Fatal(err)
	}
	began, first := make(chan struct{}, 1<<10), make(chan error, 1)
	go func() {
		first <- hub.Download(t.Context(), m, dir, func(int64) {
			select {
			case began <- struct{}{}:
			default:
			}
		})
	}()
	<-began
	if err := hub.Download(t.Context(), m, dir, func(int64) {}); err == nil || !strings.Contains(err.Error(), "being downloaded") {
		t.Errorf("the second: %v", err)
	}
	close(h.Hold)
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	sameFile(t, dir, "model.nemo", h.Files["model.nemo"])
}

// A file that was downloaded before is verified by the checksum that the hub reports now, for the same commit.
func TestFileOfAnEarlierAttemptIsCheckedAgain(t *testing.T) {
	t.Parallel()
	h := &hubtest.ModelHub{Files: map[string][]byte{"model.nemo": fakeWeights(5000)}, Ranges: true}
	hub, dir := startHub(t, h), t.TempDir()
	old := fakeWeights(5000)
	old[4000]++
	if err := os.WriteFile(filepath.Join(dir, "model.nemo"), old, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := pullModel(t.Context(), hub, dir); err == nil || !strings.Contains(err.Error(), "download it again") {
		t.Errorf("error = %v", err)
	}
	if _, err := pullModel(t.Context(), hub, dir); err != nil {
		t.Fatal(err)
	}
	sameFile(t, dir, "model.nemo", h.Files["model.nemo"])
	if _, err := pullModel(t.Context(), hub, dir); err != nil {
		t.Errorf("a file that is whole: %v", err)
	}
}

func TestExportIsFetched(t *testing.T) {
	t.Parallel()
	h := &hubtest.ModelHub{Ranges: true, Busy: 1, Files: map[string][]byte{
		"encoder-model.onnx": fakeWeights(5000), "encoder-model.onnx.data": fakeWeights(9000), "encoder-model.int8.onnx": fakeWeights(2000),
		"decoder_joint-model.onnx": fakeWeights(3000), "vocab.txt": []byte("a 0\n<blk> 1\n"), "config.json": []byte("{}"),
		"../../x.nemo": fakeWeights(10), "sub/other.nemo": fakeWeights(10), "README.md": nil,
	}}
	hub, dir := startHub(t, h), t.TempDir()
	m, err := hub.Find(t.Context(), "org/name", "")
	if err != nil {
		t.Fatal(err)
	}
	h.SetBusy(1)
	if err := hub.Download(t.Context(), m, dir, func(int64) {}); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range m.Files {
		names = append(names, f.Name)
		sameFile(t, dir, f.Name, h.Files[f.Name])
	}
	want := []string{"encoder-model.onnx", "encoder-model.onnx.data", "decoder_joint-model.onnx", "vocab.txt", "config.json"}
	if !slices.Equal(names, want) {
		t.Errorf("fetched %v, want %v", names, want)
	}
}

func TestRefusalsSayWhatToDo(t *testing.T) {
	t.Parallel()
	big := map[string][]byte{"model.nemo": fakeWeights(5000)}
	for name, c := range map[string]struct {
		hub            *hubtest.ModelHub
		model, version string
		want           string
	}{
		"gated":        {&hubtest.ModelHub{Files: big, Gated: true}, "org/name", "", "accept its conditions"},
		"no token":     {&hubtest.ModelHub{Files: big, Token: "x"}, "org/name", "", "HF_TOKEN"},
		"no model":     {&hubtest.ModelHub{Files: big}, "org/none", "", "no model org/none"},
		"no revision":  {&hubtest.ModelHub{Files: big}, "org/name", "v9", "no revision v9"},
		"nothing":      {&hubtest.ModelHub{Files: map[string][]byte{"a.bin": nil}}, "org/name", "", "no files that can be imported"},
		"two":          {&hubtest.ModelHub{Files: map[string][]byte{"a.nemo": nil, "b.nemo": nil}}, "org/name", "", "a.nemo"},
		"no checksum":  {&hubtest.ModelHub{Files: map[string][]byte{"m.nemo": fakeWeights(40 << 20)}, Headers: map[string]string{"X-Linked-Etag": "-"}}, "org/name", "", "does not report the SHA-256"},
		"endless":      {&hubtest.ModelHub{Files: big, Headers: map[string]string{"X-Linked-Size": "4611686018427387904"}}, "org/name", "", "too large for a model"},
		"other commit": {&hubtest.ModelHub{Files: big, Headers: map[string]string{"X-Repo-Commit": strings.Repeat("f", 40)}}, "org/name", "", "instead of"},
		"elsewhere":    {&hubtest.ModelHub{Files: big, Headers: map[string]string{"Location": "file:///etc/passwd"}}, "org/name", "", "not a URL"},
		"round":        {&hubtest.ModelHub{Files: big, Headers: map[string]string{"Location": "/org/name/resolve/" + commit + "/model.nemo"}}, "org/name", "", "redirects"},
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
	hub := startHub(t, &hubtest.ModelHub{Files: map[string][]byte{"model.nemo": fakeWeights(5000)}, Ranges: true})
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
		if _, _, err := modelhub.ParseName(k.Name); err != nil || k.License == "" || k.Megabytes == 0 || k.About == "" || k.AboutArabic == "" {
			t.Errorf("%+v, %v", k, err)
		}
		for _, r := range k.Rates {
			if r.Source == "" || r.What == "" || r.WhatArabic == "" || r.WER <= 0 {
				t.Errorf("%s: %+v", k.Name, r)
			}
		}
	}
}

// FuzzHubAnswers checks that no answer of a hub causes a panic or the choice of a file with an unexpected name.
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
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond) // a busy hub is asked again after a while
		defer cancel()
		m, err := (&modelhub.Hub{Base: "http://hub.invalid", Transport: transport}).Find(ctx, "org/name", "")
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

func TestSizesThatWereNotReadAtTheHubSaySo(t *testing.T) {
	t.Parallel()
	for want, k := range map[string]modelhub.KnownModel{
		"460 MB": {Megabytes: 460}, "≈ 459 MB": {Megabytes: 459, Approximate: true}, "2.5 GB": {Megabytes: 2470},
	} {
		if got := k.DownloadSize(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
