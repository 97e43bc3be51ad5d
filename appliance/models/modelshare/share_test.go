package modelshare_test

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
	"sync/atomic"
	"testing"
	"time"

	"munadi/appliance/models"
	"munadi/appliance/models/modelshare"
	"munadi/store"
	"munadi/store/bucket"
)

// patience is the longest time to wait for a condition.
const patience = 60 * time.Second

// awayBucket is a folder bucket that can be made unreachable.
type awayBucket struct {
	bucket.ObjectBucket

	away atomic.Bool
}

func (b *awayBucket) OpenObject(ctx context.Context, name string) (bucket.OpenedObject, error) {
	if b.away.Load() {
		return nil, store.Errorf(store.CodeUnavailable, "the bucket does not answer")
	}
	return b.ObjectBucket.OpenObject(ctx, name)
}

func (b *awayBucket) PutObject(ctx context.Context, name string, content io.ReaderAt, size int64) error {
	if b.away.Load() {
		return store.Errorf(store.CodeUnavailable, "the bucket does not answer")
	}
	return b.ObjectBucket.PutObject(ctx, name, content, size)
}

// applianceSite is an appliance with its models folder.
type applianceSite struct {
	t           *testing.T
	modelFolder models.ModelFolder
	data        string
	worker      *modelshare.ShareWorker
	stop        func()
	mu          sync.Mutex
	serving     string
	refuses     string // a model that cannot be opened here
	opened      int
}

// sharingGroup is a group of appliances that share a bucket.
type sharingGroup struct {
	bucket *awayBucket
	folder string
	sites  []*applianceSite
}

