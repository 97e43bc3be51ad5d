package audio_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"munadi/engine/audio"
)

// accepted are the recordings of tones in testdata: length at 16 kHz, gain, signal-to-noise ratio (dB) and expected
// format. builtin ones need no ffmpeg.
var accepted = []struct {
	file    string
	samples int
	gain    float64
	db      float64
	format  audio.SoundFormat
	foreign bool
}{
	{"u8.wav", 4000, 1, 35, foundFormat("WAV", "PCM 8 bit", 8000, 1), false},
	{"s16-stereo.wav", 4000, 0.75, 70, foundFormat("WAV", "PCM 16 bit", 8000, 2), false},
	{"s24.wav", 4000, 1, 70, foundFormat("WAV", "PCM 24 bit", 8000, 1), false},
	{"s32.wav", 4000, 1, 70, foundFormat("WAV", "PCM 32 bit", 8000, 1), false},
	{"f32.wav", 4000, 1, 70, foundFormat("WAV", "float 32 bit", 8000, 1), false},
	{"f64.wav", 4000, 1, 70, foundFormat("WAV", "float 64 bit", 8000, 1), false},
	{"alaw.wav", 4000, 1, 35, foundFormat("WAV", "A-law", 8000, 1), false},
	{"ulaw.wav", 4000, 1, 33, foundFormat("WAV", "µ-law", 8000, 1), false},
	{"extensible.wav", 4000, 1, 70, foundFormat("WAV", "PCM 24 bit", 8000, 1), false},
	{"rf64.wav", 4000, 1, 70, foundFormat("WAV", "PCM 16 bit", 8000, 1), false},
	{"sox-pipe.wav", 4000, 1, 70, foundFormat("WAV", "PCM 16 bit", 8000, 1), false},
	{"ffmpeg-pipe.wav", 4000, 1, 70, foundFormat("WAV", "PCM 16 bit", 8000, 1), false},
	{"s16.flac", 8000, 1, 75, foundFormat("FLAC", "FLAC 16 bit", 16000, 1), false},
	{"s24-stereo.flac", 8000, 0.75, 75, foundFormat("FLAC", "FLAC 24 bit", 16000, 2), false},
	{"mpeg1.mp3", 16000, 1, 25, foundFormat("MP3", "MPEG layer III", 44100, 1), false},
	{"mpeg1-stereo.mp3", 16000, 0.75, 25, foundFormat("MP3", "MPEG layer III", 44100, 2), false},
	{"mpeg2.mp3", 16000, 1, 25, foundFormat("MP3", "MPEG layer III", 22050, 1), false},
	{"mpeg25.mp3", 16000, 1, 20, foundFormat("MP3", "MPEG layer III", 8000, 1), false},
	{"notag.mp3", 17280, 1, 20, foundFormat("MP3", "MPEG layer III", 16000, 1), false},
	{"vorbis.ogg", 16000, 1, 20, foundFormat("Ogg", "Vorbis", 44100, 1), false},
	{"mono.opus", 16000, 1, 15, foundFormat("Ogg", "Opus", 48000, 1), false},
	{"stereo.opus", 16000, 0.75, 15, foundFormat("Ogg", "Opus", 48000, 2), false},
	{"surround.opus", 8000, 1, 15, foundFormat("Ogg", "Opus", 48000, 6), false},
	{"opus.webm", 16000, 1, 15, foundFormat("WebM", "Opus", 48000, 1), false},
	{"live.webm", 16000, 1, 15, foundFormat("WebM", "Opus", 48000, 1), false},
	{"chromium.webm", 17280, 1, 12, foundFormat("WebM", "Opus", 48000, 2), false},
	{"vorbis.webm", 16185, 1, 20, foundFormat("WebM", "Vorbis", 44100, 1), false},
	{"aac.m4a", 16000, 1, 14, foundFormat("MP4", "by ffmpeg", 44100, 1), true},
	{"fragmented.mp4", 16000, 1, 14, foundFormat("MP4", "by ffmpeg", 44100, 1), true},
	{"opus.mp4", 16000, 1, 14, foundFormat("MP4", "by ffmpeg", 48000, 1), true},
	{"adts.aac", 16000, 1, 14, foundFormat("AAC", "by ffmpeg", 44100, 1), true},
	{"layer2.mp2", 16000, 1, 14, foundFormat("MPEG audio layer II", "by ffmpeg", 44100, 1), true},
	{"s16.aiff", 4000, 1, 70, foundFormat("AIFF", "by ffmpeg", 8000, 1), true},
	{"adpcm.wav", 4000, 1, 20, foundFormat("WAV with ADPCM", "by ffmpeg", 8000, 1), true},
	{
		"flac.ogg", 8000, 1, 75,
		foundFormat("Ogg with a codec other than Vorbis and Opus", "by ffmpeg", 16000, 1), true,
	},
}

