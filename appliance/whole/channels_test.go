package whole_test

import (
	"bytes"
	le "encoding/binary"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munadi/engine/audio"
)

// stereoWAV encodes two channels as WAV with a format tag and sample width; samples are multiplied by scale.
func stereoWAV(left, right []float32, tag uint16, scale float64) []byte {
	n := max(len(left), len(right))
	le := le.LittleEndian
	at := func(s []float32, i int) float64 {
		if i < len(s) {
			return float64(s[i]) * scale
		}
		return 0
	}
	width := 2
	if tag == 3 {
		width = 4
	}
	b := append([]byte("RIFF"), 0, 0, 0, 0)
	b = append(b, "WAVEfmt "...)
	b = le.AppendUint32(b, 16)
	b = le.AppendUint16(b, tag)
	b = le.AppendUint16(b, 2)
	b = le.AppendUint32(b, audio.Rate)
	b = le.AppendUint32(b, uint32(audio.Rate*2*width))
	b = le.AppendUint16(b, uint16(2*width))
	b = le.AppendUint16(b, uint16(8*width))
	b = append(b, "data"...)
	b = le.AppendUint32(b, uint32(n*2*width))
	for i := range n {
		for _, v := range []float64{at(left, i), at(right, i)} {
			if tag == 3 {
				b = le.AppendUint32(b, math.Float32bits(float32(v)))
			} else {
				b = le.AppendUint16(b, uint16(int16(max(-32768, min(32767, v)))))
			}
		}
	}
	return b
}

// twoSpeakers returns a conversation with one speaker in each channel: left at 0 s and 12 s, right at 6 s.
func twoSpeakers(t testing.TB) (left, right []float32) {
	t.Helper()
	confirm, time := recordingSamples(t, demoSample(t, "confirm.flac")), recordingSamples(t, demoSample(t, "time.flac"))
	pause := func(s []float32, seconds float64) []float32 {
		return append(s, silentSeconds(seconds-float64(len(s))/audio.Rate)...)
	}
	left = append(pause(float32Bytes(confirm), 12), confirm...)
	return left, append(silentSeconds(6), time...)
}

// float32Bytes copies samples.
func float32Bytes(s []float32) []float32 { return append([]float32{}, s...) }

// TestChannels checks that a call's recording is transcribed by speaker over REST, as a stream, as a job and offline.
func TestChannels(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	left, right := twoSpeakers(t)
	recording := stereoWAV(left, right, 1, 32767)
	ask := func(channels, format string) map[string]any {
		return a.postForm(t, transcriptions, withFile(recording), withField("channels", channels), withField("response_format", format)).
			wantStatus(t, 200).jsonBody(t)
	}
	for channels, want := range map[string]string{
		"left": confirmText + " " + confirmText, "right": timeText, "separate": confirmText + " " + timeText + " " + confirmText,
	} {
		if got := ask(channels, "json")["text"]; got != want {
			t.Errorf("%s: %q, want %q", channels, got, want)
		}
	}
	body := ask("separate", "verbose_json")
	var order []string
	for _, s := range objectList(t, body, "segments") {
		order = append(order, string(rune('0'+int(s["channel"].(float64)))))
	}
	if strings.Join(order, "") != "010" {
		t.Errorf("channels of the segments: %v", order)
	}
	id := a.enqueueJob(t, withFile(recording), withField("channels", "separate"), withField("response_format", "verbose_json"))
	if got := a.awaitJobResult(t, id); got["text"] != body["text"] {
		t.Errorf("the job heard %v", got["text"])
	}
	srt := a.getPath(t, jobs+"/"+id+"/result?format=srt").wantStatus(t, 200)
	if !strings.HasPrefix(srt.String(), "1\n00:00:0") || strings.Count(srt.String(), " --> ") != 3 {
		t.Errorf("srt: %s", srt)
	}
	path := filepath.Join(t.TempDir(), "call.wav")
	mustSucceed(t, os.WriteFile(path, recording, 0o600))
	got := runMunadi(t, nil, "transcribe", "--cache", cacheDir(), "--channels", "separate", path)
	if strings.TrimSpace(got.stdout) != body["text"] {
		t.Errorf("offline: %+v", got)
	}
}

// TestEchoOfTheOtherChannel checks that what the line sends back of one side, 20 dB quieter and 0.1 s later, is not
// transcribed as words of the other.
func TestEchoOfTheOtherChannel(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	left, right := twoSpeakers(t)
	left = append(left, silentSeconds(8)...)
	right = append(append(right, silentSeconds(9)...), right[6*audio.Rate:]...)
	for i := audio.Rate / 10; i < min(len(left), len(right)); i++ {
		left[i] += right[i-audio.Rate/10] / 10
	}
	recording := stereoWAV(left, right, 1, 32767)
	for channels, want := range map[string]string{
		"left": confirmText + " " + confirmText, "separate": strings.Join([]string{confirmText, timeText, confirmText, timeText}, " "),
	} {
		got := a.postForm(t, transcriptions, withFile(recording), withField("channels", channels)).wantStatus(t, 200).jsonBody(t)
		if got["text"] != want {
			t.Errorf("%s: %q, want %q", channels, got["text"], want)
		}
	}
}

// TestOddRecordings checks that a WAV header that is 44 bytes too long, float samples with integer values, and
// concatenated MP3 files are transcribed whole.
func TestOddRecordings(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	heard := func(recording []byte) any {
		return a.postForm(t, transcriptions, withFile(recording)).wantStatus(t, 200).jsonBody(t)["text"]
	}
	sound := recordingSamples(t, demoSample(t, "confirm.flac"))
	promising := encodeWAV(t, sound)
	le.LittleEndian.PutUint32(promising[40:], le.LittleEndian.Uint32(promising[40:])+44)
	if got := heard(promising); got != confirmText {
		t.Errorf("44 bytes promised too many: %q", got)
	}
	if got := heard(stereoWAV(sound, sound, 3, 32768)); got != confirmText {
		t.Errorf("floats with the values of integers: %q", got)
	}
	first, second := convertWithFFmpeg(t, demoSample(t, "confirm.flac"), "mp3"), convertWithFFmpeg(t, demoSample(t, "time.flac"), "mp3", "-ar", "44100")
	if got := heard(bytes.Join([][]byte{first, second}, nil)); got != confirmText+" "+timeText {
		t.Errorf("joined MP3s: %q", got)
	}
	le.LittleEndian.PutUint32(promising[40:], le.LittleEndian.Uint32(promising[40:])+2*audio.Rate/9)
	a.postForm(t, transcriptions, withFile(promising)).wantStatus(t, 422)
}

// TestHead checks that HEAD answers like GET, without a body.
func TestHead(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	for _, path := range []string{
		"/", "/health", "/livez", "/readyz", "/openapi.json", "/docs", "/metrics", "/compat/v1/models", "/compat/v1/models/svc-stt",
		jobs, jobs + "/none", "/api/v1/health", "/api/v1/calls", "/console/sign-in", "/nowhere",
	} {
		want := a.getPath(t, path)
		r := newRequest(nil).newHTTPRequest(t, http.MethodHead, a.URL+path)
		got := sendRequest(t, r)
		if got.Status != want.Status || len(got.Body) > 0 || got.Header.Get("Content-Type") != want.Header.Get("Content-Type") {
			t.Errorf("%s: HEAD %d %s, GET %d %s", path, got.Status, got.Header.Get("Content-Type"),
				want.Status, want.Header.Get("Content-Type"))
		}
	}
}
