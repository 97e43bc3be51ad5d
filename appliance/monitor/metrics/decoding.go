package metrics

import (
	"sync"
	"time"

	"munadi/engine"
)

// decodingTotals sums the recognizer's audio and work, for the dashboard.
type decodingTotals struct {
	mu          sync.Mutex
	audio, work float64 // seconds
}

func (d *decodingTotals) addDecoding(audio float64, work time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.audio += max(audio, 0)
	d.work += max(work.Seconds(), 0)
}

// CountLiveSound counts seconds of live audio and the time that decoding it took, queuing included.
func (m *Metrics) CountLiveSound(seconds float64, took time.Duration) {
	m.audio.WithLabelValues(priorityLabel(engine.Live)).Add(max(seconds, 0))
	m.decoding.addDecoding(seconds, took)
}

// DecodingTotals returns how many seconds of audio were decoded since the start, and how many seconds of work that
// took.
func (m *Metrics) DecodingTotals() (audio, work float64) {
	m.decoding.mu.Lock()
	defer m.decoding.mu.Unlock()
	return m.decoding.audio, m.decoding.work
}
