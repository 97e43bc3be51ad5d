package vitals

import (
	"testing"
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
