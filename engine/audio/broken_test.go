package audio_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"munadi/engine/audio"
)

// TestNotAudio: the error for other files names their format and the accepted ones.
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
		"mp4":     {"\x00\x00\x00\x18ftypM4A " + pad, "MP4, which can only be decoded if ffmpeg is installed"},
		"amr":     {"#!AMR\n" + pad, "AMR, which can only be decoded if ffmpeg is installed"},
		"wma":     {"\x30\x26\xb2\x75\x8e\x66\xcf\x11" + pad, "WMA"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := decodeBytes(t, []byte(tt.content), plainOptions())
			e := wantError(t, err, audio.CodeDecode)
			if !strings.Contains(e.Message, tt.says) || !strings.Contains(e.Message, "accepted are WAV, FLAC") {
				t.Errorf("message: %s", e.Message)
			}
		})
	}
}

func TestEmpty(t *testing.T) {
	t.Parallel()
	_, err := decodeBytes(t, nil, plainOptions())
	_ = wantError(t, err, audio.CodeEmpty)
	var wav bytes.Buffer
	if err := audio.WriteWAV(&wav, nil, 16000); err != nil {
		t.Fatal(err)
	}
	_, err = decodeBytes(t, wav.Bytes(), plainOptions())
	_ = wantError(t, err, audio.CodeEmpty)
	ogg := testdataFile(t, "mono.opus")
	_, err = decodeBytes(t, ogg[:pageEnd(ogg, 2)], plainOptions()) // the header pages only
	_ = wantError(t, err, audio.CodeEmpty)
}

// pageEnd returns where the nth Ogg page ends.
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

// TestTruncated: a truncated file of each format gives the samples before the cut, and an error with its position.
func TestTruncated(t *testing.T) {
	t.Parallel()
	for _, tt := range accepted {
		if strings.Contains(tt.file, "pipe") || tt.file == "chromium.webm" || tt.file == "live.webm" {
			continue // without a stated length
		}
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			opt := plainOptions()
			if tt.foreign {
				opt.FFmpeg = needFFmpeg(t)
			}
			if tt.file == "adts.aac" || tt.file == "layer2.mp2" || tt.file == "s16.aiff" || tt.file == "flac.ogg" {
				t.Skip("ffmpeg does not report truncation")
			}
			b := testdataFile(t, tt.file)
			_, err := decodeBytes(t, b[:breakAt(tt.file, len(b))], opt)
			e := wantError(t, err, audio.CodeDecode)
			if !strings.Contains(e.Message, "truncated") {
				t.Errorf("message: %s", e.Message)
			}
		})
	}
}

// breakAt returns the offset at which a test file is cut: more than 100 ms before its end, after its first samples, and
// within a frame of an MP3 without a tag.
func breakAt(file string, size int) int {
	if strings.HasSuffix(file, ".flac") || file == "notag.mp3" {
		return size * 3 / 4
	}
	return size / 2
}

// TestCutAnywhere: a file cut at any byte gives an error, or all samples except the last 100 ms (and an MP3 frame).
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, file := range []string{"s16.flac", "mpeg25.mp3", "notag.mp3", "mpeg1-stereo.mp3", "s24.wav", "rf64.wav"} {
		whole := testdataFile(t, file)
		want, err := decodeBytes(t, whole, plainOptions())
		if err != nil {
			t.Fatal(err)
		}
		forgiven := 0
		for n := 0; n < len(whole); n += 1 + n/50 {
			got, err := decodeBytes(t, whole[:n], plainOptions())
			if err != nil || file == "notag.mp3" {
				continue
			}
			if forgiven++; len(want)-len(got) > audio.Rate/10+audio.Rate*72/1000 {
				t.Errorf("%s: cut to %d of %d bytes, %d samples of %d, and no error", file, n, len(whole), len(got), len(want))
			}
		}
		if forgiven == 0 && file != "notag.mp3" && file != "s16.flac" {
			t.Errorf("%s: no cut within 100 ms was accepted", file)
		}
	}
}

