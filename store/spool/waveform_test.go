package spool_test

import (
	"bytes"
	"context"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"munadi/store/bucket"
)

// countingBucket counts how often recordings are opened.
type countingBucket struct {
	bucket.ObjectBucket

	opened atomic.Int32
}

func (b *countingBucket) OpenObject(ctx context.Context, name string) (bucket.OpenedObject, error) {
	if strings.HasPrefix(name, "recordings/") {
		b.opened.Add(1)
	}
	return b.ObjectBucket.OpenObject(ctx, name)
}

// TestStoredWaveform: the waveform of an uploaded recording is stored in the bucket and read without the recording; a
// missing or malformed one is measured once; it is removed with its recording.
func TestStoredWaveform(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	counting := &countingBucket{ObjectBucket: p.bucket.ObjectBucket}
	p.bucket.ObjectBucket = counting
	p.runUploader()
	p.recordSeconds("a/1.wav", 3)
	onDisk, err := p.spool.ReadWaveform(t.Context(), "a/1.wav")
	if err != nil || onDisk.Seconds != 3 {
		t.Fatalf("on the disk it is %+v, %v", onDisk, err)
	}
	p.waitUntil("it is in the bucket", func() bool { return !p.onDisk("a/1.wav") })
	read := func(opened int32) {
		t.Helper()
		counting.opened.Store(0)
		w, err := p.spool.ReadWaveform(t.Context(), "a/1.wav")
		if err != nil || !reflect.DeepEqual(w, onDisk) {
			t.Errorf("in the bucket it is %+v, %v, on the disk it was %+v", w, err, onDisk)
		}
		if n := counting.opened.Load(); n != opened {
			t.Errorf("the recording was opened %d times, want %d", n, opened)
		}
	}
	read(0)
	if err := p.shared.RemoveObject(t.Context(), "waveforms/a/1.wav"); err != nil {
		t.Fatal(err)
	}
	read(1)
	read(0)
	if err := p.shared.PutObject(t.Context(), "waveforms/a/1.wav", bytes.NewReader([]byte("x")), 1); err != nil {
		t.Fatal(err)
	}
	read(1)
	read(0)
	if err := p.spool.RemoveFile("a/1.wav"); err != nil {
		t.Fatal(err)
	}
	p.waitUntil("both are gone", func() bool { return !p.inBucket("recordings/a/1.wav") && !p.inBucket("waveforms/a/1.wav") })
}
