package audio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"time"
)

// wavSource reads RIFF/WAVE, RF64 and BW64 (Microsoft "Multimedia Programming Interface" 1991, EBU Tech 3306).
type wavSource struct {
	r       io.Reader
	fmt     wavFormat
	left    int64 // unread bytes of the data chunk; -1: to the end of the file
	convert pcmConverter
	raw     []byte // one block of bytes, whole frames
	level   floatLevel
}

// lengthTolerance is how much shorter than stated in its header a complete recording may be: recorders of telephone
// systems count bytes that they never write.
const lengthTolerance = 100 * time.Millisecond

// streamingSize is the smallest data size that recorders write when they cannot know it: sox, arecord and ffmpeg use
// values from 0x7FFFF000 up to 0xFFFFFFFF.
const streamingSize = 0x7ffff000

// openWAV reads up to the first sample. size is that of the file in bytes, or -1 when it is not known.
func openWAV(r io.Reader, size int64) (sampleSource, error) {
	w := &wavWalker{r: r, size: size}
	if err := w.walkChunks(); err != nil {
		return nil, err
	}
	convert, err := w.fmt.pcmConverterFor()
	if err != nil {
		return nil, err
	}
	frame := w.fmt.frameSize()
	frames := max(1, min(blockFrames, 1<<18/frame))
	s := &wavSource{r: r, fmt: w.fmt, left: w.data, convert: convert, raw: make([]byte, frames*frame)}
	if seeker, ok := r.(io.Seeker); ok && size >= 0 && w.fmt.tag == tagFloat {
		err = s.scanLevel(seeker)
	}
	return s, err
}

// scanLevel reads all samples to measure their level, and seeks back to the first. ffmpeg's pipe cannot seek: its
// samples are only clipped.
func (s *wavSource) scanLevel(seeker io.Seeker) error {
	start, err := seeker.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	first := *s
	samples := make([]float32, len(s.raw)/s.fmt.bytes)
	for err == nil {
		var n int
		n, err = first.convertBlock(samples)
		s.level.observeSamples(samples[:n])
	}
	var bad *sourceFault
	if !errors.Is(err, io.EOF) && !errors.As(err, &bad) { // Read will report the fault
		return err
	}
	_, err = seeker.Seek(start, io.SeekStart)
	return err
}

func (s *wavSource) SoundFormat() SoundFormat {
	return SoundFormat{Container: "WAV", Codec: s.fmt.codecName(), Rate: s.fmt.rate, Channels: s.fmt.channels}
}

func (s *wavSource) SampleLayout() sampleLayout { return sampleLayout{s.fmt.rate, s.fmt.channels} }
func (s *wavSource) Close() error               { return nil }

// Read converts the whole frames of one read of the file; floats beyond full scale are scaled down.
func (s *wavSource) Read(p []float32) (int, error) {
	n, err := s.convertBlock(p)
	if s.fmt.tag == tagFloat {
		s.level.applyGain(p[:n])
	}
	return n, err
}

// convertBlock converts one read of the file.
func (s *wavSource) convertBlock(p []float32) (int, error) {
	frame := s.fmt.frameSize()
	want := int64(min(len(p)/s.fmt.channels*frame, len(s.raw)))
	if s.left >= 0 {
		want = min(want, s.left-s.left%int64(frame))
	}
	if want == 0 {
		return 0, io.EOF
	}
	n, err := io.ReadFull(s.r, s.raw[:want])
	if s.left >= 0 {
		s.left -= int64(n)
	}
	samples := s.convert(p, s.raw[:n-n%frame])
	if err == nil {
		return samples, nil
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return samples, err
	}
	if s.left > 0 {
		return samples, newTruncatedFault("its header states more samples", io.ErrUnexpectedEOF)
	}
	return samples, io.EOF
}

// wavWalker reads the chunks up to the first byte of the samples.
type wavWalker struct {
	r    io.Reader
	size int64 // of the file; -1 unknown
	pos  int64
	fmt  wavFormat
	riff uint32 // stated size of the outermost chunk
	long int64  // data size by the ds64 chunk; 0 = unknown
	data int64  // bytes of samples; -1: to the end of the file
}