// TestNearlyWhole: a recording at most 100 ms shorter than stated in its header is complete; a shorter one is not.
func TestNearlyWhole(t *testing.T) {
	t.Parallel()
	wav := func(promised int) []byte {
		return newWAV(0).putFormat(1, 1, 16000, 16).putChunk("data", uint32(2*promised), countingPCM(16000)).Bytes()
	}
	flac := testdataFile(t, "s16.flac")
	mp3 := testdataFile(t, "mpeg1.mp3")
	for name, tt := range map[string]struct {
		file  []byte
		whole bool
	}{
		"WAV, 44 bytes":       {wav(16022), true},
		"WAV, 100 ms":         {wav(17600), true},
		"WAV, 101 ms":         {wav(17616), false},
		"WAV, no sound":       {newWAV(0).putFormat(1, 1, 16000, 16).putChunk("data", 20, nil).Bytes(), false},
		"FLAC, 50 ms":         {promiseFLAC(flac, 8800), true},
		"FLAC, 101 ms":        {promiseFLAC(flac, 9616), false}, // at the end of a frame
		"FLAC, empty":         {promiseFLAC(flac[:8+34+8], 1000), false},
		"MP3, one frame":      {mp3[:len(mp3)-313], true},
		"MP3, within a frame": {mp3[:len(mp3)-400], true},
		"MP3, seven frames":   {mp3[:len(mp3)-7*313], false},
	} {
		if _, err := decodeBytes(t, tt.file, plainOptions()); (err == nil) != tt.whole {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// promiseFLAC returns a FLAC file whose header states n samples (36 bits at the end of 8 bytes, RFC 9639 §8.2).
func promiseFLAC(file []byte, samples uint64) []byte {
	file = bytes.Clone(file)
	field := file[4+4+10:]
	word := binary.BigEndian.Uint64(field)
	binary.BigEndian.PutUint64(field, word>>36<<36|samples)
	return file
}

// TestDamage: a changed byte is detected in formats with checksums.
func TestDamage(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"s16.flac", "mono.opus", "vorbis.ogg"} {
		b := testdataFile(t, file)
		b[len(b)*2/3] ^= 0x10
		_, err := decodeBytes(t, b, plainOptions())
		if e := wantError(t, err, audio.CodeDecode); !strings.Contains(e.Message, "damaged") {
			t.Errorf("%s: %s", file, e.Message)
		}
	}
}

// TestTags: tags before and after an MP3 are skipped, a large picture included.
func TestTags(t *testing.T) {
	t.Parallel()
	plainMP3 := testdataFile(t, "mpeg25.mp3")
	want, err := decodeBytes(t, plainMP3, plainOptions())
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
		got, err := decodeBytes(t, b, plainOptions())
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %d samples, %v; want %d", name, len(got), err, len(want))
		}
	}
	flac := append(bytes.Clone(picture), testdataFile(t, "s16.flac")...)
	if got, err := decodeBytes(t, flac, plainOptions()); err != nil || len(got) != 8000 {
		t.Errorf("FLAC after a tag: %d samples, %v", len(got), err)
	}
}

// TestJoinedMP3: concatenated MP3 files are read to the end, whatever their tags, at the first one's sample rate.
func TestJoinedMP3(t *testing.T) {
	t.Parallel()
	length := map[string]int{
		"mpeg1.mp3": 16000, "mpeg2.mp3": 16000, "mpeg25.mp3": 16000, "notag.mp3": 17280, "mpeg1-stereo.mp3": 16000,
	}
	v1 := append([]byte("TAG"), make([]byte, 125)...)
	v2 := append([]byte("ID3\x04\x00\x00\x00\x00\x02\x00"), make([]byte, 256)...)
	for _, pieces := range [][]string{
		{"mpeg1.mp3", "mpeg1.mp3"},
		{"mpeg1.mp3", "mpeg1-stereo.mp3", "mpeg1.mp3"},
		{"mpeg1.mp3", "mpeg2.mp3"},
		{"notag.mp3", "mpeg1.mp3"},
		{"mpeg25.mp3", "notag.mp3", "mpeg25.mp3"},
		{"notag.mp3", "notag.mp3"},
	} {
		for name, between := range map[string][]byte{"": nil, " behind tags": append(bytes.Clone(v1), v2...)} {
			var joined []byte
			want := 0
			for _, piece := range pieces {
				joined = append(append(joined, testdataFile(t, piece)...), between...)
				want += length[piece]
			}
			got, err := decodeBytes(t, joined, plainOptions())
			if d := len(got) - want; err != nil || d < -8 || d > 8 {
				t.Errorf("%v%s: %d samples, %v; want %d", pieces, name, len(got), err, want)
				continue
			}
			last := length[pieces[len(pieces)-1]]
			if db, _ := matchTones(got[len(got)-last:], gainOf(pieces[len(pieces)-1])); db < 20 {
				t.Errorf("%v%s: the last piece is %.1f dB from its original", pieces, name, db)
			}
		}
	}
	first := testdataFile(t, "mpeg1.mp3")
	cut := append(bytes.Clone(first[:len(first)/2]), first...)
	if _, err := decodeBytes(t, cut, plainOptions()); err == nil {
		t.Error("a truncated piece before another is no error")
	}
}

