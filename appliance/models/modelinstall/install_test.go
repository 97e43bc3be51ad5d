package modelinstall_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/models"
	"munadi/appliance/models/modelcheck"
	"munadi/appliance/models/modelinstall"
	"munadi/assets/web"
	"munadi/engine"
)

const checkpoint = "../../../engine/model/testdata/checkpoints/hybrid.nemo"

// constantEngine is an engine with the same transcript for every clip.
type constantEngine struct{ text string }

func (p constantEngine) Transcribe(_ context.Context, src engine.SampleSource, _ engine.TranscribeOptions) (*engine.Result, error) {
	buf := make([]float32, 4096)
	for {
		if _, err := src.Read(buf); errors.Is(err, io.EOF) {
			return &engine.Result{Text: p.text}, nil
		}
	}
}

func (p constantEngine) DebugDecode(context.Context, engine.SampleSource, engine.DebugParams) (*engine.DebugResult, error) {
	return &engine.DebugResult{}, nil
}

func (constantEngine) ModelInfo() engine.EngineInfo {
	return engine.EngineInfo{Heads: []string{"rnnt"}}
}

func (constantEngine) Close() error { return nil }

// newInstaller returns an installer on a new data folder whose engine transcribes text.
func newInstaller(t *testing.T, text string) (modelinstall.ModelInstaller, string) {
	data := t.TempDir()
	return modelinstall.ModelInstaller{
		Models: models.OpenFolder(data), Samples: web.WebFiles(),
		Open: func(string) (modelcheck.TrialEngine, error) { return constantEngine{text}, nil },
	}, filepath.Join(data, "models")
}

const appointment = "نعم أريد تغيير الموعد يوم الخميس الساعة الخامسة مساء نعم أؤكد الموعد"

func TestCheckpointIsInstalled(t *testing.T) {
	t.Parallel()
	in, models := newInstaller(t, appointment)
	p, err := in.PrepareModel(t.Context(), checkpoint, modelinstall.InstallOptions{Name: "large", AnyLanguage: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.InstallModel(nil), p.DiscardModel()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"encoder-model.onnx", "decoder_joint-model.onnx", "ctc-head.onnx", "vocab.txt", "munadi.json", modelcheck.File,
	} {
		if _, err := os.Stat(filepath.Join(models, "large", name)); err != nil {
			t.Error(err)
		}
	}
	onlyEntries(t, models, "large")
}

func TestNothingIsLeftOfARefusedModel(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "broken.nemo")
	if err := os.WriteFile(broken, []byte(strings.Repeat("x", 2000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		path, heard, want string
	}{
		"English": {checkpoint, "yes I do", "--any-language"},
		"nothing": {checkpoint, "", "recognizes nothing"},
		"broken":  {broken, "", "broken.nemo: not a NeMo checkpoint"},
		"missing": {filepath.Join(broken, "none"), "", "not a directory"},
		"no path": {"", "", "give the folder"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, models := newInstaller(t, c.heard)
			p, err := in.PrepareModel(t.Context(), c.path, modelinstall.InstallOptions{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error = %v, want %q", err, c.want)
			}
			if p != nil {
				if err := p.DiscardModel(); err != nil {
					t.Error(err)
				}
			}
			onlyEntries(t, models)
		})
	}
}

func TestAnotherLanguageCanBeMeant(t *testing.T) {
	t.Parallel()
	in, _ := newInstaller(t, "yes I do")
	p, err := in.PrepareModel(t.Context(), checkpoint, modelinstall.InstallOptions{AnyLanguage: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.DiscardModel(); err != nil {
		t.Error(err)
	}
}

func TestStaleFoldersAreRemoved(t *testing.T) {
	t.Parallel()
	in, models := newInstaller(t, appointment)
	old := filepath.Join(models, ".incoming-old")
	if err := os.MkdirAll(old, 0o700); err != nil {
		t.Fatal(err)
	}
	yesterday := time.Now().Add(-25 * time.Hour)
	if err := os.Chtimes(old, yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	p, err := in.PrepareModel(t.Context(), checkpoint, modelinstall.InstallOptions{AnyLanguage: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.DiscardModel(); err != nil {
		t.Fatal(err)
	}
	onlyEntries(t, models)
}

func TestInt8IsComparedWithTheModelAsItIs(t *testing.T) {
	t.Parallel()
	in, models := newInstaller(t, appointment)
	o := modelinstall.InstallOptions{Name: "small", AnyLanguage: true, Int8: true}
	for _, path := range []string{checkpoint, "../../../assets/model/bundle"} {
		p, err := in.PrepareModel(t.Context(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		if p.Report.Original == nil {
			t.Error("the model as it is was not measured")
		}
		if err := errors.Join(p.InstallModel(nil), p.DiscardModel()); err != nil {
			t.Fatal(err)
		}
		onlyEntries(t, models, "small")
		if err := os.RemoveAll(filepath.Join(models, "small")); err != nil {
			t.Fatal(err)
		}
	}
}

// onlyEntries fails unless the models folder has exactly these entries.
func onlyEntries(t *testing.T, models string, want ...string) {
	t.Helper()
	entries, _ := os.ReadDir(models)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if strings.Join(names, " ") != strings.Join(want, " ") {
		t.Errorf("the models' folder holds %v, want %v", names, want)
	}
}
