package audio_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime"
	"strings"
	"testing"

	"munadi/engine/audio"
)

// wavFile builds a WAV file from chunks with the given sizes, whatever their bodies.
type wavFile struct{ bytes.Buffer }

func newWAV(riff uint32) *wavFile {
	w := &wavFile{}
	w.WriteString("RIFF")
	w.putUint32(riff)
	w.WriteString("WAVE")
	return w
}

func (w *wavFile) putUint32(v uint32) { w.Write(binary.LittleEndian.AppendUint32(nil, v)) }

func (w *wavFile) putChunk(id string, size uint32, body []byte) *wavFile {
	w.WriteString(id)
	w.putUint32(size)
	w.Write(body)
	return w
}

func (w *wavFile) putFormat(tag uint16, channels, rate, bits int) *wavFile {
	le := binary.LittleEndian
	b := le.AppendUint16(nil, tag)
	b = le.AppendUint16(b, uint16(channels))
	b = le.AppendUint32(b, uint32(rate))
	b = le.AppendUint32(b, uint32(rate*channels*bits/8))
	b = le.AppendUint16(b, uint16(channels*bits/8))
	b = le.AppendUint16(b, uint16(bits))
	return w.putChunk("fmt ", 16, b)
}

// countingPCM is n 16-bit samples that count up.
func countingPCM(n int) []byte {
	b := make([]byte, 0, 2*n)
	for i := range n {
		b = binary.LittleEndian.AppendUint16(b, uint16(i))
	}
	return b
}

func TestWAVAcceptedOddities(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		file *wavFile
		want int
	}{
		"odd chunk before": {
			newWAV(0).putChunk("JUNK", 3, []byte("abc\x00")).putFormat(1, 1, 16000, 16).putChunk("data", 20, countingPCM(10)), 10,
		},
		"chunks behind": {newWAV(90).putFormat(1, 1, 16000, 16).putChunk("data", 20, countingPCM(10)).putChunk("LIST", 4, countingPCM(2)), 10},
		"killed":        {newWAV(36).putFormat(1, 1, 16000, 16).putChunk("data", 0, countingPCM(10)), 10},
		"size zero":     {newWAV(0).putFormat(1, 1, 16000, 16).putChunk("data", 0, countingPCM(10)), 10},
		"size open":     {newWAV(0xffffffff).putFormat(1, 1, 16000, 16).putChunk("data", 0xffffffff, countingPCM(10)), 10},
		"size huge":     {newWAV(0x7ffff024).putFormat(1, 1, 16000, 16).putChunk("data", 0x7ffff000, countingPCM(10)), 10},
		"half a frame": {
			newWAV(0xffffffff).putFormat(1, 2, 16000, 16).putChunk("data", 0xffffffff, countingPCM(11)), 5,
		},
		"hundreds of channels": {
			newWAV(0).putFormat(1, 500, 16000, 16).putChunk("data", 2000, countingPCM(1000)), 2,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := decodeBytes(t, tt.file.Bytes(), plainOptions())
			if err != nil || len(got) != tt.want {
				t.Fatalf("%d samples, %v; want %d", len(got), err, tt.want)
			}
		})
	}
}