// TestJoinedFLAC: concatenated FLAC files are read to the end; one of another form, or cut off, is a fault, not lost.
func TestJoinedFLAC(t *testing.T) {
	t.Parallel()
	file := testdataFile(t, "s16.flac")
	one, err := decodeBytes(t, file, plainOptions())
	if err != nil {
		t.Fatal(err)
	}
	tag := append([]byte("TAG"), make([]byte, 125)...)
	picture := append([]byte("ID3\x04\x00\x00\x00\x08\x00\x00"), make([]byte, 1<<17)...) // an ID3v2 tag of 128 KiB
	for name, joined := range map[string][]byte{
		"":                       slices.Concat(file, file, file),
		"behind a tag":           slices.Concat(file, tag, file, file),
		"behind a picture":       slices.Concat(file, picture, file, file),
		"behind tags":            slices.Concat(file, []byte("APETAGEX and fLaC in it"), tag, picture, file, make([]byte, 1<<16-4), file),
		"without other metadata": slices.Concat(file, tag, flacWithoutMetadata(t, file), file),
	} {
		if got, err := decodeBytes(t, joined, plainOptions()); err != nil || !slices.Equal(got, slices.Concat(one, one, one)) {
			t.Errorf("%s: %d samples, %v; want three times %d", name, len(got), err, len(one))
		}
	}
	other := bytes.Clone(file)
	other[20] ^= 2 // the number of channels
	for name, joined := range map[string][]byte{
		"another form": slices.Concat(file, other), "cut off": slices.Concat(file, file[:len(file)/2]), "no header": slices.Concat(file, file[:20]),
	} {
		if got, err := decodeBytes(t, joined, plainOptions()); err == nil {
			t.Errorf("%s: %d samples and no error", name, len(got))
		}
	}
	if got, err := decodeBytes(t, append(bytes.Clone(file), make([]byte, 100)...), plainOptions()); err != nil || len(got) != len(one) {
		t.Errorf("padding: %d samples, %v", len(got), err)
	}
}

// flacWithoutMetadata returns a FLAC file with STREAMINFO as its only block.
func flacWithoutMetadata(t *testing.T, file []byte) []byte {
	t.Helper()
	at, last := 4, false
	for !last {
		last = file[at]&0x80 != 0
		at += 4 + int(file[at+1])<<16 + int(file[at+2])<<8 + int(file[at+3])
	}
	bare := append(bytes.Clone(file[:4+4+34]), file[at:]...)
	bare[4] |= 0x80
	return bare
}

func gainOf(file string) float64 {
	if strings.Contains(file, "stereo") {
		return 0.75
	}
	return 1
}

// TestChained: chained Ogg files are one recording.
func TestChained(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"mono.opus", "vorbis.ogg"} {
		b := testdataFile(t, file)
		got, err := decodeBytes(t, append(bytes.Clone(b), b...), plainOptions())
		if err != nil || len(got) < 31999 || len(got) > 32001 {
			t.Errorf("%s: %d samples, %v", file, len(got), err)
		}
	}
}
