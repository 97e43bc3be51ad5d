package engine

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"munadi/engine/audio"
	"munadi/engine/checksum"
)

// memoryClip is a source of samples in memory.
type memoryClip struct {
	samples []float32
	read    func(n int) // called before each read with what was given so far
	given   int
}

func (c *memoryClip) Read(p []float32) (int, error) {
	if c.read != nil {
		c.read(c.given)
	}
	if len(c.samples) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.samples)
	c.samples = c.samples[n:]
	c.given += n
	return n, nil
}

func TestReaderEndsAfterTheLastSample(t *testing.T) {
	t.Parallel()
	r, p := NewSampleReader([]float32{1, 2, 3}), make([]float32, 2)
	for _, want := range []int{2, 1} {
		if n, err := r.Read(p); n != want || err != nil {
			t.Fatalf("Read = %d, %v, want %d", n, err, want)
		}
	}
	if n, err := r.Read(p); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("Read at the end = %d, %v, want EOF", n, err)
	}
}

func loadClip(t testing.TB, path string) []float32 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	samples, err := audio.DecodeAll(t.Context(), f, audio.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return samples
}

// conversationClip returns n of the golden files with pauses between them.
func conversationClip(t testing.TB, n int) []float32 {
	t.Helper()
	var out []float32
	for i := range n {
		out = append(out, make([]float32, sampleRate)...)
		out = append(out, loadClip(t, filepath.Join("testdata/golden", []string{"g00.wav", "g16.wav", "g28.wav"}[i%3]))...)
	}
	return append(out, make([]float32, sampleRate)...)
}

