package audio_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"munadi/engine/audio"
)

// TestConfinement: a decoder process cannot open, create, connect or execute, nor exceed its memory and CPU time.
func TestConfinement(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"file", "create", "socket", "program", "memory", "time"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			if how == "time" && testing.Short() {
				t.Skip("uses the CPU time of a decoder's limit")
			}
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute) // the limit counts processor time
			defer cancel()
			out, err := exec.CommandContext(ctx, "/proc/self/exe", "confined", how).CombinedOutput()
			if err == nil {
				t.Fatal("that worked")
			}
			if ctx.Err() != nil {
				t.Fatal("nothing stopped it")
			}
			t.Logf("%v: %.200s", err, out)
		})
	}
}

// TestCancelKillsChild: within 250 ms after cancellation the child is killed and reaped, whatever its state.
func TestCancelKillsChild(t *testing.T) {
	endless := func() io.ReadSeeker { return bytes.NewReader(bytes.Repeat(testdataFile(t, "mono.opus"), 2000)) }
	for name, tt := range map[string]struct {
		helper []string
		read   bool
	}{
		"hanging": {[]string{"/proc/self/exe", "hang"}, false},
		"writing": {nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			slots := make(chan struct{}, 1)
			opt := audio.DecodeOptions{FFmpeg: "none", Helper: tt.helper, AcquireSlot: takeOf(slots)}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			opened := make(chan error, 1)
			go func() {
				s, err := audio.OpenStream(ctx, endless(), opt)
				if err == nil && tt.read {
					_, err = s.Read(make([]float32, 100))
				}
				opened <- err
			}()
			if tt.read {
				if err := <-opened; err != nil {
					t.Fatal(err)
				}
			} else {
				waitFor(t, func() bool { return len(slots) == 1 })
			}
			cancel()
			waitFor(t, func() bool { return len(slots) == 0 })
			if !tt.read {
				if err := <-opened; !errors.Is(err, context.Canceled) {
					t.Errorf("open gives %v", err)
				}
			}
		})
	}
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for range 120_000 {
		if done() {
			return
		}
		<-tick.C
	}
	t.Fatal("it never happened")
}

// TestChildMishaps: a child that dies, writes garbage or does not start is an error, never a hang.
func TestChildMishaps(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		helper []string
		public bool
	}{
		"dies":    {[]string{"/proc/self/exe", "die"}, true},
		"babbles": {[]string{"/proc/self/exe", "babble"}, true},
		"missing": {[]string{"/nonexistent"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := decodeBytes(t, testdataFile(t, "mono.opus"), audio.DecodeOptions{FFmpeg: "none", Helper: tt.helper})
			var e *audio.DecodeError
			if err == nil || errors.As(err, &e) != tt.public {
				t.Fatalf("got %v", err)
			}
			if tt.public && strings.Contains(e.Message, "exit status") {
				t.Errorf("message tells too much: %s", e.Message)
			}
		})
	}
}

// TestChildHasNoChildren: a program without the subcommand cannot start itself endlessly.
func TestChildHasNoChildren(t *testing.T) {
	t.Setenv(audio.HelperMark, "1")
	if _, err := decodeBytes(t, testdataFile(t, "mono.opus"), plainOptions()); err == nil {
		t.Error("a child of a child was started")
	}
}

// takeOf returns an AcquireSlot that waits for capacity in slots.
func takeOf(slots chan struct{}) func(context.Context) (func(), error) {
	return func(ctx context.Context) (func(), error) {
		select {
		case slots <- struct{}{}:
			return func() { <-slots }, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// TestSlots: there are no more children than slots; waiting ends with the context.
func TestSlots(t *testing.T) {
	t.Parallel()
	opt := plainOptions()
	slots := make(chan struct{}, 1)
	opt.AcquireSlot = takeOf(slots)
	first, err := audio.OpenStream(context.Background(), bytes.NewReader(testdataFile(t, "mono.opus")), opt)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	slots <- struct{}{} // freed by the first child's end, taken again
	_, err = audio.OpenStream(ctx, bytes.NewReader(testdataFile(t, "mono.opus")), opt)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("open without a slot gives %v", err)
	}
	<-slots
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if _, err := decodeBytes(t, testdataFile(t, "mono.opus"), opt); err != nil {
		t.Errorf("the slot was not given back: %v", err)
	}
}

// TestNothingLeftBehind: no child, no file and no spooled copy outlives its stream.
func TestNothingLeftBehind(t *testing.T) {
	if testing.Short() {
		t.Skip("starts FFmpeg and helpers twelve times")
	}
	ffmpeg := needFFmpeg(t)
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	round := func() {
		for _, file := range []string{"mono.opus", "aac.m4a"} {
			s, err := audio.OpenStream(context.Background(), bytes.NewReader(testdataFile(t, file)), audio.DecodeOptions{FFmpeg: ffmpeg})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	round()
	before := count()
	for range 5 {
		round()
	}
	if after := count(); after > before {
		t.Errorf("%d open files became %d", before, after)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%d files left in the temporary folder", len(left))
	}
}

// TestFFmpegReadsNoOtherFiles: a playlist that names a file is not followed.
func TestFFmpegReadsNoOtherFiles(t *testing.T) {
	t.Parallel()
	ffmpeg := needFFmpeg(t)
	wav, err := os.CreateTemp(t.TempDir(), "*.wav")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(audio.WriteWAV(wav, toneAt(16000, 16000), 16000), wav.Close()); err != nil {
		t.Fatal(err)
	}
	for name, list := range map[string]string{
		"hls":    "#EXTM3U\n#\x01\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://" + wav.Name() + "\n",
		"concat": "ffconcat version 1.0\n#\x01\nfile '" + wav.Name() + "'\n",
	} {
		_, err := decodeBytes(t, []byte(list), audio.DecodeOptions{FFmpeg: ffmpeg})
		if e := wantError(t, err, audio.CodeDecode); !strings.Contains(e.Message, "no kind of audio") {
			t.Errorf("%s: %s", name, e.Message)
		}
	}
}
