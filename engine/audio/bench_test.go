package audio_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"munadi/engine/audio"
)

// BenchmarkDecode measures each built-in format; ms/s is milliseconds per second of audio, with child processes.
func BenchmarkDecode(b *testing.B) {
	var wav16, wav8, stereo bytes.Buffer
	const seconds = 60
	for buf, rate := range map[*bytes.Buffer]int{&wav16: 16000, &wav8: 8000, &stereo: 44100} {
		if err := audio.WriteWAV(buf, toneAt(rate, seconds*rate), rate); err != nil {
			b.Fatal(err)
		}
	}
	files := map[string][]byte{"wav-16k": wav16.Bytes(), "wav-8k": wav8.Bytes(), "wav-44k1": stereo.Bytes()}
	for _, name := range []string{"s16.flac", "mpeg1-stereo.mp3", "mpeg25.mp3"} {
		files[name] = testdataFile(b, name)
	}
	for _, name := range []string{"vorbis.ogg", "stereo.opus", "mono.opus"} {
		files[name] = bytes.Repeat(testdataFile(b, name), seconds)
	}
	p := make([]float32, audio.Rate)
	for name, file := range files {
		b.Run(name, func(b *testing.B) {
			samples := 0
			for range b.N {
				s, err := audio.OpenStream(context.Background(), bytes.NewReader(file), plainOptions())
				for err == nil {
					var n int
					n, err = s.Read(p)
					samples += n
				}
				if !errors.Is(err, io.EOF) || s.Close() != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/(float64(samples)/audio.Rate), "ms/s")
		})
	}
}