func (w *wavWalker) walkChunks() error {
	var head [12]byte
	if err := w.readExact(head[:]); err != nil {
		return err
	}
	w.riff = binary.LittleEndian.Uint32(head[4:])
	for {
		var chunk [8]byte
		if err := w.readExact(chunk[:]); err != nil {
			return err
		}
		size := binary.LittleEndian.Uint32(chunk[4:])
		id := string(chunk[:4])
		if id == "data" {
			return w.enterData(size)
		}
		if err := w.readChunk(id, int64(size)); err != nil {
			return err
		}
	}
}

// readChunk reads a chunk before the data chunk, and its padding; unknown ones are skipped.
func (w *wavWalker) readChunk(id string, size int64) error {
	var body [40]byte
	head := body[:min(size, int64(len(body)))]
	switch id {
	case "fmt ":
		if err := w.readExact(head); err != nil {
			return err
		}
		if err := w.fmt.parseFormat(head); err != nil {
			return err
		}
	case "ds64":
		if err := w.readExact(head); err != nil {
			return err
		}
		if len(head) >= 16 {
			w.long = int64(binary.LittleEndian.Uint64(head[8:]))
		}
	default:
		head = nil
	}
	return w.skipBytes(size + size&1 - int64(len(head)))
}

// enterData determines the length of the data chunk, and returns an error if the file is shorter.
func (w *wavWalker) enterData(declared uint32) error {
	if w.fmt.channels == 0 {
		return newDamagedFault("its data chunk comes before its format chunk", nil)
	}
	w.data = int64(declared)
	if declared == 0xffffffff && w.long > 0 {
		w.data = w.long
	} else if declared >= streamingSize && (w.size < 0 || w.pos+w.data > w.size) {
		w.data = -1
	} else if declared == 0 && w.openEnd() {
		w.data = -1
	}
	if w.data < 0 || w.size < 0 || w.pos+w.data <= w.size {
		return nil
	}
	have, second := w.size-w.pos, int64(w.fmt.frameSize()*w.fmt.rate) // bytes
	if w.data-have > second/int64(time.Second/lengthTolerance) {
		return cutShort("WAV", float64(have)/float64(second), float64(w.data)/float64(second))
	}
	w.data = have
	return nil
}

// openEnd reports whether a data size of 0 means a header that was never completed, rather than an empty recording.
func (w *wavWalker) openEnd() bool {
	header := w.pos - 8
	return w.size < 0 || w.riff == 0 || int64(w.riff) < header || int64(w.riff) >= streamingSize ||
		int64(w.riff) == header && w.size > w.pos // a recorder that was killed: the sizes were never updated
}

func (w *wavWalker) readExact(p []byte) error {
	n, err := io.ReadFull(w.r, p)
	w.pos += int64(n)
	return w.headerError(err)
}

func (w *wavWalker) skipBytes(n int64) error {
	if w.size >= 0 && w.pos+n > w.size {
		return newTruncatedFault("it ends within its header", io.ErrUnexpectedEOF)
	}
	n, err := io.CopyN(io.Discard, w.r, n)
	w.pos += n
	return w.headerError(err)
}

func (w *wavWalker) headerError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return newTruncatedFault("it ends within its header", err)
	}
	return err
}

// Codec tags of the fmt chunk (mmreg.h).
const (
	tagPCM        = 0x0001
	tagFloat      = 0x0003
	tagALaw       = 0x0006
	tagMuLaw      = 0x0007
	tagExtensible = 0xfffe
)

// wavFormat is the fmt chunk.
type wavFormat struct {
	tag      uint16
	channels int
	rate     int
	bits     int // significant bits per sample
	bytes    int // of a sample as stored
}

func (f *wavFormat) parseFormat(b []byte) error {
	if len(b) < 16 {
		return newDamagedFault("its format chunk is too short", nil)
	}
	le := binary.LittleEndian
	f.tag, f.channels, f.rate = le.Uint16(b), int(le.Uint16(b[2:])), int(le.Uint32(b[4:]))
	align := int(le.Uint16(b[12:]))
	f.bits = int(le.Uint16(b[14:]))
	if f.tag == tagExtensible {
		if len(b) < 40 {
			return newDamagedFault("its format chunk is too short", nil)
		}
		f.tag = le.Uint16(b[24:]) // the first two bytes of the subformat's GUID
	}
	if f.channels == 0 {
		return newDamagedFault("its header states no channels", nil)
	}
	f.bytes = (f.bits + 7) / 8
	if align%f.channels == 0 && align/f.channels > f.bytes && align/f.channels <= 4 {
		f.bytes = align / f.channels // 24 bits stored in 32, left-justified
	}
	return nil
}

