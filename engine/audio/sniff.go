package audio

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"munadi/engine/audio/internal/mp3"
)

type soundKind int

const (
	kindOther   soundKind = iota // not audio; sniffResult.name names the format
	kindForeign                  // for ffmpeg
	kindWAV
	kindFLAC
	kindMP3
	kindOgg
	kindWebM
)

// sniffResult is the format that sniffContent found.
type sniffResult struct {
	kind  soundKind
	name  string // for display: "WAV", "a PDF document"
	start int64  // offset of its first byte, after tags
	size  int64  // of the whole file in bytes

	joined  bool    // a second FLAC file may follow the first one
	seconds float64 // length by the last page of an Ogg file; 0 = not read
}

// sniffBytes bounds the search for a container after leading tags.
const sniffBytes = 16 << 10

// sniffContent detects the format of r by content. r's offset is undefined afterwards.
func sniffContent(r io.ReadSeeker) (sniffResult, error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return sniffResult{}, err
	}
	if size == 0 {
		return sniffResult{}, &DecodeError{Code: CodeEmpty, Message: "the file is empty: it has no bytes"}
	}
	head, start, err := skipID3(r)
	if err != nil {
		return sniffResult{}, err
	}
	if start > size {
		return sniffResult{}, &DecodeError{Code: CodeDecode, Message: "the MP3 recording is truncated within its ID3 tag"}
	}
	f := identifyHead(head)
	f.start, f.size = start, size
	if start > 0 && f.kind == kindOther {
		f.kind, f.name, f.start = kindMP3, "MP3", start
	}
	if f.kind == kindOgg {
		if f.seconds, err = oggSeconds(r, f, head); err != nil {
			return sniffResult{}, err
		}
	}
	if f.kind == kindFLAC {
		if f.joined, err = isJoinedFLAC(r, f.start); err != nil {
			return sniffResult{}, err
		}
	}
	if f.kind == kindOther && f.name == "" {
		f.name = describeUnknown(head)
		if f.name == "" {
			f.kind = kindForeign // ffmpeg may decode it
		}
	}
	return f, nil
}

// skipID3 returns the bytes after all ID3v2 tags (ID3v2.4.0 §3.1), which it skips by seeking: pictures in them can be
// large.
func skipID3(r io.ReadSeeker) (head []byte, start int64, err error) {
	buf := make([]byte, sniffBytes)
	for {
		if _, err := r.Seek(start, io.SeekStart); err != nil {
			return nil, 0, err
		}
		n, err := io.ReadFull(r, buf)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, 0, err
		}
		head = buf[:n]
		tag := id3Size(head)
		if tag == 0 {
			return head, start, nil
		}
		start += tag
	}
}

// id3Size returns the length of the ID3v2 tag at the beginning of b, 0 if there is none.
func id3Size(b []byte) int64 {
	if len(b) < 10 || string(b[:3]) != "ID3" || b[3] == 0xff || (b[6]|b[7]|b[8]|b[9])&0x80 != 0 {
		return 0
	}
	size := int64(b[6])<<21 | int64(b[7])<<14 | int64(b[8])<<7 | int64(b[9])
	if b[5]&0x10 != 0 {
		size += 10 // a footer
	}
	return size + 10
}

// fileSignature is the magic number of a file format.
type fileSignature struct {
	offset int
	magic  string
	kind   soundKind
	name   string
}