func newGroup(t *testing.T, n int) *sharingGroup {
	t.Helper()
	g := &sharingGroup{folder: filepath.Join(t.TempDir(), "bucket")}
	b, err := bucket.OpenBucket(g.folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	g.bucket = &awayBucket{ObjectBucket: b}
	for range n {
		s := &applianceSite{t: t, data: t.TempDir()}
		s.modelFolder = models.OpenFolder(s.data)
		g.sites = append(g.sites, s)
	}
	return g
}

// runWorker starts the worker of an appliance.
func (g *sharingGroup) runWorker(s *applianceSite) {
	s.worker = modelshare.NewWorker(modelshare.Dependencies{
		Models: s.modelFolder, Bucket: g.bucket,
		Serving: func() (string, bool) {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.serving, true
		},
		Use: s.useModel,
		UsedBy: func(_ context.Context, name string) (users []string, _ error) {
			for _, other := range g.sites {
				if other == s {
					continue
				}
				other.mu.Lock()
				if other.serving == name {
					users = append(users, other.data)
				}
				other.mu.Unlock()
			}
			return users, nil
		},
		Announce: func() {
			for _, other := range g.sites {
				if other != s {
					other.worker.WakeUp()
				}
			}
		},
		Warn: func(string) {}, Changed: func() {}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() { _ = s.worker.Run(ctx) })
	s.stop = func() { cancel(); done.Wait() }
	s.t.Cleanup(s.stop)
}

func (g *sharingGroup) runAll() {
	for _, s := range g.sites {
		g.runWorker(s)
	}
}

// useModel selects the serving model, as the console and the command line do.
func (s *applianceSite) useModel(name string) error {
	if name != "" && name == s.refuses {
		return errors.New("too little memory")
	}
	if err := s.modelFolder.UseModel(name); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serving = name
	s.opened++
	return nil
}

func (s *applianceSite) servingModel() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.serving
}

// installModel adds a model to the folder.
func (s *applianceSite) installModel(name, content string) {
	s.t.Helper()
	from := s.t.TempDir()
	for file, text := range map[string]string{"encoder.onnx": content, "vocab.txt": "ا\nب\n"} {
		if err := os.WriteFile(filepath.Join(from, file), []byte(text), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
	if _, err := s.modelFolder.InstallModel(from, name, nil); err != nil {
		s.t.Fatal(err)
	}
}

// hasModel reports whether a model with this content is installed.
func (s *applianceSite) hasModel(name, content string) bool {
	got, err := os.ReadFile(filepath.Join(s.modelFolder.Folder(name), "encoder.onnx"))
	return err == nil && string(got) == content
}

func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// inBucket counts the objects of a model.
func (g *sharingGroup) inBucket(t *testing.T, name string) (n int) {
	t.Helper()
	for o, err := range g.bucket.ListObjects(t.Context(), "models/") {
		if err != nil {
			t.Fatal(err)
		}
		if o.Name == "models/index/"+name+".json" || strings.HasPrefix(o.Name, "models/files/"+name+"/") {
			n++
		}
	}
	return n
}

// TestShared checks that a model that is installed and selected on one appliance is downloaded and used by the others;
// so with a switch back; a removed model disappears from the bucket and all appliances when none uses it any more.
func TestShared(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 3)
	one, two, three := g.sites[0], g.sites[1], g.sites[2]
	g.runAll()
	one.installModel("large", "weights")
	if err := one.useModel("large"); err != nil {
		t.Fatal(err)
	}
	one.worker.WakeUp()
	for _, s := range []*applianceSite{two, three} {
		waitUntil(t, "another appliance serves with the model", func() bool { return s.servingModel() == "large" && s.hasModel("large", "weights") })
	}
	if got := two.worker.CurrentStatus(); !slices.Equal(got.Models, []string{"large"}) {
		waitUntil(t, "the status names the model", func() bool { return slices.Equal(two.worker.CurrentStatus().Models, []string{"large"}) })
	}
	if err := three.useModel(""); err != nil { // the way back, elsewhere
		t.Fatal(err)
	}
	three.worker.WakeUp()
	waitUntil(t, "all are back", func() bool { return one.servingModel() == "" && two.servingModel() == "" })

	if err := two.modelFolder.Remove("large"); err != nil {
		t.Fatal(err)
	}
	one.mu.Lock()
	one.serving = "large" // as if it had been too slow to follow
	one.mu.Unlock()
	two.worker.WakeUp()
	time.Sleep(200 * time.Millisecond)
	if n := g.inBucket(t, "large"); n != 3 {
		t.Errorf("%d objects of a model in use are in the bucket", n)
	}
	one.mu.Lock()
	one.serving = ""
	one.mu.Unlock()
	two.worker.WakeUp()
	waitUntil(t, "it has left the bucket", func() bool { return g.inBucket(t, "large") == 0 })
	waitUntil(t, "it has left all appliances", func() bool {
		return len(one.modelFolder.InstalledNames())+len(two.modelFolder.InstalledNames())+len(three.modelFolder.InstalledNames()) == 0
	})
}

// TestBucketAway checks that an appliance continues, and starts, with the models that it has while the bucket is
// unreachable, and shares those installed meanwhile afterwards.
func TestBucketAway(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 2)
	one, two := g.sites[0], g.sites[1]
	g.runAll()
	one.installModel("large", "weights")
	if err := one.useModel("large"); err != nil {
		t.Fatal(err)
	}
	one.worker.WakeUp()
	waitUntil(t, "the other follows", func() bool { return two.servingModel() == "large" })
	two.stop()
	g.bucket.away.Store(true)
	one.installModel("small", "less")
	one.worker.WakeUp()
	g.runWorker(two)
	waitUntil(t, "the fault is told", func() bool { return one.worker.CurrentStatus().Away && two.worker.CurrentStatus().Away })
	if two.servingModel() != "large" || !two.hasModel("large", "weights") {
		t.Error("the cached model is gone")
	}
	g.bucket.away.Store(false)
	one.worker.WakeUp()
	waitUntil(t, "what was installed meanwhile is shared", func() bool { two.worker.WakeUp(); return two.hasModel("small", "less") })
}

// TestDamagedInBucket checks that a model whose files do not match its record is not installed, that different models
// with one name are reported and not replaced, and that after a model that cannot be opened the previous one is used.
func TestDamagedInBucket(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 2)
	one, two := g.sites[0], g.sites[1]
	one.installModel("large", "weights")
	one.installModel("twice", "mine")
	two.installModel("twice", "yours")
	one.installModel("rotten", "weights")
	if err := os.WriteFile(filepath.Join(one.modelFolder.Folder("rotten"), "encoder.onnx"), []byte("weightz"), 0o600); err != nil {
		t.Fatal(err)
	}
	g.runWorker(one)
	waitUntil(t, "one that was damaged here is not uploaded", func() bool {
		told := strings.Join(one.worker.CurrentStatus().ProblemSentences(), "\n")
		return strings.Contains(told, "rotten cannot be shared: encoder.onnx is damaged") && g.inBucket(t, "rotten") == 0
	})
	waitUntil(t, "both are in the bucket", func() bool { return g.inBucket(t, "large") == 3 && g.inBucket(t, "twice") == 3 })
	files, err := filepath.Glob(filepath.Join(g.folder, "models", "files", "large", "*", "encoder.onnx"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(files[0], []byte("weightz"), 0o600); err != nil {
		t.Fatal(err)
	}
	two.refuses = "good"
	g.runWorker(two)
	waitUntil(t, "both faults are told", func() bool {
		told := strings.Join(two.worker.CurrentStatus().ProblemSentences(), "\n")
		return strings.Contains(told, "large of the bucket is damaged") && strings.Contains(told, "twice on this machine differs")
	})
	if slices.Contains(two.modelFolder.InstalledNames(), "large") || !two.hasModel("twice", "yours") || !one.hasModel("twice", "mine") {
		t.Error("a damaged model was installed, or another one replaced")
	}
	one.installModel("good", "better")
	if err := one.useModel("good"); err != nil {
		t.Fatal(err)
	}
	one.worker.WakeUp()
	waitUntil(t, "the refusal is told", func() bool {
		return strings.Contains(strings.Join(two.worker.CurrentStatus().ProblemSentences(), "\n"), "cannot be opened on this machine")
	})
	if two.servingModel() != "" || one.servingModel() != "good" {
		t.Errorf("they serve with %q and %q", one.servingModel(), two.servingModel())
	}
}

// TestLostBucket checks that an unreadable record or an emptied bucket removes no model on any appliance.
func TestLostBucket(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 2)
	one, two := g.sites[0], g.sites[1]
	one.installModel("large", "weights")
	g.runWorker(one)
	g.runWorker(two)
	waitUntil(t, "both have it", func() bool { return g.inBucket(t, "large") == 3 && two.hasModel("large", "weights") })
	record := filepath.Join(g.folder, "models", "index", "large.json")
	if err := os.WriteFile(record, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, at := range g.sites[:2] {
		at.worker.WakeUp()
		waitUntil(t, "the damage is told", func() bool {
			return strings.Contains(strings.Join(at.worker.CurrentStatus().ProblemSentences(), "\n"), "cannot be read")
		})
	}
	if !one.hasModel("large", "weights") || !two.hasModel("large", "weights") {
		t.Error("a model was removed because its record in the bucket is damaged")
	}
	if err := os.RemoveAll(g.folder); err != nil {
		t.Fatal(err)
	}
	two.worker.WakeUp()
	waitUntil(t, "the empty bucket has it again", func() bool { return g.inBucket(t, "large") == 3 })
	one.worker.WakeUp()
	waitUntil(t, "nothing is wrong", func() bool { return len(one.worker.CurrentStatus().Problems) == 0 })
	if err := os.RemoveAll(g.folder); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(g.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	mark := filepath.Join(g.folder, "models.shared") // by an appliance that has no models
	if err := os.WriteFile(mark, []byte("another id"), 0o600); err != nil {
		t.Fatal(err)
	}
	one.worker.WakeUp()
	waitUntil(t, "the bucket that was marked anew has it again", func() bool { return g.inBucket(t, "large") == 3 })
	two.worker.WakeUp()
	waitUntil(t, "nothing is wrong", func() bool { return len(two.worker.CurrentStatus().Problems) == 0 })
	if !one.hasModel("large", "weights") || !two.hasModel("large", "weights") {
		t.Error("a model was removed because the bucket was emptied")
	}
}

// TestReplaced checks that a model that is removed and imported again under its name replaces that of the others, and
// that those that use it open it again.
func TestReplaced(t *testing.T) {
	t.Parallel()
	g := newGroup(t, 2)
	one, two := g.sites[0], g.sites[1]
	g.runAll()
	one.installModel("large", "first")
	if err := one.useModel("large"); err != nil {
		t.Fatal(err)
	}
	one.worker.WakeUp()
	waitUntil(t, "the other follows", func() bool { return two.servingModel() == "large" && two.hasModel("large", "first") })
	one.stop()
	opened := two.opened
	if err := errors.Join(one.modelFolder.UseModel(""), one.modelFolder.Remove("large")); err != nil {
		t.Fatal(err)
	}
	one.installModel("large", "second")
	if err := one.modelFolder.UseModel("large"); err != nil {
		t.Fatal(err)
	}
	g.runWorker(one)
	waitUntil(t, "the other has the new one, and opened it", func() bool {
		two.mu.Lock()
		defer two.mu.Unlock()
		return two.hasModel("large", "second") && two.opened > opened
	})
}

// FuzzParseRecord checks that no object of the bucket names a file outside the model's folder.
func FuzzParseRecord(f *testing.F) {
	f.Add([]byte(`{"name":"large","revision":"","files":[{"name":"../x","size":1,"sha256":""}]}`))
	f.Add([]byte(`{"name":"large","files":[]}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		r, err := modelshare.ParseRecord("large", content)
		if err != nil {
			return
		}
		for _, file := range r.Files {
			if file.Name != filepath.Base(file.Name) || file.Name == ".." || file.Name == "." || file.Size < 0 {
				t.Errorf("%q is taken", file.Name)
			}
		}
	})
}
