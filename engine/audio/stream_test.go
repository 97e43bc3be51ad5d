package audio_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"testing"
	"time"

	"pgregory.net/rapid"

	"munadi/engine/audio"
)

// TestChunking: the samples do not depend on the sizes of reads.
func TestChunking(t *testing.T) {
	t.Parallel()
	files := []string{"s24.wav", "s16-stereo.wav", "s16.flac", "mpeg1.mp3", "vorbis.ogg", "stereo.opus", "live.webm"}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			b := testdataFile(t, file)
			want, err := decodeBytes(t, b, plainOptions())
			if err != nil {
				t.Fatal(err)
			}
			for _, block := range []int{1, 7, 500, 100000} {
				s, err := audio.OpenStream(context.Background(), &crumbReader{bytes.NewReader(b), block}, plainOptions())
				if err != nil {
					t.Fatal(err)
				}
				got, err := drainBlocks(s, block)
				if err := errors.Join(err, s.Close()); err != nil {
					t.Fatal(err)
				}
				if !equalSamples(got, want) {
					t.Errorf("blocks of %d give other samples", block)
				}
			}
		})
	}
}

func equalSamples(a, b []float32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// crumbReader returns at most most bytes per read.
type crumbReader struct {
	io.ReadSeeker
	most int
}

func (c *crumbReader) Read(p []byte) (int, error) { return c.ReadSeeker.Read(p[:min(len(p), c.most)]) }

// TestAnyWAV: written samples are read back.
func TestAnyWAV(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.Int16(), 1, 300).Draw(t, "samples")
		in := make([]float32, len(want))
		for i, v := range want {
			in[i] = float32(v) / 32768
		}
		var wav bytes.Buffer
		if err := audio.WriteWAV(&wav, in, audio.Rate); err != nil {
			t.Fatal(err)
		}
		got, err := audio.DecodeAll(context.Background(), bytes.NewReader(wav.Bytes()), plainOptions())
		if err != nil || !equalSamples(got, in) {
			t.Fatalf("%v, %v", got, err)
		}
	})
}

func TestTooLong(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"s16.flac", "s24.wav", "mpeg1.mp3", "mono.opus", "opus.webm"} {
		opt := plainOptions()
		opt.MaxDuration = 200 * time.Millisecond
		_, err := decodeBytes(t, testdataFile(t, file), opt)
		_ = wantError(t, err, audio.CodeTooLong)
		opt.MaxDuration = 2 * time.Second
		if _, err := decodeBytes(t, testdataFile(t, file), opt); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestFlatMemory: hours of WAV need no more memory than seconds.
func TestFlatMemory(t *testing.T) {
	s, err := audio.OpenStream(context.Background(), &silentWAV{size: 2 * 16000 * 3600 * 4}, plainOptions())
	if err != nil {
		t.Fatal(err)
	}
	p := make([]float32, audio.Rate)
	var before, now runtime.MemStats
	samples, most := 0, uint64(0)
	for {
		n, err := s.Read(p)
		samples += n
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if samples%(600*audio.Rate) == 0 {
			runtime.GC()
			runtime.ReadMemStats(&now)
			if before.HeapAlloc == 0 {
				before = now
			}
			most = max(most, now.HeapAlloc)
		}
	}
	if samples != 4*3600*audio.Rate {
		t.Errorf("%d samples", samples)
	}
	if most > before.HeapAlloc+4<<20 {
		t.Errorf("heap grew from %d to %d bytes", before.HeapAlloc, most)
	}
}

// silentWAV is a generated WAV file of silence at 16 kHz.
type silentWAV struct{ size, at int64 }

func (s *silentWAV) Read(p []byte) (int, error) {
	head := newWAV(0xffffffff).putFormat(1, 1, 16000, 16).putChunk("data", 0xffffffff, nil).Bytes()
	n := int(min(int64(len(p)), int64(len(head))+s.size-s.at))
	if n == 0 {
		return 0, io.EOF
	}
	clear(p[:n])
	if s.at < int64(len(head)) {
		copy(p[:n], head[s.at:])
	}
	s.at += int64(n)
	return n, nil
}

func (s *silentWAV) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
		s.at = offset
	case io.SeekCurrent:
		s.at += offset
	case io.SeekEnd:
		s.at = s.size + 44 + offset
	}
	return s.at, nil
}

// TestCancelled: a stream whose context ended gives that error.
func TestCancelled(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"s24.wav", "mpeg1.mp3", "mono.opus"} {
		ctx, cancel := context.WithCancelCause(context.Background())
		s, err := audio.OpenStream(ctx, bytes.NewReader(testdataFile(t, file)), plainOptions())
		if err != nil {
			t.Fatal(err)
		}
		gone := errors.New("client is gone")
		cancel(gone)
		if _, err := s.Read(make([]float32, 10)); !errors.Is(err, gone) {
			t.Errorf("%s: read gives %v", file, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: close: %v", file, err)
		}
		if _, err := audio.OpenStream(ctx, bytes.NewReader(testdataFile(t, file)), plainOptions()); !errors.Is(err, gone) {
			t.Errorf("%s: open gives %v", file, err)
		}
	}
}

// TestReadAfterClose: an error, never a panic.
func TestReadAfterClose(t *testing.T) {
	t.Parallel()
	s, err := audio.OpenStream(context.Background(), bytes.NewReader(testdataFile(t, "mpeg1.mp3")), plainOptions())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Read(make([]float32, 10)); err == nil || n != 0 {
		t.Errorf("read gives %d, %v", n, err)
	}
}