func TestTranscribeGivesSegmentsInOrder(t *testing.T) {
	e := openTest(t)
	var given []Segment
	samples := conversationClip(t, 9)
	res, err := e.Transcribe(t.Context(), &memoryClip{samples: samples}, TranscribeOptions{
		OnSegment: func(s Segment) error { given = append(given, s); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(given) != len(res.Segments) || len(given) < 8 {
		t.Fatalf("%d segments given, %d in the result, want the same and 8 at least", len(given), len(res.Segments))
	}
	var texts []string
	last := 0.0
	for i, s := range given {
		if s.ID != i || s.Start < last || s.End <= s.Start || s.End > res.Duration {
			t.Errorf("segment %d: id %d, %.2f–%.2f after %.2f", i, s.ID, s.Start, s.End, last)
		}
		if len(s.Words) == 0 || joinWords(s.Words) != s.Text {
			t.Errorf("segment %d: words %v, text %q", i, s.Words, s.Text)
		}
		for _, w := range s.Words {
			if w.Start < s.Start || w.End > s.End || w.End <= w.Start || w.Confidence <= 0 || w.Confidence > 1 {
				t.Errorf("segment %d (%.2f–%.2f): word %+v", i, s.Start, s.End, w)
			}
		}
		last = s.End
		texts = append(texts, s.Text)
	}
	if want := strings.Join(texts, " "); res.Text != want {
		t.Errorf("text = %q, want %q", res.Text, want)
	}
	if want := float64(len(samples)) / sampleRate; math.Abs(res.Duration-want) > 0.001 {
		t.Errorf("duration = %v, want %v", res.Duration, want)
	}
	if !strings.Contains(res.Text, "حجم كبير") {
		t.Errorf("text = %q, want حجم كبير in it", res.Text)
	}
}

// A segment is delivered before the source has been read to its end.
func TestTranscribeStreams(t *testing.T) {
	e := openTest(t)
	samples := conversationClip(t, 40)
	var given atomic.Int64
	src := &memoryClip{samples: samples, read: func(n int) { given.Store(int64(n)) }}
	first := -1
	_, err := e.Transcribe(t.Context(), src, TranscribeOptions{OnSegment: func(Segment) error {
		if first < 0 {
			first = int(given.Load())
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if first < 0 || first > len(samples)/2 {
		t.Errorf("first segment after %d of %d samples", first, len(samples))
	}
}

func TestTranscribeEndsWithItsContext(t *testing.T) {
	e := openTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	var cancelled time.Time
	src := &memoryClip{samples: conversationClip(t, 60)}
	_, err := e.Transcribe(ctx, src, TranscribeOptions{OnSegment: func(Segment) error {
		if cancelled.IsZero() {
			cancelled = time.Now()
			cancel()
		}
		return nil
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error = %v, want context.Canceled", err)
	}
	if took := time.Since(cancelled); took > 2*time.Second {
		t.Errorf("work went on for %v", took)
	}
	if requests, waiting := e.QueueLoad(); requests != 0 || waiting != 0 {
		t.Errorf("left behind: %d requests, %d pieces", requests, waiting)
	}
}

func TestTranscribePassesOnTheCallersErrors(t *testing.T) {
	e := openTest(t)
	broken := errors.New("broken")
	if _, err := e.Transcribe(t.Context(), &failingSource{broken}, TranscribeOptions{}); !errors.Is(err, broken) {
		t.Errorf("source: error = %v", err)
	}
	_, err := e.Transcribe(t.Context(), &memoryClip{samples: conversationClip(t, 3)}, TranscribeOptions{OnSegment: func(Segment) error { return broken }})
	if !errors.Is(err, broken) {
		t.Errorf("OnSegment: error = %v", err)
	}
	if _, err := e.Transcribe(t.Context(), &memoryClip{}, TranscribeOptions{Mode: "best"}); err == nil || !strings.Contains(err.Error(), "best") {
		t.Errorf("mode: error = %v", err)
	}
}

type failingSource struct{ err error }

func (f *failingSource) Read([]float32) (int, error) { return 0, f.err }

func TestModesAndPhrases(t *testing.T) {
	e := openTest(t)
	samples := loadClip(t, "testdata/golden/g00.wav")
	for _, mode := range []DecodeMode{Hybrid, RNNT, CTC} {
		res, err := e.Transcribe(t.Context(), &memoryClip{samples: samples}, TranscribeOptions{Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
		if res.Text != "حجم كبير" {
			t.Errorf("%s: %q, want حجم كبير", mode, res.Text)
		}
	}
	whole, err := e.Transcribe(t.Context(), &memoryClip{samples: samples}, TranscribeOptions{NoVAD: true})
	if err != nil {
		t.Fatal(err)
	}
	if whole.Text != "حجم كبير" || len(whole.Segments) != 1 || whole.Segments[0].Start != 0 {
		t.Errorf("without VAD: %+v", whole)
	}
}

// TestDamagedFolderIsRefused damages a model's folder whose checksums were recorded: the damage is the error, whether
// the model loads or not.
func TestDamagedFolderIsRefused(t *testing.T) {
	for _, file := range []string{"notes.txt", "vocab.txt", "encoder-model.onnx"} {
		dir := t.TempDir()
		if err := errors.Join(os.CopyFS(dir, os.DirFS(bundle)), os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600),
			checksum.RecordFolder(dir, "recorded today")); err != nil {
			t.Fatal(err)
		}
		if file == "notes.txt" {
			e, err := OpenDir(dir, testConfig(t))
			if err != nil {
				t.Fatal(err)
			}
			if got := e.ModelInfo().Checksums; got != "recorded today" {
				t.Errorf("checksums = %q", got)
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte("other"), 0o600); err != nil {
			t.Fatal(err)
		}
		var damaged *checksum.DamagedError
		if _, err := OpenDir(dir, testConfig(t)); !errors.As(err, &damaged) || damaged.File != file {
			t.Errorf("%s: error = %v", file, err)
		}
	}
}

func TestClosedEngineRefuses(t *testing.T) {
	e, err := OpenDir(bundle, testConfig(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Transcribe(t.Context(), &memoryClip{}, TranscribeOptions{}); !errors.Is(err, ErrClosed) {
		t.Errorf("error = %v, want ErrClosed", err)
	}
}

// TestClosingEngineRefuses: while Close waits for a long request, other requests get ErrClosed at once.
func TestClosingEngineRefuses(t *testing.T) {
	e, err := OpenDir(bundle, testConfig(t))
	if err != nil {
		t.Fatal(err)
	}
	long := &endlessSource{asked: make(chan struct{}, 1), over: make(chan struct{})}
	ended := make(chan error, 2)
	go func() {
		_, err := e.Transcribe(t.Context(), long, TranscribeOptions{})
		ended <- err
	}()
	<-long.asked
	go func() { ended <- e.Close() }()
	for {
		_, err := e.Transcribe(t.Context(), &memoryClip{}, TranscribeOptions{})
		if errors.Is(err, ErrClosed) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		runtime.Gosched() // until Close has begun
	}
	select {
	case err := <-ended:
		t.Errorf("the request, or Close, ended before its time: %v", err)
	default:
	}
	close(long.over)
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// endlessSource is audio that blocks until over is closed.
type endlessSource struct{ asked, over chan struct{} }

func (e *endlessSource) Read([]float32) (int, error) {
	select {
	case e.asked <- struct{}{}:
	default:
	}
	<-e.over
	return 0, io.EOF
}

// A model that is not a folder on disk is unpacked once, and again if its files are damaged.
func TestOpenUnpacks(t *testing.T) {
	cfg := testConfig(t)
	cfg.CacheDir = t.TempDir()
	for range 2 {
		e, err := Open(os.DirFS(bundle), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Close(); err == nil {
			found, _ := filepath.Glob(filepath.Join(cfg.CacheDir, "model-*", "encoder-model.onnx"))
			if len(found) != 1 {
				t.Fatalf("unpacked %v, want one encoder", found)
			}
			if err := os.Truncate(found[0], 100); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A panic in a part of a request is an error of this request alone, on any goroutine.
func TestPanicIsAnError(t *testing.T) {
	e := openTest(t)
	samples := loadClip(t, "testdata/golden/g00.wav")
	bad := func() { panic("out of bounds") }
	for name, hear := range map[string]func() error{
		"decoding": func() error {
			r := &engineRequest{engine: &Engine{}} // without a queue
			return recoverPanic(func() error { _, err := r.decodeChunk(t.Context(), speechChunk{}, decodePlan{}); return err })
		},
		"the source": func() error {
			_, err := e.Transcribe(t.Context(), &memoryClip{samples: samples, read: func(int) { bad() }}, TranscribeOptions{})
			return err
		},
		"the listener": func() error {
			o := TranscribeOptions{OnSegment: func(Segment) error { bad(); return nil }}
			_, err := e.Transcribe(t.Context(), &memoryClip{samples: samples}, o)
			return err
		},
		"progress": func() error {
			o := TranscribeOptions{OnProgress: func(float64, float64) { bad() }}
			_, err := e.Transcribe(t.Context(), &memoryClip{samples: samples}, o)
			return err
		},
	} {
		if err := hear(); err == nil || !strings.Contains(err.Error(), "panic") || !strings.Contains(err.Error(), ".go:") {
			t.Errorf("%s: %v, want the breakdown and where it was", name, err)
		}
	}
	if res, err := e.Transcribe(t.Context(), &memoryClip{samples: samples}, TranscribeOptions{}); err != nil || res.Text == "" {
		t.Errorf("afterwards: %+v, %v", res, err)
	}
}

// Speech is detected ahead of decoding: while the first text is held up, later chunks are read, but not the whole
// recording.
func TestTranscribeCutsAhead(t *testing.T) {
	e := openTest(t)
	samples := conversationClip(t, 60)
	var given atomic.Int64
	enough := make(chan struct{})
	src := &memoryClip{samples: samples, read: func(n int) {
		if given.Store(int64(n)); n >= 2*firstBlock {
			select {
			case <-enough:
			default:
				close(enough)
			}
		}
	}}
	held := false
	_, err := e.Transcribe(t.Context(), src, TranscribeOptions{OnSegment: func(Segment) error {
		if held {
			return nil
		}
		held = true
		select {
		case <-enough:
		case <-t.Context().Done():
		}
		if n := int(given.Load()); n > len(samples)/2 {
			t.Errorf("%d of %d samples were read before the first text was taken", n, len(samples))
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
}
