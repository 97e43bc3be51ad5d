package blob

import (
	"sync/atomic"
	"testing"

	"munadi/store/disk"
)

// TestFullDisk: on a full disk a recording ends and is playable up to there, and no new one is created; with free
// space, recording works again.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	f, err := OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	var free atomic.Uint64
	free.Store(spare)
	f.look = func(string) (disk.DiskState, error) { return disk.DiskState{Free: free.Load()}, nil }
	r, err := f.CreateRecording("bakery/first.wav")
	if err != nil {
		t.Fatal(err)
	}
	second := make([]int16, Rate)
	if err := r.AppendFrames(second, second); err != nil {
		t.Fatal(err)
	}
	free.Store(spare - 1)
	if err := r.AppendFrames(second, second); err == nil {
		t.Error("went on into the reserve")
	}
	if err := r.Close(); err == nil {
		t.Error("there is no error for the incomplete file")
	}
	if _, err := f.CreateRecording("bakery/second.wav"); err == nil {
		t.Error("began another")
	}
	sound, err := f.OpenRecording(t.Context(), "bakery/first.wav")
	if err != nil {
		t.Fatal(err)
	}
	info, err := sound.Stat()
	if err != nil || info.Size() != headerSize+Rate*frameBytes || sound.Close() != nil {
		t.Errorf("%d bytes are left, %v", info.Size(), err)
	}
	free.Store(spare)
	third, err := f.CreateRecording("bakery/third.wav")
	if err != nil || third.AppendFrames(second, second) != nil || third.Close() != nil {
		t.Errorf("with room again: %v", err)
	}
}
