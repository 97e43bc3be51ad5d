package demo_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"munadi/appliance/demo/browsertest"
)

const rate = 16000

// toneSweeps is a sound in which no two moments are alike: 2.5 s of rising tones with gaps.
func toneSweeps() []float64 {
	out := make([]float64, 5*rate/2)
	for i := range out {
		at := float64(i) / rate
		if math.Mod(at, 0.5) > 0.4 {
			continue
		}
		out[i] = 0.5 * math.Sin(2*math.Pi*(300+250*at)*at)
	}
	return out
}

func wavFile(t *testing.T, samples []float64) string {
	t.Helper()
	var b bytes.Buffer
	header := []any{
		[]byte("RIFF"), uint32(36 + 2*len(samples)), []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1),
		uint32(rate), uint32(2 * rate), uint16(2), uint16(16), []byte("data"), uint32(2 * len(samples)),
	}
	for _, field := range header {
		_ = binary.Write(&b, binary.LittleEndian, field)
	}
	for _, x := range samples {
		_ = binary.Write(&b, binary.LittleEndian, int16(x*32767))
	}
	path := filepath.Join(t.TempDir(), "said.wav")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// bestCorrelation returns the best normalized cross-correlation of want with a section of heard, over all shifts.
func bestCorrelation(want, heard []float64) float64 {
	best := 0.0
	for shift := 0; shift+len(want) <= len(heard); shift++ {
		var xy, xx, yy float64
		for i, x := range want {
			y := heard[shift+i]
			xy, xx, yy = xy+x*y, xx+x*x, yy+y*y
		}
		best = max(best, xy/math.Sqrt(xx*yy+1e-12))
	}
	return best
}

// TestMicrophoneRecordsWhatWasSaid checks that a recording in the browser is sent unchanged. The fake microphone drops
// audio while the browser is starved of processor time, so that three recordings are tried.
func TestMicrophoneRecordsWhatWasSaid(t *testing.T) {
	said := toneSweeps()
	var correlation float64
	for try := 0; try < 3 && correlation < 0.9; try++ {
		heard := recordBySpeaking(t, said)
		if seconds := float64(len(heard)) / rate; seconds < 2.9 || seconds > 8 {
			t.Errorf("%.2f s were sent after 3 s of recording", seconds)
		}
		// The first moments are lost while the fake device starts.
		correlation = bestCorrelation(said[rate/2:rate*3/2], heard)
		t.Logf("correlation %.3f", correlation)
	}
	if correlation < 0.9 {
		t.Errorf("what was sent is not what was said: correlation %.3f", correlation)
	}
}

// recordBySpeaking presses the button for three seconds while the fake microphone plays said, and returns the sent
// samples.
func recordBySpeaking(t *testing.T, said []float64) []float64 {
	t.Helper()
	b := newBackend(t)
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{Microphone: wavFile(t, said)}).OpenPage(t, b.URL, browsertest.PageView{})
	giveKey(p, goodKey)
	p.ClickElement("#record")
	p.WaitText("#record-label", "أوقف التسجيل")
	p.WaitFor(`document.querySelector("#record").style.getPropertyValue("--level") > 0.3`)
	p.WaitText("#timer", "0:02")
	if dir := os.Getenv("MUNADI_SCREENSHOTS"); dir != "" {
		p.SaveFullPage(filepath.Join(dir, "0-recording.png"))
	}
	p.WaitText("#timer", "0:03")
	p.ClickElement("#record")
	p.WaitVisible("#player")
	return samplesOf(t, b.receivedUploads()[0].body)
}

// samplesOf parses a WAV file of 16 kHz, mono, 16 bits.
func samplesOf(t *testing.T, sent []byte) []float64 {
	t.Helper()
	var head struct {
		_                    [20]byte
		Format, Channels     uint16
		Rate, BytesPerSecond uint32
		Align, Bits          uint16
		_                    [4]byte
		DataBytes            uint32
	}
	if err := binary.Read(bytes.NewReader(sent), binary.LittleEndian, &head); err != nil {
		t.Fatal(err)
	}
	pcm := head.Format == 1 && head.Channels == 1 && head.Rate == rate && head.Bits == 16
	if !pcm || int(head.DataBytes) != len(sent)-44 {
		t.Fatalf("not 16 kHz mono PCM: %+v in %d bytes", head, len(sent))
	}
	heard := make([]float64, head.DataBytes/2)
	for i := range heard {
		heard[i] = float64(int16(binary.LittleEndian.Uint16(sent[44+2*i:]))) / 32768
	}
	return heard
}

func TestMicrophoneRefused(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	p := browsertest.StartBrowser(t, browsertest.BrowserOptions{DenyMicrophone: true}).OpenPage(t, b.URL+"/?lang=en", browsertest.PageView{})
	giveKey(p, goodKey)
	p.ClickElement("#record")
	p.WaitText("#notice-title", "not allowed to use the microphone")
	p.WaitText("#record-label", "Press and speak")
}

func TestMicrophoneNeedsASecureAddress(t *testing.T) {
	t.Parallel()
	b := newBackend(t)
	browser := browsertest.StartBrowser(t, browsertest.BrowserOptions{Hosts: []string{"munadi.test"}})
	p := browser.OpenPage(t, b.addressUnder(t, "munadi.test")+"/?lang=en", browsertest.PageView{})
	p.ExpectText("Cross-Origin-Opener-Policy")
	giveKey(p, goodKey)
	p.ClickElement("#record")
	p.WaitText("#notice-title", "needs a secure address")
	p.WaitText("#notice-do", "localhost")
	p.UploadFiles("#file", clipFile(t))
	p.WaitVisible("#player")
}
