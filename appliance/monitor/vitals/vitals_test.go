package vitals

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// TestLoadUpToNow checks that audio decoded since the last sample counts, also before the first sample.
func TestLoadUpToNow(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	h := &History{Started: began}
	got := h.recentSamples(began.Add(10*time.Second), 8, 2)
	want := RecognizerSample{At: began.Add(10 * time.Second), Length: 10 * time.Second, Audio: 8, Work: 2}
	if len(got) != 1 || got[0] != want {
		t.Errorf("before the first sample: %+v", got)
	}
	h.at, h.audio, h.work, h.samples = began.Add(sampleEvery), 8, 2, got
	got = h.recentSamples(began.Add(sampleEvery+5*time.Second), 9, 2.5)
	if len(got) != 2 || got[1].Length != 5*time.Second || got[1].Audio != 1 || got[1].Work != 0.5 {
		t.Errorf("after it: %+v", got)
	}
	if len(h.samples) != 1 {
		t.Error("what is shown is kept as a sample")
	}
}

// TestSizesFollowTheFolders checks that the size of a folder is measured again soon after it has grown.
func TestSizesFollowTheFolders(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		h := &History{
			Started: time.Now(), Recordings: folder, DecodingTotals: func() (audio, work float64) { return 0, 0 },
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- h.Run(ctx) }()
		time.Sleep(10 * sampleEvery)
		if err := os.WriteFile(filepath.Join(folder, "call.wav"), make([]byte, 4<<20), 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(sampleEvery + time.Second)
		synctest.Wait()
		if _, sizes := h.CurrentFigures(time.Now()); sizes.Recordings < 4<<20 {
			t.Errorf("%d bytes are shown after %d were written", sizes.Recordings, 4<<20)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
