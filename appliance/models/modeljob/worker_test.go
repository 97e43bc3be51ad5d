package modeljob_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"munadi/appliance/modelhub"
	"munadi/appliance/modelhub/hubtest"
	"munadi/appliance/models"
	"munadi/appliance/models/modelcheck"
	"munadi/appliance/models/modeljob"
	"munadi/assets/web"
	"munadi/engine"
	"munadi/store"
)

const checkpointPath = "../../../engine/model/testdata/checkpoints/hybrid.nemo"

// spokenEngine is an engine with the same transcript for every recording.
type spokenEngine struct{ text string }

func (e spokenEngine) Transcribe(
	ctx context.Context, src engine.SampleSource, _ engine.TranscribeOptions,
) (*engine.Result, error) {
	buf := make([]float32, 4096)
	for ctx.Err() == nil {
		if _, err := src.Read(buf); errors.Is(err, io.EOF) {
			return &engine.Result{Text: e.text}, nil
		}
	}
	return nil, ctx.Err()
}

func (e spokenEngine) DebugDecode(
	context.Context, engine.SampleSource, engine.DebugParams,
) (*engine.DebugResult, error) {
	return &engine.DebugResult{}, nil
}

func (spokenEngine) ModelInfo() engine.EngineInfo { return engine.EngineInfo{Heads: []string{"rnnt"}} }
func (spokenEngine) Close() error                 { return nil }

const appointment = "نعم أريد تغيير الموعد يوم الخميس الساعة الخامسة مساء نعم أؤكد الموعد"

// testBench is a data folder with a hub, and the events that the worker published.
type testBench struct {
	t    *testing.T
	data string
	hub  *hubtest.ModelHub
	open func(dir string) (modelcheck.TrialEngine, error)

	mu      sync.Mutex
	audit   []string
	events  []modeljob.JobEvent
	reloads int
	reload  error
}

func newTestBench(t *testing.T) *testBench {
	t.Helper()
	checkpoint, err := os.ReadFile(checkpointPath)
	if err != nil {
		t.Fatal(err)
	}
	b := &testBench{
		t: t, data: t.TempDir(), hub: &hubtest.ModelHub{Files: map[string][]byte{"small.nemo": checkpoint}, Ranges: true},
		open: func(string) (modelcheck.TrialEngine, error) { return spokenEngine{appointment}, nil },
	}
	b.hub.StartHub(t)
	return b
}

func (b *testBench) modelFolder() models.ModelFolder { return models.OpenFolder(b.data) }

