// Package vitals keeps the appliance's figures of the last hour: the recognizer's load and the sizes of folders.
package vitals

import (
	"context"
	"slices"
	"sync"
	"time"

	"munadi/store/disk"
)

const (
	sampleEvery = 30 * time.Second // one point of the dashboard's charts
	samplesKept = 120              // an hour
	measureRest = 200              // folder sizes are measured again after that many times what measuring took
)

// RecognizerSample is the recognizer's work in an interval that ended at At.
type RecognizerSample struct {
	At     time.Time
	Length time.Duration
	Audio  float64 // seconds of decoded audio
	Work   float64 // seconds of decoding
}

// History keeps the figures of the last hour. It is safe for concurrent use.
type History struct {
	// Started is when the appliance started.
	Started time.Time
	// DecodingTotals returns the seconds of audio decoded since the start, and the seconds that it took.
	DecodingTotals func() (audio, work float64)
	// Database and Recordings are the folders whose sizes are measured.
	Database, Recordings string

	mu      sync.Mutex
	at      time.Time // of the last sample
	audio   float64   // totals at the last sample
	work    float64
	samples []RecognizerSample
	sizes   FolderSizes
}

// FolderSizes are the sizes of folders in bytes, as measured at one of the last samples.
type FolderSizes struct{ Database, Recordings int64 }

// Run takes samples until ctx ends.
func (h *History) Run(ctx context.Context) error {
	due := h.measureFolders()
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		select {
		case at := <-tick.C:
			h.takeSample(at)
			if !at.Before(due) {
				due = h.measureFolders()
			}
		case <-ctx.Done():
			return nil
		}
	}
}

func (h *History) takeSample(at time.Time) {
	audio, work := h.DecodingTotals()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.samples = append(
		h.samples, RecognizerSample{At: at, Length: sampleEvery, Audio: audio - h.audio, Work: work - h.work},
	)
	h.samples = h.samples[max(0, len(h.samples)-samplesKept):]
	h.at, h.audio, h.work = at, audio, work
}

// recentSamples returns the samples, including the recognizer's work since the last one. The caller holds the lock.
func (h *History) recentSamples(now time.Time, audio, work float64) []RecognizerSample {
	since := h.at
	if since.IsZero() {
		since = h.Started
	}
	return append(slices.Clone(h.samples), RecognizerSample{
		At: now, Length: now.Sub(since), Audio: audio - h.audio, Work: work - h.work,
	})
}

// CurrentFigures returns the samples until now and the folder sizes.
func (h *History) CurrentFigures(now time.Time) ([]RecognizerSample, FolderSizes) {
	h.mu.Lock()
	defer h.mu.Unlock()
	audio, work := h.DecodingTotals()
	return h.recentSamples(now, audio, work), h.sizes
}

// measureFolders measures the sizes of the folders, which is slow with many recordings, and returns when they are due
// again.
func (h *History) measureFolders() (due time.Time) {
	began := time.Now()
	sizes := FolderSizes{Database: disk.SizeOf(h.Database), Recordings: disk.SizeOf(h.Recordings)}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sizes = sizes
	return time.Now().Add(measureRest * time.Since(began))
}