func foundFormat(container, codec string, rate, channels int) audio.SoundFormat {
	return audio.SoundFormat{Container: container, Codec: codec, Rate: rate, Channels: channels}
}

// slackOf returns the tolerance of a recording's length in samples: codecs in MP4, ADTS and layer II keep their delay
// of up to three frames.
func slackOf(foreign bool) int {
	if foreign {
		return 1500
	}
	return 1
}

func TestOpen(t *testing.T) {
	t.Parallel()
	for _, tt := range accepted {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			opt := plainOptions()
			if tt.foreign {
				opt.FFmpeg = needFFmpeg(t)
			}
			for name, open := range map[string]func() (*audio.SampleStream, error){
				"file": func() (*audio.SampleStream, error) {
					f, err := os.Open(filepath.Join("testdata", tt.file))
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(func() { f.Close() })
					return audio.OpenStream(context.Background(), f, opt)
				},
				"memory": func() (*audio.SampleStream, error) {
					return audio.OpenStream(context.Background(), bytes.NewReader(testdataFile(t, tt.file)), opt)
				},
			} {
				s, err := open()
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if got := s.Format(); got != tt.format {
					t.Errorf("%s: format %+v, want %+v", name, got, tt.format)
				}
				samples, err := drainBlocks(s, 4096)
				if err != nil {
					t.Fatalf("%s: %v: %v", name, err, errors.Unwrap(err))
				}
				if err := s.Close(); err != nil {
					t.Errorf("%s: close: %v", name, err)
				}
				checkTone(t, name, samples, tt.samples, slackOf(tt.foreign), tt.gain, tt.db)
			}
		})
	}
}

func checkTone(t *testing.T, name string, samples []float32, want, slack int, gain, db float64) {
	t.Helper()
	if d := len(samples) - want; d < -slack || d > slack {
		t.Errorf("%s: %d samples, want %d", name, len(samples), want)
	}
	got, lag := matchTones(samples, gain)
	if got < db {
		t.Errorf("%s: %.1f dB from the original, want %.1f (lag %d)", name, got, db, lag)
	}
	if delayed := slack > 1 || want > 16000; !delayed && (lag < -1 || lag > 1) {
		t.Errorf("%s: %d samples late", name, lag)
	}
}

func needFFmpeg(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("ffmpeg is not installed")
	}
	return path
}

// TestBitExact: recordings of 16 kHz mono with 16 bits are decoded without loss.
func TestBitExact(t *testing.T) {
	t.Parallel()
	want := toneAt(16000, 8000)
	var wav bytes.Buffer
	if err := audio.WriteWAV(&wav, want, 16000); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"wav": wav.Bytes(), "flac": testdataFile(t, "s16.flac")} {
		got, err := decodeBytes(t, b, plainOptions())
		if err != nil {
			t.Fatal(name, err)
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %d samples, want %d", name, len(got), len(want))
		}
		for i := range got {
			if rounded := float32(math.RoundToEven(float64(want[i])*32768) / 32768); got[i] != rounded {
				t.Fatalf("%s: sample %d is %v, want %v", name, i, got[i], rounded)
			}
		}
	}
}
