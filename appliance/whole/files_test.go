package whole_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestEveryFormat checks that each of the audio package's recordings is transcribed, whatever its file name.
func TestEveryFormat(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	entries, err := os.ReadDir(projectPath(t, "engine/audio/testdata"))
	mustSucceed(t, err)
	heard := 0
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		if isExternal(e.Name()) {
			convertWithFFmpeg(t, encodeWAV(t, silentSeconds(0.1)), "wav") // skips the test without ffmpeg
		}
		got := a.postForm(t, transcriptions, withFile(readProjectFile(t, "engine/audio/testdata", e.Name())), withField("response_format", "verbose_json"))
		if got.Status != 200 {
			t.Errorf("%s: %d %s", e.Name(), got.Status, got)
			continue
		}
		if d := finiteNumber(t, got.jsonBody(t), "duration"); d < 0.05 || d > 10 {
			t.Errorf("%s lasts %v s", e.Name(), d)
		}
		heard++
	}
	if heard < 20 {
		t.Errorf("only %d recordings", heard)
	}
}

// isExternal reports whether a format is decoded by ffmpeg.
func isExternal(name string) bool {
	switch filepath.Ext(name) {
	case ".m4a", ".mp4", ".aac", ".aiff", ".mp2", ".amr":
		return true
	}
	return name == "adpcm.wav" || name == "vorbis.webm" || name == "flac.ogg"
}

// TestSpeechInEveryFormat checks that every container and codec gives the same sentence.
func TestSpeechInEveryFormat(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	clip := demoSample(t, "time.flac")
	for _, c := range []struct{ name, extension, args string }{
		{"WAV 48 kHz stereo", "wav", "-ar 48000 -ac 2"},
		{"WAV 24 bit", "wav", "-c:a pcm_s24le -ar 44100"},
		{"WAV float", "wav", "-c:a pcm_f32le"},
		{"WAV A-law", "wav", "-c:a pcm_alaw -ar 8000"},
		{"WAV µ-law", "wav", "-c:a pcm_mulaw -ar 8000"},
		{"FLAC stereo", "flac", "-ac 2 -ar 48000"},
		{"MP3", "mp3", "-b:a 96k -ar 44100"},
		{"MP3 with a picture of tags", "mp3", "-b:a 64k -ar 24000 -metadata title=موعد"},
		{"Ogg Vorbis", "ogg", "-c:a libvorbis -ar 44100"},
		{"Ogg Opus", "ogg", "-c:a libopus -b:a 32k"},
		{"WebM Opus", "webm", "-c:a libopus -b:a 32k"},
		{"M4A", "m4a", "-c:a aac -b:a 96k -ar 44100"},
		{"AIFF", "aiff", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			coded := convertWithFFmpeg(t, clip, c.extension, strings.Fields(c.args)...)
			got := a.postForm(t, transcriptions, withFile(coded)).wantStatus(t, 200).jsonBody(t)["text"].(string)
			telephone := strings.Contains(c.args, "8000")
			if got != timeText && (!telephone || !strings.Contains(got, "الساعة")) {
				t.Errorf("heard %q", got)
			}
		})
	}
}

// TestAMR checks one second of AMR, generated here since few builds of ffmpeg can encode it: RFC 4867 §5, fifty frames
// of 4.75 kbit/s whose bits are all zero.
func TestAMR(t *testing.T) {
	t.Parallel()
	convertWithFFmpeg(t, encodeWAV(t, silentSeconds(0.1)), "wav") // skips the test without ffmpeg
	frame := append([]byte{0x04}, make([]byte, 12)...)
	coded := append([]byte("#!AMR\n"), bytes.Repeat(frame, 50)...)
	got := sharedInstance(t).postForm(t, transcriptions, withFile(coded), withField("response_format", "verbose_json")).wantStatus(t, 200)
	if d := finiteNumber(t, got.jsonBody(t), "duration"); d < 0.99 || d > 1.01 {
		t.Errorf("a second lasts %v s", d)
	}
}

