package whole_test

import (
	"bytes"
	le "encoding/binary"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// sparseSpeech is audio of any length that takes little memory: one sentence at the beginning of each minute, then
// silence.
type sparseSpeech struct {
	sentence []byte // 16 bit PCM
	minutes  int

	at int // bytes read so far
}

const minute = 60 * 16000 * 2 // bytes

func newSeldom(t testing.TB, minutes int) *sparseSpeech {
	t.Helper()
	recording := encodeWAV(t, recordingSamples(t, demoSample(t, "time.flac")))
	return &sparseSpeech{sentence: recording[44:], minutes: minutes}
}

func (s *sparseSpeech) byteSize() int { return s.minutes * minute }

func (s *sparseSpeech) Read(p []byte) (int, error) {
	if s.at == s.byteSize() {
		return 0, io.EOF
	}
	within := s.at % minute
	n := min(len(p), minute-within)
	if within < len(s.sentence) {
		n = copy(p[:n], s.sentence[within:])
	} else {
		clear(p[:n])
	}
	s.at += n
	return n, nil
}

// wavFile returns the audio as a stream with a WAV header.
func (s *sparseSpeech) wavFile() io.Reader {
	var head bytes.Buffer
	size := uint32(s.byteSize())
	for _, v := range []any{
		[]byte("RIFF"), 36 + size, []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1), uint32(16000), uint32(32000),
		uint16(2), uint16(16), []byte("data"), size,
	} {
		_ = le.Write(&head, le.LittleEndian, v) // a bytes.Buffer has no write errors
	}
	return io.MultiReader(&head, s)
}

// flacFile returns the audio as FLAC, in a temporary file.
func (s *sparseSpeech) flacFile(t testing.TB) io.Reader {
	t.Helper()
	out := filepath.Join(t.TempDir(), "seldom.flac")
	program, err := exec.LookPath("ffmpeg")
	if err != nil {
		skipOrFail(t, "no ffmpeg on this machine, which writes the FLAC")
	}
	cmd := exec.Command(program, "-hide_banner", "-loglevel", "error", "-f", "s16le", "-ar", "16000", "-ac", "1", "-i", "pipe:0", out)
	cmd.Stdin = s
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg: %v\n%s", err, said)
	}
	f, err := os.Open(out)
	mustSucceed(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// uploadJob creates a job with a streamed upload.
func (a *testInstance) uploadJob(t testing.TB, recording io.Reader) string {
	t.Helper()
	body, out := io.Pipe()
	form := multipart.NewWriter(out)
	go func() {
		part, err := form.CreateFormFile("file", "long")
		if err == nil {
			_, err = io.Copy(part, recording)
		}
		if err == nil {
			err = form.Close()
		}
		_ = out.CloseWithError(err)
	}()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.URL+jobs, body)
	mustSucceed(t, err)
	r.Header.Set("Authorization", "Bearer "+bootstrapKey)
	r.Header.Set("Content-Type", form.FormDataContentType())
	id, _ := sendRequest(t, r).wantStatus(t, http.StatusAccepted).jsonBody(t)["id"].(string)
	return id
}

// peakMiB returns the peak resident memory of the process in MiB.
func (a *testInstance) peakMiB(t testing.TB) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", a.process.PID()))
	if err != nil {
		t.Skip("no /proc on this system, which tells a process's memory")
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			mustSucceed(t, err)
			return kb >> 10
		}
	}
	t.Fatal("no VmHWM")
	return 0
}

// TestHoursInFlatMemory checks that a recording of four hours (twenty minutes in the short form) takes no more memory
// than one of a minute, and that every sentence in it is recognized.
func TestHoursInFlatMemory(t *testing.T) {
	t.Parallel()
	minutes := 20
	if runsLongForms() {
		minutes = 4 * 60
	}
	a := startInstance(t, instanceSettings{})
	for _, warm := range []string{"order.flac", "appointment.flac"} {
		a.awaitJobResult(t, a.enqueueJob(t, withFile(demoSample(t, warm))))
	}
	idle := a.peakMiB(t)
	for name, recording := range map[string]io.Reader{
		"WAV": newSeldom(t, minutes).wavFile(), "FLAC": newSeldom(t, minutes).flacFile(t),
	} {
		began := time.Now()
		result := a.awaitJobResult(t, a.uploadJob(t, recording))
		text, _ := result["text"].(string)
		if n := strings.Count(text, timeText); n != minutes {
			t.Errorf("%s: a sentence that was said %d times was heard %d times: %.500s", name, minutes, n, text)
		}
		usage, _ := result["usage"].(map[string]any)
		if finiteNumber(t, usage, "seconds") != float64(60*minutes) {
			t.Errorf("%s: usage %v", name, usage)
		}
		grown := a.peakMiB(t) - idle
		t.Logf("%s of %d minutes: %v, %d MiB at the peak, %d over idle", name, minutes, time.Since(began), a.peakMiB(t), grown)
		if grown > 150 {
			t.Errorf("%s: %d MiB over idle", name, grown)
		}
	}
}
