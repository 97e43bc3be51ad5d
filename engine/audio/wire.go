package audio

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// Pipe protocol of the child: records of kind (1 byte), length (4 bytes, little-endian) and payload. First one format
// record, then samples, finally exactly one fault or end record. A stream without the final record means that the child
// crashed.
const (
	recordFormat  = 'F' // JSON of wireFormat
	recordSamples = 'S' // float32, little-endian, mono
	recordFault   = 'E' // JSON of wireFault
	recordEnd     = 'Z'
)

// maxRecord bounds a record, in bytes.
const maxRecord = 1 << 16

type wireFormat struct {
	Format SoundFormat
	Rate   int // of the samples
}

type wireFault struct {
	Broken, Foreign bool
	What, Cause     string
}

// wireWriter is the child's side.
type wireWriter struct {
	w     *bufio.Writer
	bytes []byte
}

func newWireWriter(w io.Writer) *wireWriter {
	return &wireWriter{w: bufio.NewWriterSize(w, maxRecord), bytes: make([]byte, 0, maxRecord)}
}

func (w *wireWriter) writeRecord(kind byte, body []byte) error {
	head := binary.LittleEndian.AppendUint32([]byte{kind}, uint32(len(body)))
	if _, err := w.w.Write(head); err != nil {
		return err
	}
	_, err := w.w.Write(body)
	return err
}

func (w *wireWriter) writeJSON(kind byte, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return w.writeRecord(kind, body)
}

func (w *wireWriter) writeFormat(f SoundFormat, rate int) error {
	return w.writeJSON(recordFormat, wireFormat{f, rate})
}

func (w *wireWriter) writeSamples(mono []float32) error {
	for len(mono) > 0 {
		n := min(len(mono), maxRecord/4)
		w.bytes = w.bytes[:0]
		for _, v := range mono[:n] {
			w.bytes = binary.LittleEndian.AppendUint32(w.bytes, math.Float32bits(v))
		}
		if err := w.writeRecord(recordSamples, w.bytes); err != nil {
			return err
		}
		mono = mono[n:]
	}
	return nil
}

// writeEnd writes the result of decoding. It returns errors of writing.
func (w *wireWriter) writeEnd(err error) error {
	var f *sourceFault
	var foreign *foreignCodec
	switch {
	case err == nil:
		err = w.writeRecord(recordEnd, nil)
	case errors.As(err, &foreign):
		err = w.writeJSON(recordFault, wireFault{Foreign: true, What: foreign.name})
	case errors.As(err, &f):
		err = w.writeJSON(recordFault, wireFault{Broken: f.broken, What: f.what, Cause: fmt.Sprint(f.cause)})
	}
	return errors.Join(err, w.w.Flush())
}

// errLost means that the child's output was truncated.
var errLost = errors.New("audio: decoder process ended without a result")

// wireReader is the parent's side. It validates all output of the child.
type wireReader struct {
	r     *bufio.Reader
	left  int // bytes of samples still in this record
	bytes []byte
}

func newWireReader(r io.Reader) *wireReader {
	return &wireReader{r: bufio.NewReaderSize(r, maxRecord)}
}

// readHead reads the next record's kind and length.
func (w *wireReader) readHead() (kind byte, size int, err error) {
	var head [5]byte
	if _, err := io.ReadFull(w.r, head[:]); err != nil {
		return 0, 0, errLost
	}
	n := binary.LittleEndian.Uint32(head[1:])
	if n > maxRecord {
		return 0, 0, errLost
	}
	return head[0], int(n), nil
}

func (w *wireReader) readBody(size int) ([]byte, error) {
	if cap(w.bytes) < size {
		w.bytes = make([]byte, size)
	}
	w.bytes = w.bytes[:size]
	if _, err := io.ReadFull(w.r, w.bytes); err != nil {
		return nil, errLost
	}
	return w.bytes, nil
}

// readFormat reads the format record, or the fault or end record in its place.
func (w *wireReader) readFormat() (wireFormat, error) {
	var f wireFormat
	kind, size, err := w.readHead()
	if err != nil {
		return f, err
	}
	if kind != recordFormat {
		return f, w.readEnd(kind, size)
	}
	body, err := w.readBody(size)
	if err != nil || json.Unmarshal(body, &f) != nil {
		return f, errLost
	}
	return f, nil
}

// readSamples fills p from the rest of the current record, or from the next one.
func (w *wireReader) readSamples(p []float32) (int, error) {
	for w.left == 0 {
		kind, size, err := w.readHead()
		if err != nil {
			return 0, err
		}
		if kind != recordSamples || size%4 != 0 {
			return 0, w.readEnd(kind, size)
		}
		w.left = size
	}
	n := min(len(p), w.left/4)
	body, err := w.readBody(4 * n)
	if err != nil {
		return 0, err
	}
	w.left -= 4 * n
	for i := range n {
		p[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
	}
	clampSamples(p[:n])
	return n, nil
}

// readEnd reads the final record as an error: io.EOF, a *sourceFault or a *foreignCodec.
func (w *wireReader) readEnd(kind byte, size int) error {
	body, err := w.readBody(size)
	if err != nil {
		return err
	}
	switch kind {
	case recordEnd:
		return io.EOF
	case recordFault:
		var f wireFault
		if json.Unmarshal(body, &f) != nil {
			return errLost
		}
		if f.Foreign {
			return &foreignCodec{f.What}
		}
		return &sourceFault{broken: f.Broken, what: f.What, cause: errors.New(f.Cause)}
	}
	return errLost
}