// frameSize returns the size in bytes of one sample of every channel.
func (f *wavFormat) frameSize() int { return f.bytes * f.channels }

// codecName returns the codec's name for display.
func (f *wavFormat) codecName() string {
	switch f.tag {
	case tagPCM:
		return fmt.Sprintf("PCM %d bit", f.bits)
	case tagFloat:
		return fmt.Sprintf("float %d bit", f.bits)
	case tagALaw:
		return "A-law"
	case tagMuLaw:
		return "µ-law"
	case 0x0002, 0x0011:
		return "ADPCM"
	case 0x0031:
		return "GSM 06.10"
	case 0x0050, 0x0055:
		return "MPEG audio"
	}
	return fmt.Sprintf("codec 0x%04x", f.tag)
}

func (f *wavFormat) pcmConverterFor() (pcmConverter, error) {
	switch f.tag {
	case tagPCM:
		if c := pcmIntegers(f.bytes); c != nil {
			return c, nil
		}
		return nil, newDamagedFault(fmt.Sprintf("its header states PCM of %d bits, not 8, 16, 24 or 32", f.bits), nil)
	case tagFloat:
		if c := pcmFloats(f.bytes); c != nil {
			return c, nil
		}
		return nil, newDamagedFault(fmt.Sprintf("its header states floats of %d bits, not 32 or 64", f.bits), nil)
	case tagALaw, tagMuLaw:
		if f.bytes != 1 {
			return nil, newDamagedFault(fmt.Sprintf("its header states %s of %d bits, not 8", f.codecName(), f.bits), nil)
		}
		return pcmLaw(f.tag), nil
	}
	return nil, &foreignCodec{"WAV with " + f.codecName()}
}

// WriteWAV writes mono samples in [-1, 1] as a WAV file of 16-bit PCM. Samples are clipped, and NaN becomes silence.
func WriteWAV(w io.Writer, samples []float32, rate int) error {
	size := 2 * int64(len(samples))
	if size > math.MaxUint32-36 {
		return fmt.Errorf("audio: %d samples do not fit in a WAV file", len(samples))
	}
	if _, err := w.Write(WAVHeader(size, rate)); err != nil {
		return err
	}
	return writePCM16(w, samples)
}

// WAVHeaderSize is the length of a [WAVHeader], in bytes.
const WAVHeaderSize = 44

// WAVHeader returns the WAV header of mono 16-bit PCM with the given number of bytes.
func WAVHeader(size int64, rate int) []byte {
	le := binary.LittleEndian
	head := append(make([]byte, 0, WAVHeaderSize), "RIFF"...)
	head = le.AppendUint32(head, uint32(WAVHeaderSize-8+size))
	head = append(head, "WAVEfmt "...)
	head = le.AppendUint32(head, 16)
	head = le.AppendUint16(head, tagPCM)
	head = le.AppendUint16(head, 1)
	head = le.AppendUint32(head, uint32(rate))
	head = le.AppendUint32(head, uint32(2*rate))
	head = le.AppendUint16(head, 2)
	head = le.AppendUint16(head, 16)
	head = append(head, "data"...)
	return le.AppendUint32(head, uint32(size))
}

func writePCM16(w io.Writer, samples []float32) error {
	raw := make([]byte, 0, 2*blockFrames)
	for len(samples) > 0 {
		n := min(len(samples), blockFrames)
		raw = raw[:0]
		for _, v := range samples[:n] {
			raw = binary.LittleEndian.AppendUint16(raw, uint16(toInt16(v)))
		}
		if _, err := w.Write(raw); err != nil {
			return err
		}
		samples = samples[n:]
	}
	return nil
}

// AppendInt16 appends samples in [-1, 1] to dst as 16-bit integers.
func AppendInt16(dst []int16, samples []float32) []int16 {
	for _, v := range samples {
		dst = append(dst, toInt16(v))
	}
	return dst
}

// ToFloats returns 16-bit samples as numbers in [-1, 1].
func ToFloats(pcm []int16) []float32 {
	out := make([]float32, len(pcm))
	for i, v := range pcm {
		out[i] = float32(v) / 32768
	}
	return out
}

// toInt16 rounds to the nearest and clips.
func toInt16(v float32) int16 {
	if v != v {
		return 0
	}
	return int16(max(-32768, min(32767, math.RoundToEven(float64(v)*32768))))
}