// TestFilesThatAreNoSound checks that other files get 422 with what the file is and what is accepted, and without
// details of the machine.
func TestFilesThatAreNoSound(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	whole := goldenRecording(t, "g00.wav")
	flac, ogg := demoSample(t, "order.flac"), readProjectFile(t, "engine/audio/testdata/vorbis.ogg")
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	_, err := z.Create("sound.wav")
	mustSucceed(t, err)
	mustSucceed(t, z.Close())
	header := append([]byte(nil), whole[:44]...)
	for name, c := range map[string]struct {
		content []byte
		kind    string
		says    string
	}{
		"no bytes":        {nil, "audio_empty audio_decode_error", ""},
		"one byte":        {[]byte{0}, "audio_decode_error", ""},
		"zeros":           {make([]byte, 5000), "audio_decode_error", "WAV"},
		"text":            {[]byte("These are words.\nThey make no sound.\n"), "audio_decode_error", "text"},
		"Arabic text":     {[]byte(strings.Repeat("هذا نص وليس صوتا\n", 40)), "audio_decode_error", "text"},
		"PDF":             {[]byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n"), "audio_decode_error", "PDF"},
		"zip":             {archive.Bytes(), "audio_decode_error", "ZIP"},
		"PNG":             {[]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), "audio_decode_error", "PNG"},
		"HTML":            {[]byte("<!doctype html><title>x</title>"), "audio_decode_error", ""},
		"playlist":        {[]byte("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"), "audio_decode_error", ""},
		"concat script":   {[]byte("ffconcat version 1.0\nfile /etc/passwd\n"), "audio_decode_error", ""},
		"WAV of nothing":  {header, "audio_empty audio_decode_error", ""},
		"half a header":   {whole[:30], "audio_decode_error audio_empty", ""},
		"half a FLAC":     {flac[:len(flac)/2], "audio_decode_error", ""},
		"half an Ogg":     {ogg[:len(ogg)/2], "audio_decode_error", ""},
		"FLAC of garbage": {append(append([]byte(nil), flac[:60]...), bytes.Repeat([]byte("garbage!"), 999)...), "audio_decode_error", ""},
		"a lying size":    {overstatedWAV(whole), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, path := range []string{transcriptions, debugDecode} {
				got := a.postForm(t, path, withFile(c.content))
				if c.kind == "" { // may be transcribed up to its fault, or refused
					if got.Status != 200 && got.Status != 422 {
						t.Errorf("%d %s", got.Status, got)
					}
					continue
				}
				v := got.violationEntries(t)
				if len(v) != 1 || !strings.Contains(c.kind, v[0].Type) || !reflect.DeepEqual(v[0].Loc, []any{"body", "file"}) {
					t.Errorf("%s: %+v", path, v)
				}
				if len(v[0].Msg) < 20 || !strings.Contains(strings.ToLower(v[0].Msg), strings.ToLower(c.says)) {
					t.Errorf("%s: it says %q", path, v[0].Msg)
				}
				for _, secret := range []string{scratch, a.Data, os.TempDir() + "/", "/proc/", "ffmpeg version", "goroutine", ".go:", "root:"} {
					if strings.Contains(got.String(), secret) {
						t.Errorf("%s leaks %q: %s", path, secret, got)
					}
				}
			}
		})
	}
}

// overstatedWAV returns a WAV file whose header claims four gigabytes.
func overstatedWAV(wav []byte) []byte {
	out := append([]byte(nil), wav...)
	copy(out[4:], "\xff\xff\xff\xff")
	copy(out[40:], "\xff\xff\xff\xff")
	return out
}

// TestNamesMeanNothing checks that a wrong extension or a hostile file name has no effect, and that no file is left.
func TestNamesMeanNothing(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	for _, name := range []string{"x.mp3", "../../../../etc/cron.d/x", `"quoted".wav`, strings.Repeat("n", 4000), "تسجيل.txt", " "} {
		named := func(r *testRequest) { r.file, r.filename = goldenRecording(t, "g00.wav"), name }
		if got := a.postForm(t, transcriptions, named); got.Status != 200 || got.jsonBody(t)["text"] != goldenText {
			t.Errorf("%.40q: %d %s", name, got.Status, got)
		}
	}
}
