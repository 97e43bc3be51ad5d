package whole_test

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"munadi/engine/checksum"
)

// runModelCommand runs munadi model … on a data folder.
func runModelCommand(t testing.TB, data string, args ...string) commandOutcome {
	t.Helper()
	return runMunadi(t, nil, append([]string{"model", "--data", data, "--cache", cacheDir()}, args...)...)
}

// wantOutput expects success and these words in the output.
func (o commandOutcome) wantOutput(t testing.TB, what string, says ...string) {
	t.Helper()
	if o.code != 0 {
		t.Errorf("%s: code %d: %s%s", what, o.code, o.stdout, o.stderr)
	}
	for _, word := range says {
		if !strings.Contains(o.stdout, word) {
			t.Errorf("%s: %q is not in what it says: %s", what, word, o.stdout)
		}
	}
}

// wantTranscript expects a transcript of confirm.flac.
func (a *testInstance) wantTranscript(t testing.TB, want string) {
	t.Helper()
	if got := a.postForm(t, transcriptions, withFile(demoSample(t, "confirm.flac"))).wantStatus(t, 200).jsonBody(t)["text"]; got != want {
		t.Errorf("heard %q, want %q", got, want)
	}
}

// awaitModel waits until the log says that a model was loaded.
func (a *testInstance) awaitModel(t testing.TB, name string) {
	t.Helper()
	if _, err := a.log.awaitPattern(regexp.MustCompile(`msg="model loaded" name="?`+regexp.QuoteMeta(name)), a.processExited()); err != nil {
		t.Error(err)
	}
}

// copyChangedModel copies the default model, without the tokenizer, into writable files; edit changes one of them.
func copyChangedModel(t testing.TB, name string, edit func([]byte) []byte) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "changed")
	mustSucceed(t, os.CopyFS(dir, os.DirFS(projectPath(t, "assets/model/bundle"))))
	mustSucceed(t, os.Remove(filepath.Join(dir, "tokenizer.model")))
	b, err := os.ReadFile(filepath.Join(dir, name))
	mustSucceed(t, err)
	mustSucceed(t, os.Remove(filepath.Join(dir, name)))
	mustSucceed(t, os.WriteFile(filepath.Join(dir, name), edit(b), 0o600))
	return dir
}

// swapLetters replaces a letter in the vocabulary, so that transcripts show which model made them.
func swapLetters(b []byte) []byte { return []byte(strings.ReplaceAll(string(b), "ع", "غ")) }

const lispedText = "نغم أؤكد الموغد"