// newWorker returns a worker on the data folder, as a start of the appliance makes it.
func (b *testBench) newWorker() *modeljob.ModelWorker {
	b.t.Helper()
	w, err := modeljob.NewWorker(modeljob.Dependencies{
		Models: b.modelFolder(), Samples: web.WebFiles(), Open: func(dir string) (modelcheck.TrialEngine, error) { return b.open(dir) },
		Hub:     func() *modelhub.Hub { return &modelhub.Hub{Base: b.hub.URL, Pause: time.Millisecond} },
		Serving: func() modeljob.ServingEngine { return spokenEngine{"served"} },
		Fixed:   func() string { return "" },
		Reload: func() error {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.reloads++
			return b.reload
		},
		AddAudit: func(_ context.Context, _ string, e store.AuditEntry) error {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.audit = append(b.audit, e.Actor+" "+e.Action+" "+e.Subject)
			return nil
		},
		Publish: func(e modeljob.JobEvent) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.events = append(b.events, e)
		},
		Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return w
}

// run runs a worker until the returned function is called.
func (b *testBench) run(w *modeljob.ModelWorker) (stop func()) {
	ctx, cancel := context.WithCancel(b.t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	return func() {
		b.t.Helper()
		cancel()
		if err := <-done; err != nil {
			b.t.Error(err)
		}
	}
}

// await waits until the job is in a phase.
func (b *testBench) await(w *modeljob.ModelWorker, is func(*modeljob.InstallJob) bool) *modeljob.InstallJob {
	b.t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if j := w.CurrentJob(); j != nil && is(j) {
			return j
		}
	}
	b.t.Fatalf("the job is %+v", w.CurrentJob())
	return nil
}

func inPhase(p modeljob.JobPhase) func(*modeljob.InstallJob) bool {
	return func(j *modeljob.InstallJob) bool { return j.Phase == p }
}

func (b *testBench) audited(line string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Contains(b.audit, line)
}

var request = modeljob.InstallRequest{Model: "org/name", Name: "mine", AnyLanguage: true, OrgID: "default", Actor: "user:1"}

func TestModelOfTheHubIsInstalledAndUsed(t *testing.T) {
	t.Parallel()
	b := newTestBench(t)
	b.hub.CutAt = 50_000
	w := b.newWorker()
	defer b.run(w)()
	r := request
	r.Use = true
	if err := w.StartInstall(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	j := b.await(w, inPhase(modeljob.Installed))
	if j.License != "cc-by-4.0" || j.Revision != hubtest.Commit || j.Size != int64(len(b.hub.Files["small.nemo"])) {
		t.Errorf("job = %+v", j)
	}
	if b.hub.CutCount() != 1 {
		t.Error("the connection did not break")
	}
	if path, err := b.modelFolder().CurrentModel(); err != nil || filepath.Base(path) != "mine" || b.reloads != 1 {
		t.Errorf("current %q, %v, %d reloads", path, err, b.reloads)
	}
	for _, line := range []string{"user:1 model.install mine", "user:1 model.use mine"} {
		if !b.audited(line) {
			t.Errorf("%q is not in %q", line, b.audit)
		}
	}
	o := w.DescribeModels()
	if len(o.Installed) != 1 || !o.Installed[0].InUse || o.Installed[0].Source == nil || o.Installed[0].Report == nil || o.BuiltIn {
		t.Errorf("overview = %+v", o)
	}
	if left, _ := filepath.Glob(filepath.Join(b.data, "models", ".download-*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	if err := w.UseModel(t.Context(), "", "default", "user:1"); err != nil {
		t.Fatal(err)
	}
	w.Fixed = func() string { return filepath.Join(b.data, "models", ".", "mine") }
	if err := w.RemoveModel(t.Context(), "mine", "default", "user:1"); !errors.Is(err, modeljob.ErrInUse) {
		t.Errorf("remove of the folder that the setting model names: %v", err)
	}
	w.Fixed = func() string { return "" }
	if err := w.RemoveModel(t.Context(), "mine", "default", "user:1"); err != nil {
		t.Fatal(err)
	}
	if !b.audited("user:1 model.use built-in") || !b.audited("user:1 model.remove mine") {
		t.Errorf("audit = %q", b.audit)
	}
}

// A download that was interrupted by a stop of the appliance is resumed at the next start.
func TestStopInTheMiddleOfADownload(t *testing.T) {
	t.Parallel()
	b := newTestBench(t)
	b.hub.Hold = make(chan struct{})
	w := b.newWorker()
	stop := b.run(w)
	if err := w.StartInstall(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	b.await(w, func(j *modeljob.InstallJob) bool { return j.Done > 0 })
	if err := w.StartInstall(t.Context(), request); !errors.Is(err, modeljob.ErrBusy) {
		t.Errorf("a second one at a time: %v", err)
	}
	stop()
	w = b.newWorker()
	if j := w.CurrentJob(); j == nil || j.Phase != modeljob.Fetching {
		t.Fatalf("after the stop: %+v", j)
	}
	defer b.run(w)()
	b.await(w, inPhase(modeljob.Installed))
	ranges := b.hub.AskedRanges()
	if last := ranges[len(ranges)-1]; !strings.HasPrefix(last, "bytes=") || last == "bytes=0-" {
		t.Errorf("asked for %q", ranges)
	}
}

func TestCancelledDownloadIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	b := newTestBench(t)
	b.hub.Hold = make(chan struct{})
	w := b.newWorker()
	defer b.run(w)()
	if err := w.StartInstall(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	b.await(w, func(j *modeljob.InstallJob) bool { return j.Done > 0 })
	if err := w.CancelInstall(t.Context(), "default", "user:1"); err != nil {
		t.Fatal(err)
	}
	b.await(w, inPhase(modeljob.Cancelled))
	if err := w.CancelInstall(t.Context(), "default", "user:1"); !errors.Is(err, modeljob.ErrNoJob) {
		t.Errorf("cancelled twice: %v", err)
	}
	if err := w.ResumeInstall(t.Context(), "default", "user:2"); err != nil {
		t.Fatal(err)
	}
	b.await(w, inPhase(modeljob.Installed))
	if !b.audited("user:2 model.install mine") {
		t.Errorf("audit = %q", b.audit)
	}
}

// A model whose test repeatedly stops the appliance is not tested again at each start.
func TestTestThatStopsTheAppliance(t *testing.T) {
	t.Parallel()
	b := newTestBench(t)
	began := make(chan struct{}, 9)
	b.open = func(string) (modelcheck.TrialEngine, error) {
		began <- struct{}{}
		return blockedEngine{}, nil
	}
	w := b.newWorker()
	if err := w.StartInstall(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		stop := b.run(w)
		<-began
		stop()
		w = b.newWorker()
	}
	defer b.run(w)()
	if j := b.await(w, inPhase(modeljob.Failed)); !strings.Contains(j.Fault, "stopped twice") || !b.audited("user:1 model.fail mine") {
		t.Errorf("fault %q, audit %q", j.Fault, b.audit)
	}
	if err := w.ForgetJob(t.Context(), "default", "user:1"); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(filepath.Join(b.data, "models")); len(entries) > 0 || w.CurrentJob() != nil {
		t.Errorf("%v is left", entries)
	}
}

// blockedEngine decodes until it is cancelled.
type blockedEngine struct{ spokenEngine }

func (blockedEngine) Transcribe(
	ctx context.Context, _ engine.SampleSource, _ engine.TranscribeOptions,
) (*engine.Result, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestFaultsAreTold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*testBench, *modeljob.InstallRequest)
		want   string
		kind   string
	}{
		"gated":        {func(b *testBench, _ *modeljob.InstallRequest) { b.hub.Gated = true }, "accept its conditions", "gated"},
		"not Arabic":   {func(_ *testBench, r *modeljob.InstallRequest) { r.AnyLanguage = false }, "Arabic", "not_arabic"},
		"no network":   {func(b *testBench, _ *modeljob.InstallRequest) { b.hub.URL = "http://127.0.0.1:1" }, "can't be reached", "offline"},
		"can't reopen": {func(b *testBench, r *modeljob.InstallRequest) { b.reload, r.Use = errors.New("no room"), true }, "no room", "other"},
		"panic": {func(b *testBench, _ *modeljob.InstallRequest) {
			b.open = func(string) (modelcheck.TrialEngine, error) { panic("boom") }
		}, "boom", "other"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestBench(t)
			if name == "not Arabic" {
				b.open = func(string) (modelcheck.TrialEngine, error) { return spokenEngine{"hello"}, nil }
			}
			r := request
			c.change(b, &r)
			w := b.newWorker()
			defer b.run(w)()
			if err := w.StartInstall(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			j := b.await(w, inPhase(modeljob.Failed))
			if !strings.Contains(j.Fault, c.want) || j.Offline != (name == "no network") || j.Kind != c.kind {
				t.Errorf("job = %+v", j)
			}
			if path, err := b.modelFolder().CurrentModel(); path != "" || err != nil {
				t.Errorf("current model %q, %v", path, err)
			}
		})
	}
}

func TestRequestsAreChecked(t *testing.T) {
	t.Parallel()
	b := newTestBench(t)
	w := b.newWorker()
	for _, r := range []modeljob.InstallRequest{
		{},
		{Model: "no name"},
		{Path: "relative.nemo"},
		{Path: "/etc/passwd"},
		{Path: "/nowhere/x.nemo"},
		{Model: "org/name", Name: "../x"},
		{Model: "org/name", Name: "current"},
		{Model: "org/name", Name: models.BuiltIn},
	} {
		if err := w.StartInstall(t.Context(), r); err == nil {
			t.Errorf("%+v was taken", r)
		}
	}
	if err := w.UseModel(t.Context(), "../x", "default", "user:1"); !errors.Is(err, modeljob.ErrNoModel) {
		t.Error(err)
	}
	if err := w.RemoveModel(t.Context(), "..", "default", "user:1"); !errors.Is(err, modeljob.ErrNoModel) {
		t.Error(err)
	}
}

func TestCheckpointIsUploaded(t *testing.T) {
	t.Parallel()
	b := newTestBench(t)
	w := b.newWorker()
	defer b.run(w)()
	for _, name := range []string{"x.txt", ".nemo", "..nemo", "a b.nemo", "current.nemo"} {
		if _, err := w.ReceiveUpload(modeljob.Upload{FileName: name, Size: 1, Content: strings.NewReader("x")}); !errors.Is(err, modeljob.ErrNoPath) && !errors.Is(err, modeljob.ErrName) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var tooLarge *modeljob.DiskFault
	if _, err := w.ReceiveUpload(modeljob.Upload{FileName: "x.nemo", Size: 1 << 50, Content: strings.NewReader("x")}); !errors.As(err, &tooLarge) {
		t.Errorf("a petabyte: %v", err)
	}
	if _, err := w.ReceiveUpload(modeljob.Upload{FileName: "x.nemo", Size: 9, Content: io.MultiReader(strings.NewReader("x"), brokenReader{})}); err == nil {
		t.Error("a broken upload was taken")
	}
	if entries, _ := filepath.Glob(filepath.Join(b.data, "models", ".*")); len(entries) > 0 {
		t.Errorf("%v is left", entries)
	}
	f, err := os.Open(checkpointPath)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	path, err := w.ReceiveUpload(modeljob.Upload{FileName: `C:\models\carried.nemo`, Size: 0, Content: f})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.StartInstall(t.Context(), modeljob.InstallRequest{Path: path, Upload: true, AnyLanguage: true}); err != nil {
		t.Fatal(err)
	}
	b.await(w, inPhase(modeljob.Installed))
	if !slices.Contains(b.modelFolder().InstalledNames(), "carried") {
		t.Errorf("installed: %v", b.modelFolder().InstalledNames())
	}
	if left, _ := filepath.Glob(filepath.Join(b.data, "models", ".download-*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestModelsAreCompared(t *testing.T) {
	t.Parallel()
	b := newTestBench(t)
	if _, err := b.modelFolder().InstallModel(filepath.Dir(checkpointPath), "mine", nil); err != nil {
		t.Fatal(err)
	}
	w := b.newWorker()
	c, err := w.CompareModels(t.Context(), "mine", make([]float32, 16000))
	if err != nil || c.Serving.Text != "served" || c.Other.Text != appointment || c.Other.Model != "mine" || c.Seconds != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := w.CompareModels(t.Context(), "other", nil); !errors.Is(err, modeljob.ErrNoModel) {
		t.Error(err)
	}
}