func TestWAVRefused(t *testing.T) {
	t.Parallel()
	good := func() *wavFile { return newWAV(0).putFormat(1, 1, 16000, 16) }
	tests := map[string]struct {
		file *wavFile
		code audio.ErrorCode
		says string
	}{
		"data cut": {
			good().putChunk("data", 64000, countingPCM(16000)), audio.CodeDecode, "after 1.0 s: its header states 2.0 s",
		},
		"no data":     {good(), audio.CodeDecode, "within its header"},
		"header cut":  {newWAV(0).putChunk("fmt ", 16, []byte{1, 0}), audio.CodeDecode, "within its header"},
		"data first":  {newWAV(0).putChunk("data", 4, countingPCM(2)), audio.CodeDecode, "before its format"},
		"no sample":   {newWAV(36).putFormat(1, 1, 16000, 16).putChunk("data", 0, nil), audio.CodeEmpty, "no samples"},
		"chunk lies":  {newWAV(0).putChunk("JUNK", 0xfffffff0, countingPCM(4)), audio.CodeDecode, "within its header"},
		"format lies": {newWAV(0).putChunk("fmt ", 0xfffffff0, countingPCM(4)), audio.CodeDecode, "within its header"},
		"no channel":  {newWAV(0).putFormat(1, 0, 16000, 16).putChunk("data", 4, countingPCM(2)), audio.CodeDecode, "no channel"},
		"no rate":     {newWAV(0).putFormat(1, 1, 0, 16).putChunk("data", 4, countingPCM(2)), audio.CodeDecode, "0 samples per second"},
		"fast":        {newWAV(0).putFormat(1, 1, 1<<30, 16).putChunk("data", 4, countingPCM(2)), audio.CodeDecode, "samples per second"},
		"no bits":     {newWAV(0).putFormat(1, 1, 16000, 0).putChunk("data", 4, countingPCM(2)), audio.CodeDecode, "0 bits"},
		"many bits":   {newWAV(0).putFormat(1, 1, 16000, 64).putChunk("data", 4, countingPCM(2)), audio.CodeDecode, "64 bits"},
		"small float": {newWAV(0).putFormat(3, 1, 16000, 16).putChunk("data", 4, countingPCM(2)), audio.CodeDecode, "16 bits"},
		"wide law":    {newWAV(0).putFormat(6, 1, 16000, 16).putChunk("data", 4, countingPCM(2)), audio.CodeDecode, "A-law"},
		"codec":       {newWAV(0).putFormat(0x31, 1, 8000, 8).putChunk("data", 4, countingPCM(2)), audio.CodeDecode, "WAV with GSM 06.10"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := decodeBytes(t, tt.file.Bytes(), plainOptions())
			e := wantError(t, err, tt.code)
			if !strings.Contains(e.Message, tt.says) {
				t.Errorf("message %q does not say %q", e.Message, tt.says)
			}
		})
	}
}

// TestWAVLieCostsNoMemory: neither a huge chunk size nor 65,535 channels cause large allocations.
func TestWAVLieCostsNoMemory(t *testing.T) {
	lies := [][]byte{
		newWAV(0).putChunk("JUNK", 0xfffffff0, nil).Bytes(),
		newWAV(0).putFormat(1, 65535, 16000, 32).putChunk("data", 0xffffffff, countingPCM(4)).Bytes(),
		newWAV(0).putFormat(1, 1, 767999, 16).putChunk("data", 0xffffffff, countingPCM(4)).Bytes(),
	}
	var before, after runtime.MemStats
	for i, lie := range lies {
		runtime.ReadMemStats(&before)
		_, _ = decodeBytes(t, lie, plainOptions())
		runtime.ReadMemStats(&after)
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 32<<20 {
			t.Errorf("lie %d: %d bytes allocated", i, allocated)
		}
	}
}

// TestFloatsBeyondFullScale: floats with integer values, or beyond full scale, are scaled down like the same recording
// in integers; a click does not change the samples around it.
func TestFloatsBeyondFullScale(t *testing.T) {
	t.Parallel()
	want := toneAt(16000, 16000)
	for name, tt := range map[string]struct {
		scale float64 // of what is written
		click float64
		gain  float64 // of the output
	}{
		"as it should be": {1, 0, 1},
		"hot":             {1.9, 0, 0.95},
		"16-bit values":   {32768, 0, 1},
		"24-bit values":   {1 << 23, 0, 1},
		"32-bit values":   {1 << 31, 0, 1},
		"a click":         {1, 1e9, 1},
		"no number":       {1, math.NaN(), 1},
		"no end":          {32768, math.Inf(1), 1},
	} {
		for _, bits := range []int{32, 64} {
			var raw []byte
			for i, v := range want {
				v := float64(v) * tt.scale
				if tt.click != 0 && i == 20 {
					v = tt.click
				}
				if bits == 32 {
					raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(v)))
				} else {
					raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
				}
			}
			file := newWAV(0).putFormat(3, 1, 16000, bits).putChunk("data", uint32(len(raw)), raw)
			got, err := decodeBytes(t, file.Bytes(), plainOptions())
			if err != nil || len(got) != len(want) {
				t.Fatalf("%s, %d bits: %d samples, %v", name, bits, len(got), err)
			}
			if db, _ := matchTones(got, tt.gain); db < 60 {
				t.Errorf("%s, %d bits: %.1f dB from the original", name, bits, db)
			}
		}
	}
}