// shuffleTokenIDs assigns every token another one's id.
func shuffleTokenIDs(b []byte) []byte {
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	pieces := make([]string, len(lines))
	for i, line := range lines {
		pieces[i] = line[:strings.LastIndexByte(line, ' ')]
	}
	middle := pieces[1 : len(pieces)-1]
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(middle), func(i, j int) { middle[i], middle[j] = middle[j], middle[i] })
	for i := range lines {
		lines[i] = pieces[i] + lines[i][strings.LastIndexByte(lines[i], ' '):]
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// damageWeights writes NaN into the first block of weights after the middle of the file.
func damageWeights(b []byte) []byte {
	const stretch = 4096
	weight := func(at int) bool {
		bits := uint32(b[at]) | uint32(b[at+1])<<8 | uint32(b[at+2])<<16 | uint32(b[at+3])<<24
		x := math.Abs(float64(math.Float32frombits(bits)))
		return x > 1e-7 && x < 10
	}
	b = slices.Clone(b)
	for at := len(b) / 2; at+stretch < len(b); at++ {
		end := at
		for end < at+stretch && weight(end) {
			end += 4
		}
		if end < at+stretch {
			continue
		}
		for i := at; i < end; i++ {
			b[i] = 0xff
		}
		return b
	}
	return nil
}

// TestOwnModel checks that another model is measured and loaded while the appliance serves requests without
// interruption, that it stays after a restart, and that it can be replaced again.
func TestOwnModel(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{})
	a.wantTranscript(t, confirmText)
	before := runModelCommand(t, a.Data, "info")
	before.wantOutput(t, "info at first", "name", "espeak-ng")
	if strings.Contains(before.stdout, "real-time factor") {
		t.Errorf("the built-in model was measured: %s", before.stdout)
	}
	dir := copyChangedModel(t, "vocab.txt", swapLetters)
	whileAsked(t, a, func() {
		runModelCommand(t, a.Data, "import", "--name", "lisping", dir).wantOutput(t, "import",
			"real-time factor", "memory", "MiB", "production", "no speech", lispedText, "uses lisping now", "model use built-in")
	})
	a.wantTranscript(t, lispedText)
	runModelCommand(t, a.Data, "info").wantOutput(t, "info", "real-time factor", "memory", lispedText, "built-in, lisping")
	runModelCommand(t, a.Data, "import", "--name", "lisping", dir).wantRefused(t, "the same name", "lisping", "--name")

	a.stopGracefully(t)
	mustSucceed(t, os.Remove(filepath.Join(a.Data, "models/lisping", checksum.ListFile))) // as an older version installed it
	b := startInstance(t, instanceSettings{data: a.Data})
	b.wantTranscript(t, lispedText)
	runModelCommand(t, a.Data, "info").wantOutput(t, "info", "verified by SHA-256 (recorded at a start")
	runModelCommand(t, b.Data, "use", "nobody").wantRefused(t, "a model that is not there", "nobody", "lisping")
	runModelCommand(t, b.Data, "use", "built-in").wantOutput(t, "the way back", "built-in now", "model use lisping")
	b.wantTranscript(t, confirmText)
	runModelCommand(t, b.Data, "use", "lisping").wantOutput(t, "and again", "lisping now")
	b.wantTranscript(t, lispedText)

	// A model that cannot be opened is not loaded; the current one stays.
	runModelCommand(t, b.Data, "use", "built-in").wantOutput(t, "back")
	mustSucceed(t, os.Truncate(filepath.Join(b.Data, "models/lisping/encoder-model.onnx"), 1000))
	runModelCommand(t, b.Data, "use", "lisping").wantRefused(t, "a damaged model", "encoder-model.onnx")
	b.wantTranscript(t, confirmText)
	b.stopGracefully(t)
	runModelCommand(t, b.Data, "use", "built-in").wantOutput(t, "without an appliance", "from the next start")
	runModelCommand(t, b.Data, "use", "lisping").wantOutput(t, "a damaged one without an appliance", "from the next start")
	runMunadi(t, nil, "serve", "--data", b.Data, "--cache", cacheDir(), "--listen", "127.0.0.1:0").
		wantRefused(t, "a start with a damaged model", "encoder-model.onnx is damaged", "munadi model use")
}

// whileAsked sends requests one after another until do returns; none may fail.
func whileAsked(t testing.TB, a *testInstance, do func()) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var asking sync.WaitGroup
	clip := demoSample(t, "confirm.flac")
	n := 0
	asking.Go(func() {
		for ctx.Err() == nil {
			if got := a.postForm(t, transcriptions, withFile(clip)); got.Status != 200 {
				t.Errorf("while the model changes: %d %s", got.Status, got)
				return
			}
			n++
		}
	})
	do()
	stop()
	asking.Wait()
	if n == 0 {
		t.Error("nothing was asked meanwhile")
	}
}