// fileSignatures returns the known signatures, the more specific ones first.
func fileSignatures() []fileSignature {
	return []fileSignature{
		{8, "WAVE", kindWAV, "WAV"}, // after RIFF, RF64 or BW64; see isRIFF
		{0, "fLaC", kindFLAC, "FLAC"},
		{0, "OggS", kindOgg, "Ogg"},
		{0, "\x1a\x45\xdf\xa3", kindWebM, "WebM"},
		{4, "ftyp", kindForeign, "MP4"},
		{4, "moov", kindForeign, "MP4"},
		{4, "styp", kindForeign, "MP4"},
		{0, "#!AMR", kindForeign, "AMR"},
		{0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", kindForeign, "WMA (ASF)"},
		{8, "AIFF", kindForeign, "AIFF"},
		{8, "AIFC", kindForeign, "AIFF-C"},
		{0, "caff", kindForeign, "CAF"},
		{0, ".snd", kindForeign, "AU"},
		{0, "riff\x2e\x91\xcf\x11", kindForeign, "Wave64"},
		{0, "RIFX", kindForeign, "big-endian WAV"},
		{8, "AVI ", kindForeign, "AVI"},
		{0, "FLV\x01", kindForeign, "FLV"},
		{0, "MAC ", kindForeign, "Monkey's Audio"},
		{0, "wvpk", kindForeign, "WavPack"},
		{0, "TTA", kindForeign, "True Audio"},
		{0, ".RMF", kindForeign, "RealMedia"},
		{0, "\x0b\x77", kindForeign, "AC-3"},
		{0, "\x00\x00\x01\xba", kindForeign, "MPEG-PS"},
		{0, "ADIF", kindForeign, "AAC"},
		{0, "DSD ", kindForeign, "DSF"},
		{0, "Creative Voice File", kindForeign, "VOC"},
		{0, "%PDF", kindOther, "a PDF document"},
		{0, "\x89PNG", kindOther, "a PNG picture"},
		{0, "\xff\xd8\xff", kindOther, "a JPEG picture"},
		{0, "GIF8", kindOther, "a GIF picture"},
		{8, "WEBP", kindOther, "a WebP picture"},
		{0, "II*\x00", kindOther, "a TIFF picture"},
		{0, "MM\x00*", kindOther, "a TIFF picture"},
		{0, "PK\x03\x04", kindOther, "a ZIP archive or an office document"},
		{0, "PK\x05\x06", kindOther, "a ZIP archive"},
		{0, "\x1f\x8b", kindOther, "a gzip archive"},
		{0, "BZh", kindOther, "a bzip2 archive"},
		{0, "\xfd7zXZ", kindOther, "an xz archive"},
		{0, "7z\xbc\xaf", kindOther, "a 7z archive"},
		{0, "Rar!", kindOther, "a RAR archive"},
		{0, "\x28\xb5\x2f\xfd", kindOther, "a Zstandard archive"},
		{0, "\xff\xfe", kindOther, "text"},
		{0, "\xfe\xff", kindOther, "text"},
		{0, "MThd", kindOther, "a MIDI file (notes, not sound)"},
		{0, "\x7fELF", kindOther, "a program"},
		{0, "MZ", kindOther, "a program"},
		{0, "SQLite format 3", kindOther, "a database"},
		{0, "\xd0\xcf\x11\xe0", kindOther, "an office document"},
	}
}

// identifyHead identifies a file by its first bytes. kindOther without a name: unknown.
func identifyHead(head []byte) sniffResult {
	for _, s := range fileSignatures() {
		if len(head) < s.offset || !bytes.HasPrefix(head[s.offset:], []byte(s.magic)) {
			continue
		}
		if s.kind == kindWAV && !isRIFF(head) {
			continue
		}
		return sniffResult{kind: s.kind, name: s.name}
	}
	switch {
	case isMPEGTS(head):
		return sniffResult{kind: kindForeign, name: "MPEG-TS"}
	case isADTS(head):
		return sniffResult{kind: kindForeign, name: "AAC"}
	case isMP3(head):
		return sniffResult{kind: kindMP3, name: "MP3"}
	case isLayer2(head):
		return sniffResult{kind: kindForeign, name: "MPEG audio layer II"}
	}
	return sniffResult{}
}

func isRIFF(head []byte) bool {
	id := string(head[:4])
	return id == "RIFF" || id == "RF64" || id == "BW64"
}

func isMPEGTS(head []byte) bool {
	return len(head) > 3*188 && head[0] == 0x47 && head[188] == 0x47 && head[376] == 0x47
}

// isADTS looks for two AAC frames in a row (ISO 13818-7 §6.2).
func isADTS(head []byte) bool {
	next := func(b []byte) int {
		if len(b) < 7 || b[0] != 0xff || b[1]&0xf6 != 0xf0 {
			return 0
		}
		return int(b[3]&3)<<11 | int(b[4])<<3 | int(b[5])>>5
	}
	n := next(head)
	return n > 7 && len(head) > n && next(head[n:]) > 7
}

// isLayer2 looks for a frame header of MPEG audio layer II.
func isLayer2(head []byte) bool {
	return len(head) > 4 && head[0] == 0xff && head[1]&0xf6 == 0xf4 && head[2]>>4 != 15 && head[2]&0x0c != 0x0c
}

func isMP3(head []byte) bool {
	_, ok := mp3.FindFrame(head)
	return ok
}

// describeUnknown describes bytes without a known signature.
func describeUnknown(head []byte) string {
	trimmed := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))))
	switch {
	case bytes.HasPrefix(trimmed, []byte("<!doctype html")), bytes.HasPrefix(trimmed, []byte("<html")):
		return "an HTML page"
	case bytes.HasPrefix(trimmed, []byte("<?xml")), bytes.HasPrefix(trimmed, []byte("<svg")):
		return "an XML document"
	case !isText(head):
		return ""
	case bytes.HasPrefix(trimmed, []byte("{")), bytes.HasPrefix(trimmed, []byte("[")):
		return "a JSON document"
	}
	return "text"
}

// isText reports whether b is UTF-8 without control characters. A character cut at the end is accepted.
func isText(b []byte) bool {
	for len(b) >= utf8.UTFMax {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 || r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f' {
			return false
		}
		b = b[n:]
	}
	return !bytes.ContainsRune(b, 0)
}
