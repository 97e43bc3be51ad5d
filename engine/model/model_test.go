package model_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	assetsort "munadi/assets/ort"
	"munadi/engine/model"
	"munadi/engine/ort"
)

const (
	// bundle is the reference model in the default model's layout, compared with the same model in other layouts.
	bundle = "../testdata/reference"
	// standard is the default model in the repository.
	standard = "../../assets/model/bundle"
)

func load(t testing.TB) {
	t.Helper()
	zst, sum, version := assetsort.PackedLibrary()
	path, _, err := ort.PackedLibrary{Zstd: zst, SHA256: sum, Version: version}.UnpackTo(filepath.Join(os.TempDir(), "munadi-test-ort"))
	if err != nil {
		t.Fatal(err)
	}
	if err := ort.LoadLibrary(path); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, dir string) *model.SpeechModel {
	t.Helper()
	load(t)
	f, err := model.FolderAt(dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.OpenModel(f, model.ModelOptions{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func TestOpenReadsTheDefaultBundle(t *testing.T) {
	m := open(t, standard)
	if !m.HasRNNT() || !m.HasCTC() || len(m.Vocabulary) != 256 || m.Layout != "onnx-asr" {
		t.Errorf("rnnt %v, ctc %v, %d pieces, layout %q", m.HasRNNT(), m.HasCTC(), len(m.Vocabulary), m.Layout)
	}
	if m.Parameters < 4e6 || m.Parameters > 6e6 {
		t.Errorf("%d parameters, want about 4.5 M", m.Parameters)
	}
}

// ramp returns a made-up spectrogram of n valid frames.
func ramp(valid int) []float32 {
	mel := make([]float32, 80*(valid+1))
	for i := range mel {
		mel[i] = float32(i%17)/8 - 1
	}
	return mel
}

// A folder on disk is memory-mapped and rewritten, an fs.FS is read; both must give the same results.
func TestDirAndFSAgree(t *testing.T) {
	onDisk := open(t, bundle)
	inMemory, err := model.OpenModel(model.FolderIn(os.DirFS(bundle)), model.ModelOptions{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = inMemory.Close() }()
	a, err := onDisk.EncodeMel(t.Context(), ramp(150), 150)
	if err != nil {
		t.Fatal(err)
	}
	b, err := inMemory.EncodeMel(t.Context(), ramp(150), 150)
	if err != nil {
		t.Fatal(err)
	}
	if a.T != 19 || b.T != a.T {
		t.Fatalf("frames = %d and %d, want 19", a.T, b.T)
	}
	for i := range a.CTC.Data {
		if a.CTC.Data[i] != b.CTC.Data[i] {
			t.Fatalf("CTC value %d differs: %v, %v", i, a.CTC.Data[i], b.CTC.Data[i])
		}
	}
}

// layouts returns folders in the layouts of other programs, by name, made from the reference model in the shared
// folder.
func layouts(t *testing.T) map[string]string {
	t.Helper()
	reference, err := filepath.Abs("../../../shared/reference")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(reference); err != nil {
		t.Skip("no ../shared/reference beside the project: other layouts are not tried")
	}
	folders := map[string]string{}
	for name, files := range map[string]map[string]string{
		"onnx-asr": {
			"encoder-model.onnx": "model/encoder-model.onnx", "decoder_joint-model.onnx": "model/decoder_joint-model.onnx",
			"model.onnx": "model/model.onnx", "vocab.txt": "model/vocab.txt",
		},
		"sherpa-onnx": {
			"encoder.onnx": "model/encoder-model.onnx", "decoder.onnx": "sherpa/decoder.onnx",
			"joiner.onnx": "sherpa/joiner.onnx", "ctc.onnx": "model/model.onnx", "tokens.txt": "sherpa/tokens.txt",
		},
		"CTC only": {"model.onnx": "model/model.onnx", "vocab.txt": "model/vocab.txt"},
	} {
		folders[name] = t.TempDir()
		for to, from := range files {
			if err := os.Symlink(filepath.Join(reference, from), filepath.Join(folders[name], to)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return folders
}

func TestOpenReadsOtherLayouts(t *testing.T) {
	folders := layouts(t)
	want := open(t, bundle)
	for name, dir := range folders {
		got := open(t, dir)
		if got.Layout != name {
			t.Errorf("layout = %q, want %q", got.Layout, name)
		}
		compare(t, name, want, got)
	}
}

func compare(t *testing.T, name string, want, got *model.SpeechModel) {
	t.Helper()
	a, err := want.EncodeMel(t.Context(), ramp(200), 200)
	if err != nil {
		t.Fatal(err)
	}
	b, err := got.EncodeMel(t.Context(), ramp(200), 200)
	if err != nil {
		t.Fatal(err)
	}
	if want.HasCTC() {
		near(t, name+": CTC", a.CTC.Data, b.CTC.Data)
	}
	if !got.HasRNNT() {
		return
	}
	near(t, name+": joint", a.Joint.Data, b.Joint.Data)
	x, y := want.NewNetwork(), got.NewNetwork()
	near(t, name+": prediction", x.NextState(x.StartState(), 7).Pred, y.NextState(y.StartState(), 7).Pred)
}

func near(t *testing.T, what string, a, b []float32) {
	t.Helper()
	if len(a) != len(b) || len(a) == 0 {
		t.Fatalf("%s: %d and %d values", what, len(a), len(b))
	}
	for i := range a {
		if d := a[i] - b[i]; d > 1e-4 || d < -1e-4 {
			t.Fatalf("%s: value %d is %v and %v", what, i, a[i], b[i])
		}
	}
}

func TestOpenSaysWhatAFolderLacks(t *testing.T) {
	load(t)
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(bundle, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	vocab, encoder, joint := read("vocab.txt"), read("encoder-model.onnx"), read("decoder_joint-model.onnx")
	exchanged := strings.NewReplacer(" 7\n", " 8\n", " 8\n", " 7\n").Replace(string(vocab)) // lines out of order
	lines := strings.Split(string(vocab), "\n")
	piece7, piece8 := strings.TrimSuffix(lines[7], " 7"), strings.TrimSuffix(lines[8], " 8")
	lines[7], lines[8] = piece8+" 7", piece7+" 8"
	otherOrder := strings.Join(lines, "\n")
	with := func(encoder, joint []byte, vocab string) map[string][]byte {
		return map[string][]byte{"encoder-model.onnx": encoder, "decoder_joint-model.onnx": joint, "vocab.txt": []byte(vocab)}
	}
	some := []byte{1}
	for name, tc := range map[string]struct {
		files map[string][]byte
		want  string
	}{
		"nothing":       {nil, "it has no file"},
		"other files":   {map[string][]byte{"model.bin": some}, "it has model.bin; a model has encoder-model.onnx"},
		"no vocabulary": {map[string][]byte{"encoder-model.onnx": some, "ctc-head.onnx": some}, "lacks vocab.txt"},
		"no head":       {map[string][]byte{"encoder-model.onnx": some, "vocab.txt": vocab}, "no head"},
		"half a pair": {
			map[string][]byte{"encoder.onnx": some, "tokens.txt": vocab, "decoder.onnx": some, "ctc.onnx": some}, "belong together",
		},
		"no blank":     {with(encoder, joint, "a 0\nb 1\n"), "<blk>"},
		"wrong ids":    {with(encoder, joint, "a 0\nb 2\n"), "line 2"},
		"other size":   {with(encoder, joint, "a 0\nb 1\n<blk> 2\n"), "257 labels"},
		"out of order": {with(encoder, joint, exchanged), "line 8"},
		"of another model": {
			map[string][]byte{
				"encoder-model.onnx": encoder, "decoder_joint-model.onnx": joint, "vocab.txt": []byte(otherOrder),
				"tokenizer.model": read("tokenizer.model"),
			},
			"of different models",
		},
		"an empty file": {with(nil, joint, string(vocab)), "encoder-model.onnx is empty"},
		"another head": {
			map[string][]byte{
				"encoder-model.onnx": encoder, "decoder_joint-model.onnx": joint, "ctc-head.onnx": joint,
				"vocab.txt": vocab,
			},
			"ctc-head.onnx: ",
		},
		"a pointer": {
			with([]byte("version https://git-lfs.github.com/spec/v1\noid sha256:00\n"), joint, string(vocab)), "git lfs pull",
		},
		"no protobuf":   {with([]byte("hello world"), joint, string(vocab)), "not an ONNX file"},
		"cut off":       {with(encoder[:len(encoder)/2], joint, string(vocab)), "not an ONNX file"},
		"swapped":       {with(joint, encoder, string(vocab)), "audio_signal"},
		"joint swapped": {with(encoder, encoder, string(vocab)), "joint"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, b := range tc.files {
				if err := os.WriteFile(filepath.Join(dir, file), b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			f, err := model.FolderAt(dir)
			if err != nil {
				t.Fatal(err)
			}
			m, err := model.OpenModel(f, model.ModelOptions{Threads: 1})
			if err == nil {
				_ = m.Close()
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error = %v, want it to contain %q", err, tc.want)
			}
		})
	}
}

func TestDirWantsAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, want := range map[string]string{"model.nemo": "munadi model import", "encoder-model.onnx": "is a file"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := model.FolderAt(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