// TestUselessModels checks that verify and import refuse unusable models and leave no files.
func TestUselessModels(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	for name, c := range map[string]struct {
		dir  string
		says []string
	}{
		"another's vocabulary": {copyChangedModel(t, "vocab.txt", shuffleTokenIDs), []string{"vocabulary"}},
		"not a number":         {copyChangedModel(t, "encoder-model.onnx", damageWeights), []string{"NaN"}},
		"a shorter vocabulary": {
			copyChangedModel(t, "vocab.txt", func([]byte) []byte { return []byte("a 0\n<blk> 1\n") }), []string{"labels"},
		},
	} {
		runModelCommand(t, data, "import", "--name", "useless", c.dir).wantRefused(t, name, c.says...)
	}
	runModelCommand(t, data, "verify", copyChangedModel(t, "vocab.txt", shuffleTokenIDs)).wantRefused(t, "verify", "vocabulary")
	whole := copyChangedModel(t, "vocab.txt", func(b []byte) []byte { return b })
	mustSucceed(t, os.WriteFile(filepath.Join(whole, "vocab.txt"), shuffleTokenIDs(readProjectFile(t, "assets/model/bundle/vocab.txt")), 0o600))
	mustSucceed(t, os.WriteFile(filepath.Join(whole, "tokenizer.model"), readProjectFile(t, "assets/model/bundle/tokenizer.model"), 0o600))
	runModelCommand(t, data, "verify", whole).wantRefused(t, "a tokenizer of another", "tokenizer.model", "they are of different models")
	spaced := filepath.Join(t.TempDir(), "my model")
	mustSucceed(t, os.CopyFS(spaced, os.DirFS(projectPath(t, "assets/model/bundle"))))
	runModelCommand(t, data, "import", spaced).wantRefused(t, "a folder's name that is no model's", "--name")
	if left, err := filepath.Glob(filepath.Join(data, "models", "*")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestFarOffModel checks that a model with a high error rate is installed with a warning.
func TestFarOffModel(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	far := copyChangedModel(t, "vocab.txt", func(b []byte) []byte {
		return []byte(strings.NewReplacer("ا", "ه", "م", "ط", "ي", "ث").Replace(string(b)))
	})
	runModelCommand(t, data, "import", "--name", "far", far).wantOutput(t, "far off", "warning: ", "words are wrong", "from the next start")
}

// TestModelLayouts imports models in the file layouts of onnx-asr and sherpa-onnx.
func TestModelLayouts(t *testing.T) {
	t.Parallel()
	reference := projectPath(t, "../shared/reference")
	if _, err := os.Stat(reference); err != nil {
		t.Skip("no ../shared/reference beside the project: its two layouts are not tried")
	}
	a := startInstance(t, instanceSettings{})
	for name, files := range map[string]map[string]string{
		"onnx-asr": {
			"encoder-model.onnx": "model/encoder-model.onnx", "decoder_joint-model.onnx": "model/decoder_joint-model.onnx",
			"model.onnx": "model/model.onnx", "vocab.txt": "model/vocab.txt", "config.json": "model/config.json",
		},
		"sherpa-onnx": {
			"encoder.onnx": "model/encoder-model.onnx", "decoder.onnx": "sherpa/decoder.onnx",
			"joiner.onnx": "sherpa/joiner.onnx", "ctc.onnx": "model/model.onnx", "tokens.txt": "sherpa/tokens.txt",
		},
	} {
		dir := filepath.Join(t.TempDir(), name)
		mustSucceed(t, os.Mkdir(dir, 0o700))
		for to, from := range files { // symbolic links, as in the hubs' caches
			mustSucceed(t, os.Symlink(filepath.Join(reference, from), filepath.Join(dir, to)))
		}
		runModelCommand(t, a.Data, "import", dir).wantOutput(t, name, "NeMo ("+name+")", "rnnt, ctc", confirmText, "uses "+name+" now")
		a.awaitModel(t, name)
		a.wantTranscript(t, confirmText)
		runModelCommand(t, a.Data, "info").wantOutput(t, "info of "+name, "NeMo ("+name+")", "real-time factor")
		if st, err := os.Lstat(filepath.Join(a.Data, "models", name)); err != nil || !st.IsDir() {
			t.Errorf("%s: %v, %v", name, st, err)
		}
	}
	runModelCommand(t, a.Data, "use", "built-in").wantOutput(t, "the way back", "built-in now")
	a.wantTranscript(t, confirmText)
}
