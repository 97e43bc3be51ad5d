package audio_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os/exec"
	"testing"

	"munadi/engine/audio"
)

// widebandSignal is two seconds of tones up to 7 kHz, noise, full scale and silence at 16 kHz.
func widebandSignal() []int16 {
	random := rand.New(rand.NewPCG(7, 22))
	pcm := make([]int16, 2*audio.Rate)
	for i := range pcm {
		t := float64(i) / audio.Rate
		switch part := i / 8000; part {
		case 0:
			pcm[i] = int16(9000*math.Sin(2*math.Pi*440*t) + 6000*math.Sin(2*math.Pi*6100*t))
		case 1:
			pcm[i] = int16(random.NormFloat64() * 4000)
		case 2:
			pcm[i] = int16(32767 * math.Copysign(1, math.Sin(2*math.Pi*150*t)))
		}
	}
	return pcm
}

// TestG722AgainstFFmpeg: encoder and decoder agree with ffmpeg's, bit for bit.
func TestG722AgainstFFmpeg(t *testing.T) {
	t.Parallel()
	pcm := widebandSignal()
	data := audio.NewG722Encoder().EncodeSamples(nil, pcm)
	if len(data) != len(pcm)/2 {
		t.Fatalf("%d bytes of %d samples", len(data), len(pcm))
	}
	theirs := ffmpegBytes(t, wordBytes(pcm), "-f", "s16le", "-ar", "16000", "-ac", "1", "-i", "-", "-c:a", "g722", "-f", "g722", "-")
	if n := countDiffering(data, theirs); n != 0 {
		t.Errorf("%d of %d coded bytes differ from ffmpeg's %d", n, len(data), len(theirs))
	}
	decoded := wordBytes(audio.NewG722Decoder().DecodeBytes(nil, data))
	theirs = ffmpegBytes(t, data, "-f", "g722", "-i", "-", "-f", "s16le", "-")
	if n := countDiffering(decoded, theirs); n != 0 {
		t.Errorf("%d of %d decoded bytes differ from ffmpeg's %d", n, len(decoded), len(theirs))
	}
}

// TestG722Sounds: the decoded signal is the encoded one with a delay of 22 samples, including the upper band.
func TestG722Sounds(t *testing.T) {
	t.Parallel()
	pcm := widebandSignal()[:16000]
	got := audio.NewG722Decoder().DecodeBytes(nil, audio.NewG722Encoder().EncodeSamples(nil, pcm))
	var signal, noise float64
	for i := 2000; i < 8000; i++ {
		d := float64(got[i+22]) - float64(pcm[i])
		signal, noise = signal+float64(pcm[i])*float64(pcm[i]), noise+d*d
	}
	if db := 10 * math.Log10(signal/noise); db < 20 {
		t.Errorf("the noise is %.1f dB below the tones of 440 and 6100 Hz, want 20", db)
	}
}

// ffmpegBytes runs ffmpeg from its standard input to its output.
func ffmpegBytes(t *testing.T, input []byte, args ...string) []byte {
	t.Helper()
	program, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("no ffmpeg")
	}
	c := exec.CommandContext(t.Context(), program, append([]string{"-v", "error"}, args...)...)
	c.Stdin = bytes.NewReader(input)
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func wordBytes(pcm []int16) []byte {
	var out []byte
	for _, v := range pcm {
		out = append(out, byte(v), byte(v>>8))
	}
	return out
}

// countDiffering counts the bytes that differ, those that are missing included.
func countDiffering(a, b []byte) int {
	n := max(len(a), len(b)) - min(len(a), len(b))
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
