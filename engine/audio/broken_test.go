package audio_test

import (
	"bytes"
	"strings"
	"testing"

	"munadi/engine/audio"
)

// TestNotAudio: what is no recording is named, and what is accepted is said.
func TestNotAudio(t *testing.T) {
	t.Parallel()
	pad := strings.Repeat("\x00\x01\x02\x03", 100)
	for name, tt := range map[string]struct{ content, says string }{
		"pdf":     {"%PDF-1.7\n%\xe2\xe3" + pad, "a PDF document"},
		"png":     {"\x89PNG\r\n\x1a\n" + pad, "a PNG picture"},
		"jpeg":    {"\xff\xd8\xff\xe0" + pad, "a JPEG picture"},
		"zip":     {"PK\x03\x04" + pad, "a ZIP archive"},
		"html":    {"\n<!DOCTYPE html><html></html>", "an HTML page"},
		"xml":     {"<?xml version=\"1.0\"?><a/>", "an XML document"},
		"json":    {"{\"a\": 1}", "a JSON document"},
		"text":    {"just some words", "text"},
		"arabic":  {strings.Repeat("هذا نص وليس صوتا. ", 40), "text"},
		"program": {"\x7fELF" + pad, "a program"},
		"midi":    {"MThd" + pad, "MIDI"},
		"noise":   {pad, "no kind of audio that is known"},
		"byte":    {"\x00", "no kind of audio that is known"},
		"mp4":     {"\x00\x00\x00\x18ftypM4A " + pad, "MP4, which can only be read where ffmpeg is installed"},
		"amr":     {"#!AMR\n" + pad, "AMR, which can only be read where ffmpeg is installed"},
		"wma":     {"\x30\x26\xb2\x75\x8e\x66\xcf\x11" + pad, "WMA"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := decodeBytes(t, []byte(tt.content), plain())
			e := wantError(t, err, audio.CodeDecode)
			if !strings.Contains(e.Message, tt.says) || !strings.Contains(e.Message, "accepted are WAV, FLAC") {
				t.Errorf("message: %s", e.Message)
			}
		})
	}
}

func TestEmpty(t *testing.T) {
	t.Parallel()
	_, err := decodeBytes(t, nil, plain())
	_ = wantError(t, err, audio.CodeEmpty)
	var wav bytes.Buffer
	if err := audio.WriteWAV(&wav, nil, 16000); err != nil {
		t.Fatal(err)
	}
	_, err = decodeBytes(t, wav.Bytes(), plain())
	_ = wantError(t, err, audio.CodeEmpty)
	ogg := testdata(t, "mono.opus")
	_, err = decodeBytes(t, ogg[:pageEnd(ogg, 2)], plain()) // the header pages only
	_ = wantError(t, err, audio.CodeEmpty)
}

// pageEnd is where the nth Ogg page ends.
func pageEnd(b []byte, n int) int {
	at := 0
	for range n {
		size := 27 + int(b[at+26])
		for _, l := range b[at+27 : at+27+int(b[at+26])] {
			size += int(l)
		}
		at += size
	}
	return at
}

// TestBreaksOff: each format cut at three quarters is an error that says where, and gives the sound before it.
func TestBreaksOff(t *testing.T) {
	t.Parallel()
	for _, tt := range accepted {
		if strings.Contains(tt.file, "pipe") || tt.file == "chromium.webm" || tt.file == "live.webm" {
			continue // these leave their length open
		}
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			opt := plain()
			if tt.foreign {
				opt.FFmpeg = needFFmpeg(t)
			}
			if tt.file == "adts.aac" || tt.file == "layer2.mp2" || tt.file == "s16.aiff" || tt.file == "flac.ogg" {
				t.Skip("ffmpeg does not tell")
			}
			b := testdata(t, tt.file)
			_, err := decodeBytes(t, b[:len(b)*3/4], opt)
			e := wantError(t, err, audio.CodeDecode)
			if !strings.Contains(e.Message, "breaks off") {
				t.Errorf("message: %s", e.Message)
			}
		})
	}
}

// TestCutAnywhere: a file cut at any byte gives an error, or at most what the whole file gives.
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"s16.flac", "mpeg25.mp3", "notag.mp3", "mpeg1-stereo.mp3", "s24.wav", "rf64.wav"} {
		whole := testdata(t, file)
		for n := 0; n < len(whole); n += 1 + n/50 {
			_, err := decodeBytes(t, whole[:n], plain())
			if err == nil && file != "notag.mp3" {
				t.Errorf("%s: cut to %d of %d bytes, and no error", file, n, len(whole))
			}
		}
	}
}

// TestDamage: a flipped byte in the middle of what carries checksums is found.
func TestDamage(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"s16.flac", "mono.opus", "vorbis.ogg"} {
		b := testdata(t, file)
		b[len(b)*2/3] ^= 0x10
		_, err := decodeBytes(t, b, plain())
		if e := wantError(t, err, audio.CodeDecode); !strings.Contains(e.Message, "damaged") {
			t.Errorf("%s: %s", file, e.Message)
		}
	}
}

// TestTags: tags before and behind an MP3 are passed over, a large picture included.
func TestTags(t *testing.T) {
	t.Parallel()
	plainMP3 := testdata(t, "mpeg25.mp3")
	want, err := decodeBytes(t, plainMP3, plain())
	if err != nil {
		t.Fatal(err)
	}
	picture := append([]byte("ID3\x04\x00\x00\x00\x7f\x7f\x00"), make([]byte, 0x7f<<14|0x7f<<7)...)
	v1 := append([]byte("TAG"), make([]byte, 125)...)
	for name, b := range map[string][]byte{
		"id3v2":         append(bytes.Clone(picture), plainMP3...),
		"twice":         append(append(bytes.Clone(picture), picture...), plainMP3...),
		"id3v1":         append(bytes.Clone(plainMP3), v1...),
		"zeros":         append(bytes.Clone(plainMP3), make([]byte, 1000)...),
		"rubbish":       append(bytes.Clone(plainMP3), "some rubbish"...),
		"rubbish first": append([]byte("some rubbish"), plainMP3...),
	} {
		got, err := decodeBytes(t, b, plain())
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %d samples, %v; want %d", name, len(got), err, len(want))
		}
	}
	flac := append(bytes.Clone(picture), testdata(t, "s16.flac")...)
	if got, err := decodeBytes(t, flac, plain()); err != nil || len(got) != 8000 {
		t.Errorf("FLAC behind a tag: %d samples, %v", len(got), err)
	}
}

// TestChained: Ogg files one behind the other are one recording.
func TestChained(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"mono.opus", "vorbis.ogg"} {
		b := testdata(t, file)
		got, err := decodeBytes(t, append(bytes.Clone(b), b...), plain())
		if err != nil || len(got) < 31999 || len(got) > 32001 {
			t.Errorf("%s: %d samples, %v", file, len(got), err)
		}
	}
}
