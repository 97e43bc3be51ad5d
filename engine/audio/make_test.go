package audio_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"munadi/engine/audio"
)

// TestMakeData regenerates the recordings in testdata with sox, ffmpeg, lame, oggenc and opusenc. It only runs when
// MUNADI_MAKE_TESTDATA is set.
func TestMakeData(t *testing.T) {
	if os.Getenv("MUNADI_MAKE_TESTDATA") == "" {
		t.Skip("MUNADI_MAKE_TESTDATA is not set")
	}
	dir := t.TempDir()
	for name, rate := range map[string]int{"48": 48000, "44": 44100, "16": 16000, "8": 8000} {
		f, err := os.Create(filepath.Join(dir, name+".wav"))
		if err != nil {
			t.Fatal(err)
		}
		if err := audio.WriteWAV(f, toneAt(rate, rate), rate); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	out, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-exc", makeScript)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "OUT="+out)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// makeScript: 1 s of tone each; "short" ones are 0.25 s. In stereo the right channel is half as loud as the left.
const makeScript = `
ff() { ffmpeg -v error -nostdin -y "$@"; }
sox 8.wav short.wav trim 0 0.25
sox short.wav -b 8 -e unsigned $OUT/u8.wav
sox short.wav -b 24 $OUT/s24.wav
sox short.wav -b 32 $OUT/s32.wav
sox short.wav -b 32 -e float $OUT/f32.wav
sox short.wav -b 64 -e float $OUT/f64.wav
sox short.wav -e a-law $OUT/alaw.wav
sox short.wav -e u-law $OUT/ulaw.wav
sox short.wav $OUT/s16-stereo.wav remix 1 1v0.5
ff -i short.wav -c:a pcm_s16le -rf64 always $OUT/rf64.wav
sox short.wav -t wav - > $OUT/sox-pipe.wav
ff -i short.wav -f wav - > $OUT/ffmpeg-pipe.wav
ff -i short.wav -c:a pcm_s24le -channel_layout mono $OUT/extensible.wav
ff -i short.wav -c:a adpcm_ima_wav $OUT/adpcm.wav
sox 16.wav mid.wav trim 0 0.5
ff -i mid.wav $OUT/s16.flac
sox mid.wav -b 24 $OUT/s24-stereo.flac remix 1 1v0.5
lame --quiet -b 96 44.wav $OUT/mpeg1.mp3 --tt tone
sox 44.wav stereo.wav remix 1 1v0.5
lame --quiet -b 128 -m j stereo.wav $OUT/mpeg1-stereo.mp3
lame --quiet -b 64 --resample 22.05 44.wav $OUT/mpeg2.mp3
lame --quiet -b 24 --resample 8 44.wav $OUT/mpeg25.mp3
lame --quiet -t -b 32 --resample 16 44.wav $OUT/notag.mp3
oggenc -Q -q 3 44.wav -o $OUT/vorbis.ogg
opusenc --quiet --bitrate 48 48.wav $OUT/mono.opus
sox 48.wav stereo48.wav remix 1 1v0.5
opusenc --quiet --bitrate 64 stereo48.wav $OUT/stereo.opus
sox 48.wav surround.wav remix 1 1 1 1 1 1 trim 0 0.5
opusenc --quiet --bitrate 128 surround.wav $OUT/surround.opus
ff -i 48.wav -c:a libopus -b:a 48k $OUT/opus.webm
ff -i 48.wav -c:a libopus -b:a 48k -f webm -live 1 - > $OUT/live.webm
ff -i 44.wav -c:a libvorbis -q:a 3 $OUT/vorbis.webm
ff -i 44.wav -c:a aac -b:a 64k $OUT/aac.m4a
ff -i 44.wav -c:a aac -b:a 64k -movflags frag_keyframe+empty_moov -frag_duration 100000 $OUT/fragmented.mp4
ff -i 48.wav -c:a libopus -b:a 48k -movflags frag_keyframe+empty_moov $OUT/opus.mp4
ff -i 44.wav -c:a aac -b:a 64k -f adts $OUT/adts.aac
ff -i mid.wav -c:a flac -f ogg $OUT/flac.ogg
ff -i 44.wav -c:a mp2 -b:a 96k $OUT/layer2.mp2
sox short.wav $OUT/s16.aiff
`
